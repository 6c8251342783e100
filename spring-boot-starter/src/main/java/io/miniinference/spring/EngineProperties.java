package io.miniinference.spring;

import io.miniinference.budget.LoadLimits;
import io.miniinference.engine.PreparedShapes;
import io.miniinference.lower.Precision;
import io.miniinference.runtime.CacheFolder;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Planning;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// The properties `engine.*` of an application, which mean what they mean to the service.
///
/// @param pool the one pool of device memory
/// @param device Which device runs the models: a GPU, else an OpenCL CPU, else the JVM, if `auto`;
///   with `gpu` a GPU, or the start fails. An NVIDIA GPU then runs behind the CUDA driver, with
///   `opencl` behind OpenCL.
/// @param opencl which OpenCL device, and how its kernels are written
/// @param models what is loaded
/// @param batching how large a batch may be
/// @param instances Requests of one model that are served side by side; 0 lets the engine choose.
/// @param planner how memory is planned
/// @param loops how long loops may go on
/// @param specialisations what is kept of models that are compiled per shape
/// @param loading what the load of one model may take
/// @param failureChecks UNSAFE if off: kernels then use indices and divisors unseen, so that a bad
///   request reads and writes memory of others or crashes the device. For measurement only.
/// @param precision How exactly models of 32-bit floats are computed: `f32`; `direct`, which is
///   `f32` without Winograd's form of convolutions (relative error 1e-5); `tf32`, whose products
///   NVIDIA GPUs compute faster, from operands of 11 significant bits (relative error 5e-4 each);
///   on GPUs `f16` or `bf16`, which store what steps hand to each other, and weights, in 16 bits
///   (11 or 8 significant ones) and sum up in 32. Other devices compute in `f32`.
/// @param cache what is kept on disk
@ConfigurationProperties("engine")
public record EngineProperties(
    @DefaultValue Pool pool,
    @DefaultValue("auto") DeviceKind device,
    @DefaultValue OpenCl opencl,
    @DefaultValue Models models,
    @DefaultValue Batching batching,
    @DefaultValue("0") int instances,
    @DefaultValue Planner planner,
    @DefaultValue Loops loops,
    @DefaultValue Specialisations specialisations,
    @DefaultValue Loading loading,
    @DefaultValue("true") boolean failureChecks,
    @DefaultValue("f32") Precision precision,
    @DefaultValue Cache cache) {

  /// The kinds of devices.
  public enum DeviceKind {
    AUTO,
    GPU,
    OPENCL,
    JVM
  }

  /// Which kernels are written for OpenCL.
  public enum Codegen {
    AUTO,
    CPU,
    GPU
  }

  /// The properties `engine.pool.*`.
  ///
  /// @param capacity Size of the pool, out of which everything on the device is served.
  public record Pool(@DefaultValue("256MB") DataSize capacity) {}

  /// The properties `engine.opencl.*`.
  ///
  /// @param platform Part of the name of the OpenCL platform, any if not set.
  /// @param device Part of the name of the OpenCL device or its number, any if not set.
  /// @param codegen Which kernels are written, those for CPUs or those for GPUs.
  public record OpenCl(
      @Nullable String platform, @Nullable String device, @DefaultValue("auto") Codegen codegen) {}

  /// The properties `engine.models.*`.
  ///
  /// @param repository Folder of `NAME/VERSION/model.onnx`, `NAME/model.onnx` or `NAME.onnx`, or
  ///   one `.onnx` file. If not set, the bundled models that `engine.models.names` names.
  /// @param names Models of the repository that become beans; all if empty.
  /// @param settings What is set for single models, by their names:
  ///   `settings.NAME.dimensions.SYMBOL`, `.prepare`, `.max-batch-size`, `.instances`,
  ///   `.bounds.SYMBOL`, `.padding.SYMBOL`, `.precision`.
  public record Models(
      @Nullable Path repository,
      @DefaultValue List<String> names,
      @DefaultValue Map<String, ModelSettings> settings) {
    public Models {
      names = List.copyOf(names);
      settings = Map.copyOf(settings);
    }
  }

  /// The properties `engine.models.settings.NAME.*`.
  ///
  /// @param dimensions Sizes of open dimensions by their symbols, which fixes them at load.
  /// @param prepare Shapes that are compiled before the application is ready, each as the sizes of
  ///   its symbols, with semicolons between shapes: `batch=1,sequence=128; batch=8,sequence=128`. A
  ///   range stands for all its sizes: `sequence=16..512/16`.
  /// @param maxBatchSize Upper limit on its batch, that of all models if not set.
  /// @param instances Requests that are served side by side, as for all models if not set.
  /// @param precision How exactly it is computed, as all models if not set.
  /// @param bounds Largest sizes of open dimensions by their symbols; larger requests are refused,
  ///   and if all have one, a load takes room for the largest.
  /// @param padding Multiples to which open dimensions are filled up with zeros, by their symbols,
  ///   so that few shapes are planned: for models that mask what is padded. Answers may be off by
  ///   1e-3 of the largest value of their output; a model whose answers a trial finds further off
  ///   is refused.
  public record ModelSettings(
      @DefaultValue Map<String, Long> dimensions,
      @DefaultValue("") String prepare,
      @Nullable Integer maxBatchSize,
      @Nullable Integer instances,
      @Nullable Precision precision,
      @DefaultValue Map<String, Long> bounds,
      @DefaultValue Map<String, Long> padding) {
    static final ModelSettings NONE =
        new ModelSettings(Map.of(), "", null, null, null, Map.of(), Map.of());

    public ModelSettings {
      bounds = Map.copyOf(bounds);
      padding = Map.copyOf(padding);
      PreparedShapes.parse(prepare);
    }
  }

  /// The properties `engine.batching.*`.
  ///
  /// @param maxSize Upper limit on the batch of one request; each model gets the largest that fits.
  public record Batching(@DefaultValue("256") int maxSize) {}

  /// The properties `engine.planner.*`.
  ///
  /// @param searchNodes Most decisions of the exact search for the lowest arena of a model, where
  ///   no greedy order reaches the bound; 0 for greedy orders alone.
  /// @param rows Whether batches of small models go through all steps a few rows at a time, each
  ///   worker in memory of its own that its cache holds, each work-group of a GPU in its local
  ///   memory, and whether workers go through the steps of larger models together, with memory for
  ///   a few rows of a batch; if not, each step is a launch that takes the whole batch.
  public record Planner(
      @DefaultValue("20000") int searchNodes, @DefaultValue("true") boolean rows) {}

  /// The properties `engine.loops.*`.
  ///
  /// @param maxIterations Most iterations that all loops of a model may take together for one
  ///   request.
  public record Loops(@DefaultValue("1000000") int maxIterations) {}

  /// The properties `engine.specialisations.*`.
  ///
  /// @param max Most shapes for which a model with open dimensions stays compiled; the one that was
  ///   used longest ago makes room, and gives its bytes back. Its plan stays in the host's memory.
  /// @param warmUp For how many shapes a model with open dimensions is planned in the background
  ///   after its load, for some three seconds at most once its kernels are compiled: so that its
  ///   first requests find kernels, and a JVM that has compiled its own code. 0 leaves that to
  ///   them.
  /// @param planAhead Up to which size a model of one open dimension besides the batch, as texts
  ///   have it, is planned for each size in the background after that, with half of a core: so that
  ///   a first request of such a size waits for no plan. Of a decoder, one of whose open dimensions
  ///   has `past` in its name, that is the size, before one token. Plans take some kilobytes of the
  ///   heap for each step of the model, and end where its 32nd part does. 0 plans none.
  public record Specialisations(
      @DefaultValue("32") int max,
      @DefaultValue("48") int warmUp,
      @DefaultValue("128") int planAhead) {}

  /// The properties `engine.loading.*`. A model that reaches one of them is refused, and the
  /// refusal names it.
  ///
  /// @param maxTime Longest time that reading, importing and planning one model may take.
  /// @param maxWork Most steps, of about a nanosecond each, that importing, folding and planning
  ///   one model may take; the same on every machine.
  /// @param maxMemory Most bytes that loading one model may take from the heap in all, those that
  ///   it gives back included.
  /// @param maxOperations Most operations that a request for one row may take of the device, the
  ///   body of a loop once; a model that takes more is refused.
  public record Loading(
      @DefaultValue("2m") Duration maxTime,
      @DefaultValue("20000000000") long maxWork,
      @DefaultValue("64GB") DataSize maxMemory,
      @DefaultValue("2000000000000") long maxOperations) {}

  /// The properties `engine.cache.*`.
  ///
  /// @param directory Folder for built programs and unpacked models; the user's if not set.
  public record Cache(@Nullable Path directory) {}

  /// The folder for what is kept on disk: the configured one, or the user's cache folder.
  Path cacheDirectory() {
    return Objects.requireNonNullElseGet(cache.directory(), CacheFolder::ofUser);
  }

  /// How the engine is opened.
  EngineOptions engineOptions() {
    return new EngineOptions(
        pool.capacity().toBytes(),
        device.name().toLowerCase(Locale.ROOT),
        opencl.platform(),
        opencl.device(),
        opencl.codegen().name().toLowerCase(Locale.ROOT),
        cacheDirectory(),
        failureChecks,
        Planning.defaults().withSearchNodes(planner.searchNodes()).withRows(planner.rows()),
        new LoadLimits(
            loading.maxTime(),
            loading.maxWork(),
            loading.maxMemory().toBytes(),
            loading.maxOperations()),
        precision);
  }

  /// How a model is loaded.
  LoadOptions loadOptions(String model) {
    ModelSettings own = models.settings().getOrDefault(model, ModelSettings.NONE);
    return new LoadOptions(
            Objects.requireNonNullElse(own.maxBatchSize(), batching.maxSize()),
            Objects.requireNonNullElse(own.instances(), instances),
            own.dimensions(),
            Map.of(),
            Map.of())
        .withMaxIterations(loops.maxIterations())
        .withMaxSpecialisations(specialisations.max())
        .withPrecision(own.precision())
        .withBounds(own.bounds())
        .withPadding(own.padding());
  }

  /// The shapes that a model is compiled for before the application is ready.
  List<Map<String, Long>> preparedShapes(String model) {
    return PreparedShapes.parse(
        models.settings().getOrDefault(model, ModelSettings.NONE).prepare());
  }
}
