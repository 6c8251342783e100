package io.miniinference.runtime.load;

/// What each further shape will do, done over and over while the driver builds for the first one.
///
/// A JVM compiles code that has run often, and takes several times as long for code that has not. A
/// driver builds for a second on one core, in which this thread runs on another: so the shapes
/// after the first find the way from model to launches compiled.
final class Rehearsal implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Rehearsal.class.getName());

  /// By then what is in the way of a small model is compiled.
  private static final int MOST = 200;

  private final Thread thread;
  private volatile boolean isOver;

  private Rehearsal(Runnable once) {
    thread = Thread.ofPlatform().daemon().name("rehearsal").unstarted(() -> run(once));
  }

  /// Starts it where there is a core to spare; closing it waits for the turn that it is in.
  static Rehearsal start(Runnable once) {
    Rehearsal rehearsal = new Rehearsal(once);
    if (Runtime.getRuntime().availableProcessors() > 1) {
      rehearsal.thread.start();
    }
    return rehearsal;
  }

  private void run(Runnable once) {
    try {
      for (int i = 0; i < MOST && !isOver; i++) {
        once.run();
      }
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "a rehearsal ended early", e);
    }
  }

  @Override
  public void close() {
    isOver = true;
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
