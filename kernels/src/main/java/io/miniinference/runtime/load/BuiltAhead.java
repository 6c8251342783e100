package io.miniinference.runtime.load;

import io.miniinference.device.DeviceProgram;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The program of a model that is not loaded yet. The first load takes it, or [#close] gives it
/// back; nothing is built ahead after that. Safe for many threads: who takes it waits for a build
/// that has begun.
final class BuiltAhead {
  private @Nullable DeviceProgram program;
  private boolean done;

  /// Builds, unless that was done or comes too late.
  synchronized void build(Supplier<DeviceProgram> building) {
    if (program == null && !done) {
      program = building.get();
    }
  }

  /// What was built, which is then the caller's to close.
  synchronized Optional<DeviceProgram> take() {
    Optional<DeviceProgram> built = Optional.ofNullable(program);
    program = null;
    done = true;
    return built;
  }

  void close() {
    take().ifPresent(DeviceProgram::close);
  }
}
