package io.miniinference.runtime;

import io.miniinference.device.LaunchSequence;
import io.miniinference.device.Launcher;

/// A sequence of launches of which each is waited for, with the time that it took.
public final class TimedLaunches implements LaunchSequence {
  private final LaunchSequence sequence;
  private final long[] nanos;

  public TimedLaunches(LaunchSequence sequence, int launches) {
    this.sequence = sequence;
    this.nanos = new long[launches];
  }

  @Override
  public void run(Launcher launcher) {
    sequence.run(new Timed(launcher));
  }

  /// The sum over all times that a launch was made.
  public long nanos(int launch) {
    return nanos[launch];
  }

  private final class Timed implements Launcher {
    private final Launcher launcher;

    Timed(Launcher launcher) {
      this.launcher = launcher;
    }

    @Override
    public int launches() {
      return launcher.launches();
    }

    @Override
    public void launch(int index) {
      long start = System.nanoTime();
      launcher.launch(index);
      launcher.read();
      nanos[index] += System.nanoTime() - start;
    }

    @Override
    public void offset(int entry, long value) {
      launcher.offset(entry, value);
    }

    @Override
    public void read(Read... reads) {
      launcher.read(reads);
    }
  }
}
