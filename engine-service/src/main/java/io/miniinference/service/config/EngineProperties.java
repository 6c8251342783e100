package io.miniinference.service.config;

import io.miniinference.lower.Precision;
import io.miniinference.runtime.CacheFolder;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/// The properties `engine.*`.
///
/// @param pool the one pool of device memory
/// @param device Which device runs the models: a GPU, else an OpenCL CPU, else the JVM, if `auto`;
///   with `gpu` a GPU, or the start fails. An NVIDIA GPU then runs behind the CUDA driver, with
///   `opencl` behind OpenCL.
/// @param opencl which OpenCL device, and how its kernels are written
/// @param models what is served
/// @param batching how large a batch may be
/// @param instances Requests of one model that are served side by side; 0 lets the engine choose.
/// @param planner how memory is planned
/// @param loops how long loops may go on
/// @param loading what the load of one model may take
/// @param specialisations what is kept of models that are compiled per shape
/// @param failureChecks UNSAFE if off: kernels then use indices and divisors unseen, so that a bad
///   request reads and writes memory of others or crashes the device. For measurement only.
/// @param precision How exactly models of 32-bit floats are computed: `f32`; `direct`, which is
///   `f32` without Winograd's form of convolutions (relative error 1e-5); `tf32`, whose products
///   NVIDIA GPUs compute faster, from operands of 11 significant bits (relative error 5e-4 each);
///   on GPUs `f16` or `bf16`, which store what steps hand to each other, and weights, in 16 bits
///   (11 or 8 significant ones) and sum up in 32. Other devices compute in `f32`.
/// @param queue what may be in flight
/// @param cache what is kept on disk
/// @param http bounds of the REST interface
/// @param repository who may load and unload models while the service runs
/// @param deviceLoss what happens when the device is lost
/// @param inference who may ask for inferences
/// @param metrics names of meters
@Validated
@ConfigurationProperties("engine")
public record EngineProperties(
    @DefaultValue @Valid Pool pool,
    @DefaultValue("auto") @NotNull DeviceKind device,
    @DefaultValue @Valid OpenCl opencl,
    @DefaultValue @Valid Models models,
    @DefaultValue @Valid Batching batching,
    @DefaultValue("0") @Min(0) @Max(64) int instances,
    @DefaultValue @Valid Planner planner,
    @DefaultValue @Valid Loops loops,
    @DefaultValue @Valid Loading loading,
    @DefaultValue @Valid Specialisations specialisations,
    @DefaultValue("true") boolean failureChecks,
    @DefaultValue("f32") @NotNull Precision precision,
    @DefaultValue @Valid Queue queue,
    @DefaultValue @Valid Cache cache,
    @DefaultValue @Valid Http http,
    @DefaultValue @Valid Repository repository,
    @DefaultValue @Valid DeviceLoss deviceLoss,
    @DefaultValue @Valid Inference inference,
    @DefaultValue Metrics metrics) {

  /// The kinds of devices.
  public enum DeviceKind {
    AUTO,
    GPU,
    OPENCL,
    JVM
  }

  /// Who writes OpenCL kernels.
  public enum Codegen {
    AUTO,
    CPU,
    GPU
  }

  /// The properties `engine.pool.*`.
  ///
  /// @param capacity Size of the pool, out of which everything on the device is served.
  public record Pool(@DefaultValue("256MB") @NotNull @SizeRange(min = 256) DataSize capacity) {}

  /// The properties `engine.opencl.*`.
  ///
  /// @param platform Part of the name of the OpenCL platform, any if not set.
  /// @param device Part of the name of the OpenCL device or its number in `./mie devices`, any if
  ///   not set.
  /// @param codegen Which kernels are written, those for CPUs or those for GPUs.
  public record OpenCl(
      @Nullable String platform,
      @Nullable String device,
      @DefaultValue("auto") @NotNull Codegen codegen) {}

  /// The properties `engine.models.*`.
  ///
  /// @param repository Folder of `NAME/VERSION/model.onnx`, `NAME/model.onnx` or `NAME.onnx`, or
  ///   one `.onnx` file; the bundled models if not set.
  /// @param servedName Name of the repository's model where the repository is one model: a file, or
  ///   a folder that holds `model.onnx`, `VERSION/model.onnx` or a single `.onnx` file. Models in
  ///   folders of their own keep their names.
  /// @param names Models of the repository that are served from the start; all if empty, none if
  ///   `none`.
  /// @param required Models without which the service is not ready: `all`, `any` for one of them,
  ///   or names with commas between.
  /// @param settings What is set for single models, by their names:
  ///   `settings.NAME.dimensions.SYMBOL`, `.prepare`, `.max-batch-size`, `.instances`, `.required`,
  ///   `.versions`, `.max-delay`, `.priority`, `.bounds.SYMBOL`, `.padding.SYMBOL`, `.precision`,
  ///   `.labels.OUTPUT`; a `model.yaml` beside the model may say the same.
  public record Models(
      @Nullable Path repository,
      @Nullable @Pattern(regexp = "[^/\\\\\\p{Cntrl}]{1,255}") String servedName,
      @DefaultValue List<String> names,
      @DefaultValue("all") @NotEmpty List<String> required,
      @DefaultValue Map<String, @Valid ModelSettings> settings) {
    private static final String ALL = "all";
    private static final String ANY = "any";
    private static final List<String> NONE = List.of("none");

    public Models {
      names = List.copyOf(names);
      required = List.copyOf(required);
      settings = Map.copyOf(settings);
    }

    /// Whether a model is served from the start if the repository has it.
    public boolean isNamed(String model) {
      return names.isEmpty() || !isNoneNamed() && names.contains(model);
    }

    /// Whether no model is served from the start, whatever the repository has.
    public boolean isNoneNamed() {
      return names.equals(NONE);
    }

    /// Whether the service is not ready without a model.
    public boolean isRequired(String model) {
      Boolean own = settingsOf(model).required();
      return own == null ? required.contains(model) || required.contains(ALL) : own;
    }

    /// Whether a model is required by itself, and not as one of all.
    public boolean isRequiredByName(String model) {
      return Boolean.TRUE.equals(settingsOf(model).required()) || required.contains(model);
    }

    /// Whether one model, whichever, is enough.
    public boolean isAnyEnough() {
      return required.contains(ANY);
    }

    /// The names that are required.
    public List<String> requiredNames() {
      return required.stream().filter(name -> !name.equals(ALL) && !name.equals(ANY)).toList();
    }

    /// The settings of a model.
    public ModelSettings settingsOf(String model) {
      return settings.getOrDefault(model, ModelSettings.none());
    }
  }

  /// The properties `engine.batching.*`.
  ///
  /// @param maxSize Upper limit on the batch of one request and of requests that run together; each
  ///   model gets the largest that fits.
  /// @param enabled Whether requests of a model whose rows are apart run together while the device
  ///   is busy.
  /// @param maxDelay How long a request may wait for others while the model is busy; a request that
  ///   finds its model idle never waits.
  public record Batching(
      @DefaultValue("256") @Min(1) @Max(65_536) int maxSize,
      @DefaultValue("true") boolean enabled,
      @DefaultValue("0ms") @NotNull @DurationMin Duration maxDelay) {}

  /// The properties `engine.planner.*`.
  ///
  /// @param searchNodes Most decisions of the exact search for the lowest arena of a model, where
  ///   no greedy order reaches the bound; 0 for greedy orders alone.
  /// @param rows Whether batches of small models go through all steps a few rows at a time, each
  ///   worker in memory of its own that its cache holds, each work-group of a GPU in its local
  ///   memory, and whether workers go through the steps of larger models together, with memory for
  ///   a few rows of a batch; if not, each step is a launch that takes the whole batch.
  public record Planner(
      @DefaultValue("20000") @Min(0) int searchNodes, @DefaultValue("true") boolean rows) {}

  /// The properties `engine.loops.*`.
  ///
  /// @param maxIterations Most iterations that all loops of a model may take together for one
  ///   request; one that asks for more is refused with status 400.
  public record Loops(@DefaultValue("1000000") @Min(1) int maxIterations) {}

  /// The properties `engine.loading.*`. A model that reaches one of them is refused, and the
  /// refusal names it; the others are served.
  ///
  /// @param maxTime Longest time that reading, importing and planning one model may take.
  /// @param maxWork Most steps, of about a nanosecond each, that importing, folding and planning
  ///   one model may take; the same on every machine.
  /// @param maxMemory Most bytes that loading one model may take from the heap in all, those that
  ///   it gives back included.
  /// @param maxOperations Most operations that a request for one row may take of the device, the
  ///   body of a loop once; a model that takes more is refused.
  public record Loading(
      @DefaultValue("2m") @NotNull @DurationMin(millis = 1) Duration maxTime,
      @DefaultValue("20000000000") @Min(1) long maxWork,
      @DefaultValue("64GB") @NotNull @SizeRange(min = 1) DataSize maxMemory,
      @DefaultValue("2000000000000") @Min(1) long maxOperations) {}

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
      @DefaultValue("32") @Min(1) @Max(65_536) int max,
      @DefaultValue("48") @Min(0) @Max(4_096) int warmUp,
      @DefaultValue("128") @Min(0) @Max(65_536) int planAhead) {}

  /// The properties `engine.queue.*`.
  ///
  /// @param maxRequests Most inference requests in flight; others are refused with `full-status`.
  /// @param maxRequestsPerModel Most inference requests of one model in flight.
  /// @param maxWait Longest that a request is expected to wait for those of its model that are in
  ///   flight, as fast as they are answered; others are refused with `full-status`. Of 64 in flight
  ///   none is refused for it. 0 for any time.
  /// @param maxBytes Most bytes of request bodies in flight; others are refused with `full-status`.
  ///   From 16 MB on, a sixteenth is for bodies of 64 KB at most.
  /// @param maxBytesPerModel Most bytes of request bodies of one model in flight.
  /// @param fullStatus Status of refused requests, with `Retry-After`: 503 or 429.
  public record Queue(
      @DefaultValue("1024") @Min(1) int maxRequests,
      @DefaultValue("1024") @Min(1) int maxRequestsPerModel,
      @DefaultValue("500ms") @NotNull @DurationMin Duration maxWait,
      @DefaultValue("256MB") @NotNull @SizeRange(min = 1) DataSize maxBytes,
      @DefaultValue("256MB") @NotNull @SizeRange(min = 1) DataSize maxBytesPerModel,
      @DefaultValue("503") int fullStatus) {
    public Queue {
      if (fullStatus != 503 && fullStatus != 429) {
        throw new IllegalArgumentException("full-status is " + fullStatus + ", not 503 or 429");
      }
    }
  }

  /// The properties `engine.cache.*`.
  ///
  /// @param directory Folder for built programs and unpacked models.
  public record Cache(@Nullable Path directory) {}

  /// The properties `engine.http.*`.
  ///
  /// @param maxBodySize Largest body of an inference request, as sent and decompressed; and most
  ///   bytes that the strings of an answer may take.
  /// @param bodyTimeout Longest time that a body, or the message of a gRPC call, may take; status
  ///   408 after it, over gRPC `DEADLINE_EXCEEDED`.
  /// @param bodyMinRate Least bytes a second at which a body must come after its first five
  ///   seconds; status 408 if it comes slower.
  /// @param maxConnectionsPerAddress Most connections that clients of one address may have open at
  ///   once, 0 for any number; a further one is closed. A proxy in between is one address.
  /// @param refusedPause Longest that a connection waits until it is read on which, in a flood, a
  ///   client asks again at once although it was refused; a quarter of it the first time. 0 for not
  ///   at all.
  /// @param drainTime When the service ends, how long open connections may take to leave: each is
  ///   told to close with its next answer.
  /// @param allowedOrigins Origins of web pages whose scripts browsers let ask over REST, such as
  ///   `https://app.example.com`; `*` for all. If empty, browsers keep the answers from pages of
  ///   other origins.
  public record Http(
      @DefaultValue("64MB") @NotNull @SizeRange(min = 1, max = 256L << 20) DataSize maxBodySize,
      @DefaultValue("60s") @NotNull @DurationMin(millis = 1) Duration bodyTimeout,
      @DefaultValue("4KB") @NotNull @SizeRange(min = 0) DataSize bodyMinRate,
      @DefaultValue("0") @Min(0) int maxConnectionsPerAddress,
      @DefaultValue("8s") @NotNull @DurationMin Duration refusedPause,
      @DefaultValue("2s") @NotNull @DurationMin Duration drainTime,
      @DefaultValue
          List<@Pattern(regexp = ORIGIN, message = "is no origin: " + WRITE) String>
              allowedOrigins) {
    private static final String ORIGIN = "\\*|https?://[^/\\s*]+";
    private static final String WRITE = "write 'https://HOST', 'https://HOST:PORT' or '*'";

    public Http {
      allowedOrigins = List.copyOf(allowedOrigins);
    }
  }

  /// The properties `engine.device-loss.*`.
  ///
  /// @param livenessAfter How long the service tries to open a lost device anew before it says that
  ///   it is not alive, so that it is started anew.
  public record DeviceLoss(@DefaultValue("60s") @NotNull @DurationMin Duration livenessAfter) {}

  /// The properties `engine.metrics.*`.
  ///
  /// @param tritonNames Whether models, GPUs, processors and memory are measured under the names of
  ///   Triton's metrics (`nv_inference_…`, `nv_gpu_…`, `nv_cpu_…`), too, so that its dashboards
  ///   work.
  public record Metrics(@DefaultValue("false") boolean tritonNames) {}

  /// The properties `engine.inference.*`.
  ///
  /// @param token Secret that clients send as `authorization: Bearer TOKEN` with each inference,
  ///   over HTTP and gRPC; without it whoever reaches the service may ask.
  public record Inference(@Nullable @Size(min = 1) String token) {

    /// Without the secret.
    @Override
    public String toString() {
      return "Inference[token=" + (token == null ? "none" : "set") + "]";
    }
  }

  /// The properties `engine.repository.*`.
  ///
  /// @param token Secret that clients send as `authorization: Bearer TOKEN` to load and unload
  ///   models; without it models are loaded at start alone.
  /// @param poll How often the repository is looked at for versions that came, changed or went; not
  ///   at all if not set.
  /// @param unsafeWithoutToken UNSAFE if on: whoever reaches the service may load and unload
  ///   models.
  public record Repository(
      @Nullable @Size(min = 1) String token,
      @Nullable @DurationMin(millis = 100) Duration poll,
      @DefaultValue("false") boolean unsafeWithoutToken) {

    /// Whether models are loaded and unloaded while the service runs.
    public boolean isOpen() {
      return token != null || unsafeWithoutToken;
    }

    /// Whether models may come while the service runs, over the API or into the repository.
    public boolean mayBringModels() {
      return isOpen() || poll != null;
    }

    /// Without the secret.
    @Override
    public String toString() {
      return "Repository[open=" + isOpen() + "]";
    }
  }

  /// The folder for what is kept on disk: the configured one, or the user's cache folder.
  public Path cacheDirectory() {
    Path configured = cache.directory();
    return configured == null ? CacheFolder.ofUser() : configured;
  }
}
