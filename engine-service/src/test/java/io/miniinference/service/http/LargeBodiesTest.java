package io.miniinference.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class LargeBodiesTest {
  private static final InputStream NOTHING = InputStream.nullInputStream();

  private final LargeBodies bodies = new LargeBodies(1);
  private final LargeBodies.Turn first = bodies.open(ClientConnection.Whole.BODY);
  private final LargeBodies.Turn second = bodies.open(ClientConnection.Whole.BODY);

  @Test
  void anotherWaitsForAsLongAsATurnLastsAndIsToldHowLong() throws Exception {
    var events = new StringBuffer();
    var begun = new CountDownLatch(1);
    first.take();
    var other =
        Thread.ofVirtual()
            .start(() -> {
              begun.countDown();
              second.take();
              events.append("second");
            });
    begun.await();
    while (other.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    first.take(); // the next piece: it stays the first one's turn
    events.append("first ");
    first.close();
    other.join();

    assertThat(events).hasToString("first second");
    assertThat(second.waitedNanos()).isPositive();
  }

  @Test
  void aTurnWhoseClientHasSentNothingMoreIsGivenUp() throws IOException {
    LargeBodies.Turn slow = bodies.open(new Silent());
    slow.take();
    slow.leaveToWait(NOTHING);

    second.take(); // for ever, if the turn were still taken
    second.close();
    slow.take();
    slow.close();
    assertThat(slow.waitedNanos()).isLessThan(TimeUnit.MINUTES.toNanos(1));
  }

  @Test
  void aTurnStaysWhereBytesAreAtHand() throws Exception {
    LargeBodies.Turn slow = bodies.open(new Silent());
    slow.take();
    slow.leaveToWait(new ByteArrayInputStream(new byte[1]));
    var other = Thread.ofVirtual().start(second::take);
    while (other.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    slow.leaveToWait(NOTHING);
    other.join();

    assertThat(second.waitedNanos()).isPositive();
  }

  private record Silent() implements ClientConnection {
    @Override
    public boolean isGone() {
      return false;
    }

    @Override
    public boolean hasBytes() {
      return false;
    }
  }
}
