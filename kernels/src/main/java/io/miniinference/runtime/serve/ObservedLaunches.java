package io.miniinference.runtime.serve;

import io.miniinference.device.LaunchSequence;
import io.miniinference.device.Launcher;
import io.miniinference.runtime.LaunchObserver;
import java.util.function.IntFunction;

/// A sequence of launches of which each is waited for, and told to an observer.
///
/// @param kernel the name of a launch's kernel
record ObservedLaunches(
    LaunchSequence sequence, IntFunction<String> kernel, LaunchObserver observer)
    implements LaunchSequence {

  @Override
  public void run(Launcher launcher) {
    sequence.run(new Observed(launcher));
  }

  private final class Observed implements Launcher {
    private final Launcher launcher;

    Observed(Launcher launcher) {
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
      observer.launched(index, kernel.apply(index), start, System.nanoTime());
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
