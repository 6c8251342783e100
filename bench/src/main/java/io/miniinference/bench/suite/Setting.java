package io.miniinference.bench.suite;

import io.miniinference.runtime.EngineOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a suite is told.
///
/// @param engine which device, with what cache; a suite sets the pool's capacity itself
/// @param selection which models and batches
/// @param threads that a runner on a CPU may use
/// @param python the interpreter that has PyTorch
/// @param quick tiny slices that show that all works, and whose figures mean nothing
/// @param progress takes lines that tell how far it is
public record Setting(
    EngineOptions engine,
    Selection selection,
    int threads,
    String python,
    boolean quick,
    Consumer<String> progress) {

  public void say(String format, Object... values) {
    progress.accept(format.formatted(values));
  }

  /// The batch sizes that are selected, or the usual ones.
  public List<Integer> batches(List<Integer> usual) {
    return selection.batches.isEmpty() ? usual : selection.batches;
  }

  /// The same with these batch sizes selected.
  public Setting withBatches(List<Integer> batches) {
    var chosen = new Selection(selection.repository, selection.models, batches, selection.count);
    return new Setting(engine, chosen, threads, python, quick, progress);
  }

  /// The same on the JVM device.
  public Setting onJvm() {
    var jvm =
        new EngineOptions(engine.poolBytes(), "jvm", null, null, engine.codegen(), engine.cache());
    return new Setting(jvm, selection, threads, python, quick, progress);
  }

  /// Which models are measured, at which batch sizes.
  ///
  /// @param repository a folder of `NAME/VERSION/model.onnx`, null for the bundled models
  /// @param models names, empty for all
  /// @param batches empty for what the suite measures by itself
  /// @param count of random models
  public record Selection(
      @Nullable Path repository, List<String> models, List<Integer> batches, int count) {
    /// Random models unless told otherwise.
    public static final int COUNT = 200_000;

    public static final Selection ALL = new Selection(null, List.of(), List.of());

    public Selection {
      models = List.copyOf(models);
      batches = List.copyOf(batches);
    }

    public Selection(@Nullable Path repository, List<String> models, List<Integer> batches) {
      this(repository, models, batches, COUNT);
    }
  }
}
