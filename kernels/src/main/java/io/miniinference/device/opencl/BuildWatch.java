package io.miniinference.device.opencl;

import io.miniinference.device.KernelBuild;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Looks now and then at a build that takes long, and tells in the log of one that compiles: once
/// for each program until that is prepared. The caller of [#during] holds [OpenClProgram#COMPILER],
/// so there is one build at a time.
final class BuildWatch {
  private final Executor later;
  private final Consumer<KernelBuild> log;
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Build running;
  private volatile @Nullable KernelBuild compiling;

  /* Each is another, whatever it builds. */
  private static final class Build {
    private final KernelBuild what;
    private final BooleanSupplier isCompiling;

    Build(KernelBuild what, BooleanSupplier isCompiling) {
      this.what = what;
      this.isCompiling = isCompiling;
    }
  }

  /// @param millis after which a build is looked at, again and again until it compiles or is over
  /// @param log takes what is to be told of
  BuildWatch(long millis, Consumer<KernelBuild> log) {
    this.log = log;
    later = CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS);
  }

  /// Does a build.
  ///
  /// @param isCompiling whether the driver has compiled anything for it
  <T> T during(KernelBuild what, BooleanSupplier isCompiling, Supplier<T> task) {
    Build build = new Build(what, isCompiling);
    running = build;
    later.execute(() -> look(build));
    try {
      return task.get();
    } finally {
      end();
    }
  }

  private synchronized void end() {
    running = null;
    compiling = null;
  }

  private void look(Build build) {
    if (running != build) {
      return;
    }
    if (build.isCompiling.getAsBoolean()) {
      show(build);
    } else {
      later.execute(() -> look(build));
    }
  }

  private synchronized void show(Build build) {
    if (running == build) {
      compiling = build.what;
      if (told.add(build.what.program())) {
        log.accept(build.what);
      }
    }
  }

  /// Says that a program is prepared: it is told anew when it is built again.
  void prepared(String program) {
    told.remove(program);
  }

  /// What has been compiled for some time now; empty if nothing is.
  Optional<KernelBuild> building() {
    return Optional.ofNullable(compiling);
  }
}
