package io.miniinference.bench;

import io.miniinference.bench.report.Build;
import io.miniinference.bench.report.FiguresPage;
import io.miniinference.bench.report.Host;
import io.miniinference.bench.report.Results;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
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
    setting.mistake().ifPresent(this::refuse);
    PrintWriter err = spec.commandLine().getErr();
    setting.tell(line -> {
      err.println(line);
      err.flush();
    });
    Optional<Path> file = SingleModel.fileOf(names);
    List<Suite> suites = file.isPresent() ? List.of() : chosen();
    if (Relaunch.isNeeded(setting.threads())) {
      return Relaunch.withThreads(setting.threads(), arguments());
    }
    return (file.isPresent() ? measure(file.get()) : measure(suites))
        ? ExitCode.OK
        : ExitCode.SOFTWARE;
  }

  private void refuse(String mistake) {
    throw new ParameterException(spec.commandLine(), mistake);
  }

  private List<Suite> chosen() {
    List<String> known = Suites.ALL.stream().map(Suite::name).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        refuse("there is no suite '%s'; there are %s".formatted(name, known));
      }
    }
    return Suites.ALL.stream()
        .filter(suite -> names.isEmpty() || names.contains(suite.name()))
        .toList();
  }

  /// Measures one model, a line for each batch size.
  private boolean measure(Path file) {
    SingleModel.Outcome outcome = SingleModel.measure(file, setting);
    print(Path.of("-").equals(json) ? outcome.json() + "\n" : outcome.text());
    return outcome.isMeasured();
  }

  /// Shows and writes what each suite found as soon as it has, so that a run that is cut short is
  /// not lost.
  private boolean measure(List<Suite> suites) throws IOException {
    Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Results results = new Results(Build.current(), start, arguments(), Host.current(), List.of());
    print(results.heading());
    for (Suite suite : suites) {
      setting.say("suite %s", suite.name());
      Optional<SuiteResult> result = suite.run(setting);
      if (result.isPresent()) {
        results = results.with(result.get());
        print(result.get().text());
        write(results);
      }
    }
    return results.suites().stream().allMatch(suite -> suite.problems().isEmpty());
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
}
