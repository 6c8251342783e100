package io.miniinference.device;

/// What a run launches, in which order: all once, or what loops and branches ask for. It is called
/// on the thread of the run, which submits to the device meanwhile.
@FunctionalInterface
public interface LaunchSequence {
  /// Every launch once, in order.
  LaunchSequence ALL =
      launcher -> {
        for (int i = 0; i < launcher.launches(); i++) {
          launcher.launch(i);
        }
      };

  void run(Launcher launcher);
}
