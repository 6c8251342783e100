package io.miniinference.service.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Semaphore;

/// The turns of requests whose bodies are large: fewer of them are read and parsed at once than
/// there are processors, so that one is always left to small requests, which wait for no turn. A
/// turn lasts until the body is parsed, or until its client lets it wait for bytes: who sends
/// slowly keeps nobody from a turn. Others wait without a processor, with no more in memory than a
/// small body, and their clients are held back by TCP.
public final class LargeBodies {
  /// Longest body that is small.
  public static final int SMALL_BYTES = 64 << 10;

  private static final LargeBodies OF_ALL =
      new LargeBodies(Math.max(1, Runtime.getRuntime().availableProcessors() - 1));

  private final Semaphore turns;

  LargeBodies(int atOnce) {
    turns = new Semaphore(atOnce, true);
  }

  /// A turn of the process, which is not taken yet.
  public static Turn turn(ClientConnection connection) {
    return OF_ALL.open(connection);
  }

  Turn open(ClientConnection connection) {
    return new Turn(connection);
  }

  /// One request's turn. For one thread.
  public final class Turn implements AutoCloseable {
    private final ClientConnection connection;
    private boolean taken;
    private long waitedNanos;

    private Turn(ClientConnection connection) {
      this.connection = connection;
    }

    /// Called before each piece of a body beyond the first [#SMALL_BYTES]: waits for the turn, and
    /// lets small requests run where it is taken already, since a virtual thread keeps its
    /// processor until it waits.
    public void take() {
      if (taken) {
        Thread.yield();
        return;
      }
      long start = System.nanoTime();
      turns.acquireUninterruptibly();
      waitedNanos += System.nanoTime() - start;
      taken = true;
    }

    /// Called before more of a body is read: gives the turn up if its bytes have to come first.
    ///
    /// @param body what was received and not yet read
    /// @return whether they have to
    public boolean leaveToWait(InputStream body) throws IOException {
      return body.available() == 0 && leaveToWait();
    }

    boolean leaveToWait() {
      if (connection.hasBytes()) {
        return false;
      }
      close();
      return true;
    }

    /// How long it was waited for, which is no fault of the client.
    public long waitedNanos() {
      return waitedNanos;
    }

    @Override
    public void close() {
      if (taken) {
        taken = false;
        turns.release();
      }
    }
  }
}
