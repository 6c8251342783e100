package io.miniinference.service.cli;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.Engine;
import io.miniinference.service.verify.DataRun;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `run`: one data set through a model.
@Command(
    name = "run",
    description = {
      "Runs one data set (input_i.pb) through a model, writes output_i.pb and report.json,",
      "and prints the report."
    },
    mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ModelArgument model = new ModelArgument();
  @Mixin private DeviceOption device = new DeviceOption();

  @Option(names = "--data", paramLabel = "DIR", required = true, description = "the data set")
  private Path data = Path.of("");

  @Option(names = "--out", paramLabel = "DIR", required = true, description = "where to write")
  private Path out = Path.of("");

  @Override
  public Integer call() {
    Folders.existing(data);
    OnnxModel read = model.read();
    try (Engine engine = device.open()) {
      spec.commandLine().getOut().println(DataRun.run(engine, read, data, out));
    }
    return CommandLines.OK;
  }
}
