package io.miniinference.bench;

import module java.base;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Build;
import io.miniinference.bench.measure.FiguresPage;
import io.miniinference.bench.measure.Host;
import io.miniinference.bench.measure.Results;
import io.miniinference.bench.measure.Setting;
import io.miniinference.bench.measure.Suite;
import io.miniinference.bench.measure.SuiteResult;
import io.miniinference.repository.ModelFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/// The program `./mie bench`: measures, and shows what was measured.
@Command(
    name = "bench",
    description = {
      "Measures the engine, side by side with what a user would pick instead.",
      "With a MODEL.onnx, or a folder with a model.onnx, it measures that model beside ONNX Runtime (on a GPU,",
      "PyTorch) and prints a line for each batch size, of which --batch 1 is the first."
    },
    mixinStandardHelpOptions = true)
public final class Bench implements Callable<Integer> {
  private static final Path STANDARD_OUTPUT = Path.of("-");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "SUITE|MODEL.onnx",
      description = "suites to run (default: all), see --list; or one model")
  private List<String> names = List.of();

  @Option(names = "--list", description = "show the suites and exit")
  private boolean list;

  @Mixin private Setting setting = new Setting();

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

  private Bench() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return Setting.commandLine(new Bench())
        .setExecutionExceptionHandler(Bench::failed)
        .setParameterExceptionHandler(Bench::wrongUse);
  }

  /* A stack trace only of what was not expected. */
  private static int failed(Exception failure, CommandLine line, ParseResult parsed) {
    if (failure instanceof IllegalArgumentException) {
      line.getErr().println("mie: " + failure.getMessage());
      return ExitCode.USAGE;
    }
    if (BenchException.isOurs(failure)) {
      line.getErr().println("mie: " + failure.getMessage());
    } else {
      failure.printStackTrace(line.getErr());
    }
    return ExitCode.SOFTWARE;
  }

  /* The error comes last, where it is seen. */
  private static int wrongUse(ParameterException error, String[] args) {
    CommandLine line = error.getCommandLine();
    line.getErr().println("usage: " + line.getHelp().synopsis(0).strip());
    line.getErr().println("mie: " + error.getMessage());
    return ExitCode.USAGE;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (list) {
      Suites.ALL.forEach(suite -> print("%-10s %s\n".formatted(suite.name(), suite.description())));
      return ExitCode.OK;
    }
    if (readme) {
      for (FiguresPage page : FiguresPage.ALL) {
        page.write(root);
      }
      return ExitCode.OK;
    }
    requireCounts();
    Optional<ModelFile> file = SingleModel.fileOf(names);
    List<Suite> suites = file.isPresent() ? List.of() : chosen();
    if (Relaunch.isNeeded(setting.threads())) {
      return Relaunch.withThreads(setting.threads(), arguments());
    }
    return (file.isPresent() ? measure(file.get()) : measure(suites))
        ? ExitCode.OK
        : ExitCode.SOFTWARE;
  }

  private void requireCounts() {
    if (setting.threads() < 1) {
      refuse("--threads is 1 or more, not " + setting.threads());
    }
    for (int batch : setting.batches()) {
      if (batch < 1) {
        refuse("--batch is 1 or more, not " + batch);
      }
    }
  }

  private void refuse(String mistake) {
    throw new ParameterException(spec.commandLine(), mistake);
  }

  private List<Suite> chosen() {
    List<String> known = Suites.ALL.stream().map(Suite::name).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        refuse(
            "there is no suite '%s'; there are %s, and a model is a .onnx file or a folder with one"
                .formatted(name, known));
      }
    }
    return Suites.ALL.stream()
        .filter(suite -> names.isEmpty() || names.contains(suite.name()))
        .toList();
  }

  /// Measures one model, a line for each batch size.
  private boolean measure(ModelFile file) {
    SingleModel model = SingleModel.measure(file, setting, this::tell);
    print(STANDARD_OUTPUT.equals(json) ? model.json() + "\n" : model.text());
    return model.isMeasured();
  }

  /// Shows and writes what each suite found as soon as it has, so that a run that is cut short is
  /// not lost.
  private boolean measure(List<Suite> suites) throws IOException {
    Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Results results = new Results(Build.current(), start, arguments(), Host.current(), List.of());
    print(results.heading());
    for (Suite suite : suites) {
      tell("bench: suite " + suite.name());
      Optional<SuiteResult> result = suite.run(setting, this::tell);
      if (result.isPresent()) {
        results = results.with(result.get());
        print(result.get().text());
        if (json != null && !json.equals(STANDARD_OUTPUT)) {
          Files.writeString(json, results.json());
        }
      }
    }
    return results.suites().stream().allMatch(suite -> suite.problems().isEmpty());
  }

  private void tell(String progress) {
    spec.commandLine().getErr().println(progress);
  }

  /* With a format, since a bare text would not be flushed. */
  private void print(String text) {
    spec.commandLine().getOut().printf("%s", text);
  }

  private List<String> arguments() {
    return spec.commandLine().getParseResult().originalArgs();
  }
}
