package io.miniinference.service.cli;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.PlanReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `plan`: a model's memory plan and its certificate.
@Command(
    name = "plan",
    description = "Shows the memory plan of a model.",
    mixinStandardHelpOptions = true)
final class PlanCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ModelArgument model = new ModelArgument();

  @Mixin private DeviceOption device = new DeviceOption();

  @Option(names = "--json", description = "one line of JSON")
  private boolean json;

  @Option(names = "--svg", paramLabel = "FILE", description = "also draws the plan")
  private @Nullable Path svg;

  @Option(names = "--batch", paramLabel = "N", description = "batch size (default: 1)")
  private int batch = 1;

  @Mixin private SizesOption sizes = new SizesOption();

  @Override
  public Integer call() {
    if (batch < 1) {
      throw new ParameterException(spec.commandLine(), "--batch " + batch + " is not 1 or more");
    }
    OnnxModel read = model.read();
    try (Engine engine = device.open()) {
      show(engine.plan(read, sizes.of(read), batch));
    }
    return CommandLines.OK;
  }

  private void show(PlanReport plan) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? plan.json().strip() + "\n" : plan.text());
    out.flush();
    Path file = svg;
    if (file != null) {
      write(file, plan.svg());
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
