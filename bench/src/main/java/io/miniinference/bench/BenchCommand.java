package io.miniinference.bench;

import io.miniinference.bench.report.Build;
import io.miniinference.bench.report.FiguresPage;
import io.miniinference.bench.report.Host;
import io.miniinference.bench.report.Results;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.report.TextTable;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.SizeRange;
import io.miniinference.bench.suite.Suite;
import io.miniinference.device.choice.Devices;
import io.miniinference.lower.Precision;
import io.miniinference.runtime.CacheFolder;
import io.miniinference.runtime.EngineOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `bench`: measures, and shows what was measured.
@Command(
    name = "bench",
    description = {
      "Measures the engine, side by side with what a user would pick instead.",
      "With a MODEL.onnx, or a folder with a model.onnx, it measures that model beside ONNX Runtime (on a GPU,",
      "PyTorch) and prints a line for each batch size, of which --batch 1 is the first."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class BenchCommand implements Callable<Integer> {
  /// All is well.
  private static final int OK = 0;

  /// Something that was to be measured is wrong.
  private static final int FAILED = 1;

  /// Which writer makes OpenCL kernels.
  enum Codegen {
    AUTO,
    CPU,
    GPU
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "SUITE|MODEL.onnx",
      description = "suites to run (default: all), see --list; or one model")
  private List<String> names = List.of();

  @Option(names = "--list", description = "show the suites and exit")
  private boolean list;

  @Option(
      names = "--device",
      paramLabel = "auto|opencl|jvm",
      description = "which device; auto is the best there is")
  private Devices.Kind device = Devices.Kind.AUTO;

  @Option(
      names = "--platform",
      paramLabel = "TEXT",
      description = "part of the OpenCL platform's name")
  private @Nullable String platform;

  @Option(
      names = "--precision",
      paramLabel = "f32|direct|tf32|f16|bf16",
      description =
          "how exactly to compute; a peer on a GPU has TF32 where this is tf32, f16 or bf16")
  private Precision precision = Precision.F32;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads of the engine, and of a peer, on a CPU")
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
      description = "size of a dimension that a model leaves open, other than the batch")
  private Map<String, Long> dimensions = new LinkedHashMap<>();

  @Option(names = "--count", paramLabel = "N", description = "random models of suite soundness")
  private int count = Setting.Selection.COUNT;

  @Option(
      names = "--sizes",
      paramLabel = "NAME=FROM..TO[/STEP]",
      description =
          "sizes of an open dimension (multiples of STEP) in the random shapes of suite open; batch is the batch")
  private Map<String, SizeRange> sizes = new LinkedHashMap<>();

  @Option(names = "--shapes", paramLabel = "N", description = "random shapes of suite open")
  private int shapes = Setting.Selection.SHAPES;

  @Option(
      names = "--codegen",
      paramLabel = "auto|cpu|gpu",
      description = "which kernels are written for OpenCL, those for CPUs or those for GPUs")
  private Codegen codegen = Codegen.AUTO;

  @Option(
      names = "--python",
      paramLabel = "PROGRAM",
      description = "a Python with PyTorch, onnx and numpy, the peer on GPUs")
  private String python = "python3";

  @Option(
      names = "--quick",
      description = "tiny slices: shows that all works, the figures mean little")
  private boolean quick;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      arity = "0..1",
      fallbackValue = "-",
      description =
          "write all that was found to a file, too; with a MODEL.onnx, without a file, the lines are one of JSON")
  private @Nullable Path json;

  @Option(
      names = "--readme",
      description =
          "measure nothing: write the figures of bench/results into README.md and docs/figures.md")
  private boolean readme;

  @Option(names = "--root", hidden = true, description = "the folder of the sources")
  private Path root = Path.of(System.getProperty("mie.root", "."));

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (list) {
      Suites.ALL.forEach(this::show);
      return OK;
    }
    if (readme) {
      for (FiguresPage page : FiguresPage.ALL) {
        show(page);
      }
      return OK;
    }
    checkNumbers();
    Optional<Path> file = SingleModel.fileOf(names);
    List<Suite> suites = file.isPresent() ? List.of() : chosen();
    if (Relaunch.isNeeded(threads)) {
      return Relaunch.withThreads(threads, arguments());
    }
    if (file.isPresent()) {
      return measure(file.get());
    }
    return measure(suites).suites().stream().allMatch(suite -> suite.problems().isEmpty())
        ? OK
        : FAILED;
  }

  private void show(FiguresPage page) throws IOException {
    Path file = root.resolve(page.path());
    Path results = root.resolve("bench/results");
    Files.writeString(file, page.withFigures(Files.readString(file), results));
  }

  private void show(Suite suite) {
    spec.commandLine().getOut().printf("%-10s %s%n", suite.name(), suite.description());
  }

  /// Measures one model, a line for each batch size.
  private int measure(Path file) {
    SingleModel.Outcome outcome = SingleModel.measure(file, setting());
    print(Path.of("-").equals(json) ? outcome.json() + "\n" : outcome.text());
    return outcome.isMeasured() ? OK : FAILED;
  }

  private void checkNumbers() {
    if (threads < 1) {
      throw new ParameterException(spec.commandLine(), "--threads is 1 or more, not " + threads);
    }
    if (count < 1) {
      throw new ParameterException(spec.commandLine(), "--count is 1 or more, not " + count);
    }
    if (shapes < 1) {
      throw new ParameterException(spec.commandLine(), "--shapes is 1 or more, not " + shapes);
    }
  }

  private List<Suite> chosen() {
    List<String> known = Suites.ALL.stream().map(Suite::name).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new ParameterException(
            spec.commandLine(), "there is no suite '%s'; there are %s".formatted(name, known));
      }
    }
    return Suites.ALL.stream()
        .filter(suite -> names.isEmpty() || names.contains(suite.name()))
        .toList();
  }

  /// Shows and writes what each suite found as soon as it has, so that a run that is cut short is
  /// not lost.
  private Results measure(List<Suite> suites) throws IOException {
    Setting setting = setting();
    Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Results results = new Results(Build.current(), start, arguments(), Host.current(), List.of());
    print(TextTable.heading(results));
    for (Suite suite : suites) {
      setting.say("suite %s", suite.name());
      Optional<SuiteResult> result = suite.run(setting);
      if (result.isPresent()) {
        results = results.with(result.get());
        print(TextTable.of(result.get()));
        write(results);
      }
    }
    return results;
  }

  private void print(String text) {
    spec.commandLine().getOut().print(text);
    spec.commandLine().getOut().flush();
  }

  private void write(Results results) throws IOException {
    if (json != null && !Path.of("-").equals(json)) {
      Files.writeString(json, results.json());
    }
  }

  private List<String> arguments() {
    return spec.commandLine().getParseResult().originalArgs();
  }

  private Setting setting() {
    Path cache = CacheFolder.ofUser();
    var engine =
        new EngineOptions(
                EngineOptions.defaults(cache).poolBytes(),
                device.name().toLowerCase(Locale.ROOT),
                platform,
                null,
                codegen.name().toLowerCase(Locale.ROOT),
                cache)
            .withPrecision(precision);
    PrintWriter err = spec.commandLine().getErr();
    return new Setting(
        engine,
        new Setting.Selection(models, only, batches, dimensions, count, sizes, shapes),
        threads,
        python,
        quick,
        line -> {
          err.println(line);
          err.flush();
        });
  }
}
