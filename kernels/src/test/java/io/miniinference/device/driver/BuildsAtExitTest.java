package io.miniinference.device.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.DeviceException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

final class BuildsAtExitTest {
  private final ReentrantLock held = new ReentrantLock();
  private final BuildsAtExit builds = new BuildsAtExit(held);

  @Test
  void theEndWaitsForTheBuildThatRunsAndNoOtherBegins() throws InterruptedException {
    held.lock();
    builds.check();
    Thread end = new Thread(builds::end);
    end.start();
    while (!held.hasQueuedThread(end)) {
      Thread.onSpinWait();
    }

    assertThat(end.join(Duration.ofMillis(20))).isFalse();
    held.unlock();
    end.join();

    held.lock();
    assertThatThrownBy(builds::check)
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("the process is ending");
    held.unlock();
  }
}
