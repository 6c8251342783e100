package io.miniinference.device.driver;

import io.miniinference.device.DeviceException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Lets the build that runs come to its end before the process does, and has no other begin: a
/// driver's compiler crashes when the end of the process takes away its memory.
public final class BuildsAtExit {
  private static final long MOST_SECONDS = 20;

  private final ReentrantLock held;
  private volatile boolean ends;

  /// @param held by whoever builds
  public BuildsAtExit(ReentrantLock held) {
    this.held = held;
  }

  /// From now on the process's end waits.
  public BuildsAtExit registered() {
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(this::end, "mie-builds-at-exit"));
    } catch (IllegalStateException e) {
      ends = true;
    }
    return this;
  }

  /// Before anything is compiled, by a build or a first launch. The caller holds the lock.
  ///
  /// @throws DeviceException if the process is ending
  public void check() {
    if (ends) {
      throw new DeviceException("nothing is compiled any more: the process is ending");
    }
  }

  void end() {
    ends = true;
    try {
      if (held.tryLock(MOST_SECONDS, TimeUnit.SECONDS)) {
        held.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
