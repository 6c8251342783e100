package io.miniinference.device.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.DeviceException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The end of a team.
@Timeout(60)
final class TeamTest {
  private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(20);

  @Test
  void aWorkerThatNeverLeavesDoesNotHoldTheEndForEver() {
    var team = new Team("stuck", 3, new Gate(3, SHORT));
    team.enter(1);

    assertThatThrownBy(team::close)
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("1 of 3 places on it are still taken");
    assertThat(team.recruit(0)).isNegative();
  }

  @Test
  void theEndWaitsForWhoeverServesAndKeepsAnInterrupt() throws InterruptedException {
    var team = new Team("busy", 2);
    int worker = team.enter(0);
    var closing =
        new Thread(() -> {
          Thread.currentThread().interrupt();
          team.close();
          assertThat(Thread.currentThread().isInterrupted()).isTrue();
        });
    var failures = new AtomicReference<Throwable>();
    closing.setUncaughtExceptionHandler((_, e) -> failures.set(e));
    closing.start();
    closing.join(50);
    assertThat(closing.isAlive()).isTrue();
    team.leave(worker);
    closing.join();
    assertThat(failures).hasNullValue();
    assertThatThrownBy(() -> team.enter(0)).hasMessage("the device is closed");
  }
}
