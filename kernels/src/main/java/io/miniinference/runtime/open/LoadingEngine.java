package io.miniinference.runtime.open;

import io.miniinference.device.Device;
import io.miniinference.device.DeviceInfo;
import io.miniinference.device.DriverCalls;
import io.miniinference.device.KernelBuild;
import io.miniinference.device.choice.Devices;
import io.miniinference.lower.Precision;
import io.miniinference.lower.Target;
import io.miniinference.lower.Targets;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.ops.NeedsSpecialisation;
import io.miniinference.pool.HeldBlocks;
import io.miniinference.pool.MemoryPool;
import io.miniinference.runtime.Closing;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.ModelToLoad;
import io.miniinference.runtime.OwnRequestException;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.PreparedModel;
import io.miniinference.runtime.compile.BoundedLoad;
import io.miniinference.runtime.compile.Compiled;
import io.miniinference.runtime.compile.EngineContext;
import io.miniinference.runtime.load.ModelLoader;
import io.miniinference.runtime.load.PlannedLoad;
import io.miniinference.runtime.load.SharedWeights;
import io.miniinference.runtime.serve.Activity;
import io.miniinference.runtime.specialise.BoundNames;
import io.miniinference.runtime.specialise.SpecialisingLoad;
import io.miniinference.runtime.strings.StringPrefix;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// The engine: opens a device, takes the pool from it, loads models into it.
final class LoadingEngine implements Engine {
  private static final System.Logger LOG = System.getLogger(LoadingEngine.class.getName());

  private final Device device;
  private final MemoryPool pool;
  private final EngineOptions options;
  private final Map<Precision, Target<?>> targets = new ConcurrentHashMap<>();
  private final EngineContext context;
  private final Activity activity = new Activity();
  private final HeldBlocks held;
  private final SharedWeights weights;
  private final List<Model> models = new ArrayList<>();
  private boolean closed;

  private LoadingEngine(Device device, MemoryPool pool, EngineOptions options) {
    this.device = device;
    this.pool = pool;
    this.options = options;
    context = EngineContext.of(options);
    held = new HeldBlocks(pool, pool.capacity());
    weights = new SharedWeights(device, pool);
  }

  static Engine open(EngineOptions options, UnaryOperator<Device> inPlaceOf) {
    Devices devices = new Devices(options.cache());
    Devices.Choice choice =
        new Devices.Choice(
            Devices.Kind.of(options.device()), options.platform(), options.deviceName());
    Device device = inPlaceOf.apply(devices.open(choice));
    try {
      MemoryPool pool = new MemoryPool(options.poolBytes());
      device.openPool(pool.capacity());
      warnUnlessChecked(options);
      var engine = new LoadingEngine(device, pool, options);
      engine.target(options.precision());
      return engine;
    } catch (Throwable e) {
      device.close();
      throw e;
    }
  }

  private static void warnUnlessChecked(EngineOptions options) {
    if (!options.failureChecks()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "UNSAFE: engine.failure-checks is off. Kernels do not check indices and divisors: a bad"
              + " request reads and writes memory of other models and requests, or crashes the"
              + " device, and nobody is told. This is for measurement only; turn it on to serve");
    }
  }

  private Target<?> target(Precision precision) {
    return targets.computeIfAbsent(precision, it -> target(device.info(), options.codegen(), it));
  }

  /* `engine.opencl.codegen` says nothing about other devices. */
  private static Target<?> target(DeviceInfo device, String codegen, Precision precision) {
    Target<?> target = Targets.of(device, device.isOpenCl() ? codegen : Targets.AUTO, precision);
    if (!keeps(precision, device, target)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "precision {0}: {1} has no units or kernels for it, and computes in f32",
          precision.name().toLowerCase(Locale.ROOT),
          device.name());
    }
    return target;
  }

  private static boolean keeps(Precision precision, DeviceInfo device, Target<?> target) {
    return switch (precision) {
      case F32, DIRECT -> true;
      case TF32 -> device.tensorCores();
      case F16, BF16 -> target.storage().isPresent();
    };
  }

  @Override
  public DeviceInfo device() {
    return device.info();
  }

  @Override
  public Precision precision() {
    return options.precision();
  }

  @Override
  public boolean healthy() {
    return device.healthy();
  }

  @Override
  public MemoryPool pool() {
    return pool;
  }

  @Override
  public long planFallbacks() {
    return context.planFallbacks().get();
  }

  @Override
  public DriverCalls driverCalls() {
    return device.driverCalls();
  }

  @Override
  public Optional<KernelBuild> building() {
    return device.building();
  }

  @Override
  public Model load(String name, Path file, LoadOptions options) {
    PreparedModel prepared = prepare(name, file, options);
    return prepared.load(prepared.largestBatch());
  }

  @Override
  public Model load(OnnxModel model, LoadOptions options) {
    PreparedModel prepared = prepare(model, options);
    return prepared.load(prepared.largestBatch());
  }

  @Override
  public PreparedModel prepare(String name, Path file, LoadOptions options) {
    return prepare(name, file, model -> new ModelToLoad(model, options));
  }

  @Override
  public PreparedModel prepare(String name, Path file, Function<OnnxModel, ModelToLoad> reading) {
    return bounded(name)
        .of(() -> {
          ModelToLoad read = reading.apply(OnnxReader.read(name, file, ReadLimits.defaults()));
          return prepared(read.model(), read.options());
        });
  }

  @Override
  public PreparedModel prepare(OnnxModel model, LoadOptions options) {
    return bounded(model.name()).of(() -> prepared(model, options));
  }

  private BoundedLoad bounded(String model) {
    return new BoundedLoad(model, context.options().limits());
  }

  private PreparedModel prepared(OnnxModel model, LoadOptions options) {
    BoundNames.check(model, options);
    return StringPrefix.of(model)
        .map(it -> it.around(preparedAsItIs(it.rest(), it.options(options))))
        .orElseGet(() -> preparedAsItIs(model, options));
  }

  private PreparedModel preparedAsItIs(OnnxModel model, LoadOptions options) {
    ModelLoader loader = loader(options);
    try {
      Compiled compiled = loader.compile(model, options);
      return new PlannedLoad(compiled, options, loader, this::opened);
    } catch (NeedsSpecialisation e) {
      if (!options.inputShapes().isEmpty()) {
        throw e;
      }
      return new SpecialisingLoad(model, options, loader, held, this::opened);
    }
  }

  private Model opened(Model loaded) {
    synchronized (models) {
      models.removeIf(Model::isClosed);
      models.add(loaded);
    }
    return loaded;
  }

  @Override
  public PlanReport plan(OnnxModel model, LoadOptions options, int batch) {
    OnnxModel planned = StringPrefix.of(model).map(StringPrefix::rest).orElse(model);
    return bounded(model.name()).of(() -> loader(options).plan(planned, options, batch));
  }

  private ModelLoader loader(LoadOptions model) {
    Precision precision = Objects.requireNonNullElse(model.precision(), options.precision());
    return new ModelLoader(device, pool, target(precision), context, activity, weights);
  }

  @Override
  public boolean isServingThisThread() {
    synchronized (models) {
      return models.stream().anyMatch(Model::isServingThisThread);
    }
  }

  @Override
  public void close() {
    if (isServingThisThread()) {
      throw OwnRequestException.closing("the engine");
    }
    List<Model> open;
    synchronized (models) {
      if (closed) {
        return;
      }
      closed = true;
      open = List.copyOf(models);
    }
    List<AutoCloseable> parts = new ArrayList<>(open);
    parts.addAll(List.of(held, pool, device));
    Closing.all(parts);
  }
}
