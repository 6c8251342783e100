package io.miniinference.bench.measure;

import module io.miniinference.kernels;
import module java.base;

import io.miniinference.device.choice.Devices;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/// What suites are told: the options of `./mie bench` that they share.
public final class Setting {
  @Option(
      names = "--device",
      paramLabel = "auto|gpu|opencl|jvm",
      description = "which device (default: auto, the best there is)")
  private Devices.Kind device = Devices.Kind.AUTO;

  @Option(
      names = "--platform",
      paramLabel = "TEXT",
      description = "part of the OpenCL platform's name")
  private @Nullable String platform;

  @Option(
      names = "--precision",
      paramLabel = "f32|direct|tf32|f16|bf16",
      description = "how exactly to compute, on a GPU the peer, too (default: f32)")
  private Precision precision = Precision.F32;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads of the engine, and of a peer, on a CPU (default: ${DEFAULT-VALUE})")
  private int threads = 2;

  @Option(
      names = "--models",
      paramLabel = "DIR",
      description =
          "a folder of NAME.onnx, NAME/model.onnx or NAME/VERSION/model.onnx (default: the bundled"
              + " models)")
  private @Nullable Path models;

  @Option(names = "--model", paramLabel = "NAME", description = "only these models", split = ",")
  private List<String> only = List.of();

  @Option(names = "--batch", paramLabel = "N", description = "only these batch sizes", split = ",")
  private List<Integer> batches = List.of();

  @Option(
      names = "--dim",
      paramLabel = "NAME=SIZE",
      description =
          "size of a dimension that a model leaves open, other than the batch; of a folder's models,"
              + " for those that have it")
  private Map<String, Long> dimensions = new LinkedHashMap<>();

  @Option(
      names = "--sizes",
      paramLabel = "NAME=FROM..TO[/STEP]",
      description =
          "sizes of an open dimension (multiples of STEP) in the shapes of suite open; batch is the batch")
  private Map<String, SizeRange> sizes = new LinkedHashMap<>();

  @Option(
      names = "--plan-ahead",
      paramLabel = "SIZE",
      description =
          "up to which size suite open plans a model of one open dimension ahead of requests, as a"
              + " service does in the background (default: ${DEFAULT-VALUE}); 0: no shape is planned"
              + " ahead")
  private int planAhead = 128;

  @Option(
      names = "--in-order",
      description =
          "suite open asks for shapes one after the other, each a step larger than the one before,"
              + " as those of a text that is generated, and then for all of them again")
  private boolean inOrder;

  @Option(
      names = "--codegen",
      paramLabel = "auto|cpu|gpu",
      description =
          "which kernels are written for OpenCL, those for CPUs or those for GPUs (default: auto)")
  private String codegen = "auto";

  @Option(
      names = "--python",
      paramLabel = "PROGRAM",
      description =
          "a Python with PyTorch, onnx and numpy, the peer on GPUs (default: ${DEFAULT-VALUE})")
  private String python = "python3";

  @Option(
      names = "--quick",
      description = "tiny slices: shows that all works, the figures mean little")
  private boolean quick;

  @Option(names = "--cache", hidden = true, description = "a folder for built programs")
  private Path cache = CacheFolder.ofUser();

  @Option(names = "--pool", hidden = true, description = "the pool's capacity in bytes")
  private long poolBytes = EngineOptions.defaults(cache).poolBytes();

  /// A command line that reads the options of a command.
  public static CommandLine commandLine(Object command) {
    var line = new CommandLine(command);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.registerConverter(SizeRange.class, SizeRange::of);
    return line;
  }

  /// How an engine is opened; a suite sets the pool's capacity where models need more.
  public EngineOptions engine() {
    String kind = device.name().toLowerCase(Locale.ROOT);
    return new EngineOptions(poolBytes, kind, platform, null, codegen, cache)
        .withPrecision(precision);
  }

  public Precision precision() {
    return precision;
  }

  /// Opens the device alone that the engine would run on.
  public Device openDevice() {
    return new Devices(cache).open(new Devices.Choice(device, platform, null));
  }

  /// What that device is.
  public DeviceInfo device() {
    try (Device opened = openDevice()) {
      return opened.info();
    }
  }

  /// A folder of models; empty for the bundled ones.
  public Optional<Path> folder() {
    return Optional.ofNullable(models);
  }

  /// The newest version of each model that is selected.
  ///
  /// @throws BenchException if there is none, or one is named that is not there
  public List<ModelFile> models() {
    return models(Set.of());
  }

  /// As above, beside models that a suite makes itself, which may be selected, too.
  public List<ModelFile> models(Set<String> made) {
    ModelRepository repository =
        models == null ? BundledModels.unpack(cache) : new ModelRepository(models);
    List<ModelFile> all = repository.models();
    if (all.isEmpty()) {
      throw new BenchException(
          "no models in %s: neither NAME.onnx nor NAME/model.onnx nor NAME/VERSION/model.onnx"
              .formatted(repository.folder()));
    }
    Set<String> known =
        all.stream().map(ModelFile::name).collect(Collectors.toCollection(TreeSet::new));
    known.addAll(made);
    if (!known.containsAll(only)) {
      throw new BenchException("there are the models %s, and not all of %s".formatted(known, only));
    }
    return all.stream().filter(file -> selects(file.name())).toList();
  }

  /// Whether a model, or what stands for one, was not left out.
  public boolean selects(String model) {
    return only.isEmpty() || only.contains(model);
  }

  /// The batch sizes that are selected, or the usual ones; ascending.
  public List<Integer> batches(Integer... usual) {
    return (batches.isEmpty() ? List.of(usual) : batches).stream().sorted().toList();
  }

  /// How a model is loaded to be measured up to a batch size. Of a folder's models, sizes are for
  /// those that have the dimension.
  public LoadOptions loadOptions(OnnxModel model, int maxBatch) {
    Map<String, Long> own = new LinkedHashMap<>(dimensions);
    if (models != null) {
      own.keySet().retainAll(DeclaredTypes.of(model, Map.of()).symbols());
    }
    return LoadOptions.defaults().withMaxBatch(maxBatch).withDimensions(own);
  }

  public Map<String, SizeRange> sizes() {
    return sizes;
  }

  /// Up to which size a model of one open dimension is planned ahead of requests; 0 for no shape of
  /// any model.
  public int planAhead() {
    return planAhead;
  }

  /// Whether shapes grow from request to request.
  public boolean isInOrder() {
    return inOrder;
  }

  public int threads() {
    return threads;
  }

  public String python() {
    return python;
  }

  public boolean isQuick() {
    return quick;
  }
}
