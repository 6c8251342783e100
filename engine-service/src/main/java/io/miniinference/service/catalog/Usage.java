package io.miniinference.service.catalog;

/// How many requests use a model. A request enters before it uses it, and none can enter any more
/// once the last one has left a model that is to go.
public final class Usage {
  private int users;
  private boolean leaving;
  private boolean gone;

  Usage() {}

  /// Whether the caller may use the model until it calls [#leave].
  synchronized boolean enter() {
    if (!gone) {
      users++;
    }
    return !gone;
  }

  /// Gives the model up, once for each time that it was entered.
  public synchronized void leave() {
    users--;
    gone = leaving && users == 0;
    if (gone) {
      notifyAll();
    }
  }

  /// Waits for the last request, after which none can enter.
  synchronized void retire() {
    leaving = true;
    gone = users == 0;
    boolean interrupted = false;
    while (!gone) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
