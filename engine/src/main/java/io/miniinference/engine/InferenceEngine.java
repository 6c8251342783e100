package io.miniinference.engine;

import io.miniinference.device.DeviceInfo;
import io.miniinference.device.choice.Devices;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.Problem;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.OwnRequestException;
import io.miniinference.runtime.PreparedModel;
import io.miniinference.runtime.open.Engines;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/// One device, one pool of its memory, and the models that are loaded into it. Safe for many
/// threads; a process usually has one.
public final class InferenceEngine implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(InferenceEngine.class.getName());

  private final Engine engine;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /// Held to read by whoever loads, to write by whoever closes.
  private final ReadWriteLock open = new ReentrantReadWriteLock();

  private volatile boolean closed;

  private InferenceEngine(Engine engine) {
    this.engine = engine;
  }

  /// Opens the best device (a GPU, else an OpenCL CPU, else the JVM itself) with a pool of 256 MiB;
  /// built kernels are kept in the user's cache folder.
  ///
  /// @throws io.miniinference.device.DeviceException if the device does not give that much memory
  public static InferenceEngine open() {
    return open(EngineOptions.defaults());
  }

  /// Opens the best device with a pool of that many bytes.
  ///
  /// @throws IllegalArgumentException if no pool has that many bytes
  /// @throws io.miniinference.device.DeviceException if the device does not give that much memory
  public static InferenceEngine open(long poolBytes) {
    return open(EngineOptions.defaults().withPool(poolBytes));
  }

  /// Opens the device that the options choose. Where `auto` finds no OpenCL, a line of the log says
  /// why models run on the JVM, which is several times slower.
  ///
  /// @throws IllegalArgumentException if the options name no kind of device or of kernels that
  ///   there is, or no pool has that many bytes
  /// @throws io.miniinference.device.DeviceException if there is no such device, or it does not
  ///   give that much memory
  public static InferenceEngine open(EngineOptions options) {
    Engine engine = Engines.open(Objects.requireNonNull(options, "options"));
    new Devices(options.cache())
        .whyJvm(Devices.Kind.of(options.device()), engine.device())
        .ifPresent(problem -> LOG.log(System.Logger.Level.WARNING, "{0}", problem));
    return over(engine);
  }

  /// The same over an engine that is open, which closes with this one.
  public static InferenceEngine over(Engine engine) {
    return new InferenceEngine(Objects.requireNonNull(engine, "engine"));
  }

  /// Loads a model for the largest batch up to 256 that leaves half of what is free to others. It
  /// has its file's name without `.onnx`; one that is called `model.onnx` has the name of its
  /// folder, or of the one above where that is a version, as in a model repository.
  ///
  /// @param path an ONNX model, beside which its external data are looked for; or the folder of a
  ///   model, of which the highest version is loaded. Not inside a jar: what lies there is loaded
  ///   [from its bytes][#load(String, byte\[\], LoadOptions)]
  /// @throws ModelException with all problems of the model
  /// @throws LoadRefusedException if it does not fit the pool, with the figures
  /// @throws IllegalStateException if the engine is closed
  public InferenceModel load(Path path) {
    Objects.requireNonNull(path, "path");
    return whileOpen(() -> {
      ModelFile file = file(path);
      PreparedModel model = engine.prepare(file.name(), file.path(), LoadOptions.defaults());
      return loaded(model, Batches.leavingHalf(model, engine.pool().statistics()));
    });
  }

  /// Loads a model for the largest batch that fits, up to that of the options.
  ///
  /// @param name stands in messages
  /// @param path an ONNX model, beside which its external data are looked for; or the folder of a
  ///   model, of which the highest version is loaded. Not inside a jar: what lies there is loaded
  ///   [from its bytes][#load(String, byte\[\], LoadOptions)]
  /// @param options the largest batch, sizes of open dimensions, and the like
  /// @throws ModelException with all problems of the model
  /// @throws LoadRefusedException if it does not fit the pool, with the figures
  /// @throws IllegalStateException if the engine is closed
  public InferenceModel load(String name, Path path, LoadOptions options) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(options, "options");
    return whileOpen(() -> loaded(engine.prepare(name, file(path).path(), options)));
  }

  /// Loads a model that is in memory, such as a resource of a jar, for the largest batch that fits,
  /// up to that of the options.
  ///
  /// @param name stands in messages
  /// @param onnx all of an ONNX model's file, without external data; they must not change while the
  ///   model is loaded
  /// @param options the largest batch, sizes of open dimensions, and the like
  /// @throws ModelException with all problems of the model
  /// @throws LoadRefusedException if it does not fit the pool, with the figures
  /// @throws IllegalStateException if the engine is closed
  public InferenceModel load(String name, byte[] onnx, LoadOptions options) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(onnx, "onnx");
    Objects.requireNonNull(options, "options");
    return whileOpen(() -> {
      OnnxModel read = OnnxReader.read(name, ByteBuffer.wrap(onnx), null, ReadLimits.defaults());
      return loaded(engine.prepare(read, options));
    });
  }

  /// Loads models that share what is free of the pool by the rule of [BatchSharing].
  ///
  /// @return one for each, in their order
  /// @throws ModelException with all problems of the first model that has any
  /// @throws LoadRefusedException if one does not fit the pool, with the figures. None stays loaded
  /// @throws IllegalStateException if the engine is closed
  public List<InferenceModel> load(List<ModelSource> sources) {
    Objects.requireNonNull(sources, "sources");
    return whileOpen(() -> {
      List<PreparedModel> models =
          sources.stream()
              .map(s -> engine.prepare(s.name(), file(s.file()).path(), s.options()))
              .toList();
      PoolStatistics pool = engine.pool().statistics();
      List<BatchSharing.Claim> claims = models.stream().map(BatchSharing.Claim::new).toList();
      return loaded(models, BatchSharing.batches(claims, pool.freeBytes() + pool.heldBytes()));
    });
  }

  /* Of what is given by its path. */
  private static ModelFile file(Path path) {
    ModelFile file = ModelFile.of(path);
    if (path.getFileSystem().provider().getScheme().equals("jar")) {
      throw new ModelException(
          file.name(),
          Problem.of(
              "'%s' lies in the archive %s: give its bytes to load(name, bytes, options)"
                  .formatted(path, path.getFileSystem())));
    }
    if (Files.isDirectory(file.path())) {
      throw new ModelException(
          file.name(),
          Problem.of(
              "there is no model in the folder '%s': it has to hold model.onnx or VERSION/model.onnx"
                  .formatted(path)));
    }
    return file;
  }

  private List<InferenceModel> loaded(List<PreparedModel> models, List<Integer> batches) {
    List<InferenceModel> loaded = new ArrayList<>();
    try {
      for (int i = 0; i < models.size(); i++) {
        loaded.add(loaded(models.get(i), Math.max(1, batches.get(i))));
      }
      return List.copyOf(loaded);
    } catch (RuntimeException e) {
      loaded.forEach(InferenceModel::close);
      throw e;
    }
  }

  private InferenceModel loaded(PreparedModel model) {
    return loaded(model, model.largestBatch());
  }

  private InferenceModel loaded(PreparedModel model, int largest) {
    return new InferenceModel(Batches.load(model, largest), threads, () -> closed);
  }

  /// The device on which the models run.
  public DeviceInfo device() {
    return engine.device();
  }

  /// The engine below, with its pool, its counters and memory plans.
  public Engine runtime() {
    return engine;
  }

  /// What the models run on, as logs and debuggers show it.
  @Override
  public String toString() {
    return "engine on %s (%s)".formatted(device().name(), device().platform());
  }

  private <T> T whileOpen(Supplier<T> work) {
    open.readLock().lock();
    try {
      if (closed) {
        throw new IllegalStateException("the engine is closed: open another one");
      }
      return work.get();
    } finally {
      open.readLock().unlock();
    }
  }

  /// Closes all models after the requests in flight, then gives back the pool and the device. Waits
  /// for models that are being loaded. Requests that wait for an instance fail with an
  /// [IllegalStateException] that says so. Idempotent.
  ///
  /// @throws IllegalStateException if a request's own reader or writer closes it, for which it
  ///   would wait for ever; all stays open
  @Override
  public void close() {
    if (engine.isServingThisThread()) { // before the lock, which one has who waits for this request
      throw OwnRequestException.closing("the engine");
    }
    open.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        engine.close();
        threads.shutdown();
      }
    } finally {
      open.writeLock().unlock();
    }
  }
}
