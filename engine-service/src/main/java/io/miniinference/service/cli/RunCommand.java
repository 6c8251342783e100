package io.miniinference.service.cli;

import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.service.tensors.TopScores;
import io.miniinference.service.verify.DataRun;
import io.miniinference.service.verify.ModelRun;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `run`: a model, once.
@Command(
    name = "run",
    description = {
      "Runs a model once and prints its outputs: with random inputs, with files for inputs (--input),",
      "or with a data set of the ONNX test layout (--data). Exits with 1 if a row fails."
    },
    mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ModelArgument model = new ModelArgument();
  @Mixin private DeviceOption device = new DeviceOption();
  @Mixin private InputOptions inputs = new InputOptions();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "a data set, input_0.pb and so on, for all inputs")
  private @Nullable Path data;

  @Option(
      names = "--top",
      paramLabel = "K",
      description = "of each output only the K largest scores along its last axis")
  private @Nullable Integer top;

  @Option(
      names = "--labels",
      paramLabel = "FILE",
      description = "names of the classes that --top shows, one a line")
  private @Nullable Path labels;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "writes output_0.pb and so on and report.json, and prints that report instead")
  private @Nullable Path out;

  @Option(names = "--json", description = "one line of JSON, with all elements")
  private boolean json;

  @Override
  public Integer call() {
    Path folder = data;
    TopScores scores = scores();
    if (folder != null) {
      Folders.existing(folder);
    }
    OnnxModel read = model.read();
    InputOptions.Given given = inputs.of(read);
    if (folder != null && inputs.isAny()) {
      throw new IllegalArgumentException("--data gives all inputs: leave out --input and --batch");
    }
    try (Engine engine = device.open()) {
      String name = engine.device().name() + " (" + engine.device().kind() + ")";
      return folder == null
          ? ofInputs(engine, read, given, name, scores)
          : ofData(engine, read, DataRun.inputs(read, folder), name, scores);
    }
  }

  private @Nullable TopScores scores() {
    Integer count = top;
    if (count == null) {
      if (labels != null) {
        throw new IllegalArgumentException("--labels names what --top shows: add --top 5");
      }
      return null;
    }
    if (count < 1) {
      throw new IllegalArgumentException("--top " + count + " is not 1 or more");
    }
    return new TopScores(count, labels == null ? List.of() : TopScores.labelsOf(labels));
  }

  private int ofInputs(
      Engine engine,
      OnnxModel read,
      InputOptions.Given given,
      String device,
      @Nullable TopScores scores) {
    LoadOptions options =
        LoadOptions.defaults().withDimensions(inputs.dimensions()).withMaxBatch(given.rows());
    try (Model loaded = engine.load(read, options)) {
      return run(loaded, given.tensors(loaded.signature()), given::origin, device, scores);
    }
  }

  private int ofData(
      Engine engine,
      OnnxModel read,
      Map<String, Tensor> tensors,
      String device,
      @Nullable TopScores scores) {
    return DataRun.withModel(
        engine,
        read,
        tensors,
        loaded -> run(loaded, tensors, _ -> "of the data set", device, scores));
  }

  private int run(
      Model loaded,
      Map<String, Tensor> tensors,
      UnaryOperator<String> origin,
      String device,
      @Nullable TopScores scores) {
    long start = System.nanoTime();
    ModelRun run = ModelRun.of(loaded, tensors);
    long nanos = System.nanoTime() - start;
    PrintWriter lines = spec.commandLine().getOut();
    Path folder = out;
    if (folder != null) {
      lines.println(DataRun.write(loaded, tensors, run, folder));
      return CommandLines.OK;
    }
    var report = new RunReport(device, loaded, tensors, origin, run, nanos, scores);
    if (json) {
      lines.println(report.json());
    } else {
      report.print(lines);
    }
    lines.flush();
    return tell(run.failures());
  }

  private int tell(List<FailureReport> failures) {
    failures.forEach(failure -> spec.commandLine().getErr().println("mie: " + failure.message()));
    return failures.isEmpty() ? CommandLines.OK : CommandLines.FAILED;
  }
}
