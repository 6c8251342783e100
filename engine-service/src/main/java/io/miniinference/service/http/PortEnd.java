package io.miniinference.service.http;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The end of a port whose connections all are served: the thread that accepts them waits here from
/// the moment that the port is closed until Tomcat has stopped it, since Tomcat closes what a
/// stopped one has accepted.
final class PortEnd {
  private static final long MOST_SECONDS = 1;

  private final CountDownLatch acceptedLast = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);

  /// Called when there is nothing more to accept.
  ///
  /// @return a connection to nobody, which the stopped thread closes
  SocketChannel afterLast() throws IOException, InterruptedException {
    acceptedLast.countDown();
    stopped.await();
    return SocketChannel.open();
  }

  /// Waits until what had been accepted is served. A thread that is not accepting, since there are
  /// as many connections as there may be, is not waited for longer than a second.
  void awaitLast() {
    try {
      acceptedLast.await(MOST_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void stopped() {
    stopped.countDown();
  }
}
