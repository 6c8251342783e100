package io.miniinference.bench.suite;

import io.miniinference.device.Device;
import io.miniinference.device.choice.Devices;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
    progress.accept("bench: " + format.formatted(values));
  }

  /// Tells what went wrong, as all commands do.
  public void complain(String problem) {
    progress.accept("mie: " + problem);
  }

  /// The batch sizes that are selected, or the usual ones.
  public List<Integer> batches(List<Integer> usual) {
    return selection.batches.isEmpty() ? usual : selection.batches;
  }

  /// How a model is loaded to be measured up to a batch size.
  public LoadOptions loadOptions(int maxBatch) {
    return LoadOptions.defaults().withMaxBatch(maxBatch).withDimensions(selection.dimensions);
  }

  /// Opens the device alone that the engine would run on.
  public Device openDevice() {
    Devices.Kind kind = Devices.Kind.of(engine.device());
    return new Devices(engine.cache())
        .open(new Devices.Choice(kind, engine.platform(), engine.deviceName()));
  }

  /// The same with these batch sizes selected.
  public Setting withBatches(List<Integer> batches) {
    var chosen =
        new Selection(
            selection.repository,
            selection.models,
            batches,
            selection.dimensions,
            selection.count,
            selection.sizes,
            selection.shapes);
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
  /// @param dimensions sizes by symbol of what models leave open besides the batch
  /// @param count of random models
  /// @param sizes of open dimensions in random shapes, by symbol
  /// @param shapes how many random ones of each model
  public record Selection(
      @Nullable Path repository,
      List<String> models,
      List<Integer> batches,
      Map<String, Long> dimensions,
      int count,
      Map<String, SizeRange> sizes,
      int shapes) {
    /// Random models unless told otherwise.
    public static final int COUNT = 200_000;

    /// Random shapes unless told otherwise.
    public static final int SHAPES = 200;

    public static final Selection ALL = new Selection(null, List.of(), List.of());

    public Selection {
      models = List.copyOf(models);
      batches = List.copyOf(batches);
      dimensions = Map.copyOf(dimensions);
      sizes = Map.copyOf(sizes);
    }

    public Selection(@Nullable Path repository, List<String> models, List<Integer> batches) {
      this(repository, models, batches, Map.of(), COUNT, Map.of(), SHAPES);
    }
  }
}
