package io.miniinference.service.cli;

import io.miniinference.cost.CostText;
import io.miniinference.cost.Peaks;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.PreparedModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
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

  @Option(
      names = "--pool",
      paramLabel = "SIZE",
      converter = PoolFit.Bytes.class,
      description =
          "a pool such as 256MB: up to which batch it holds the model, and what a load reserves then")
  private @Nullable Long poolBytes;

  @Option(
      names = "--peaks",
      paramLabel = "GFLOPS,GBS",
      split = ",",
      description =
          "what the machine reaches, such as 330,17: 10^9 operations and bytes a second, as"
              + " `bench kernels` measures them; each step gets the bound that they imply")
  private double[] peaks = {};

  @Mixin private SizesOption sizes = new SizesOption();

  @Override
  public Integer call() {
    if (batch < 1) {
      throw new ParameterException(spec.commandLine(), "--batch " + batch + " is not 1 or more");
    }
    checkPeaks();
    OnnxModel read = model.read();
    try (Engine engine = device.open()) {
      PreparedModel prepared = engine.prepare(read, sizes.of(read));
      if (prepared.isSizedByRequests()) {
        show(engine.plan(read, sizes.of(read), batch), null); // which tells what is open
      } else {
        var fit = PoolFit.of(prepared, Objects.requireNonNullElse(poolBytes, PoolFit.DEFAULT));
        int reserved = poolBytes == null ? prepared.largestBatch() : Math.max(1, fit.maxBatch());
        show(prepared.plan(reserved, batch), fit);
      }
    }
    return CommandLines.OK;
  }

  private void show(PlanReport plan, @Nullable PoolFit fit) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? json(plan, fit) + "\n" : plan.text());
    if (!json) {
      out.print(CostText.table(plan.costs(), stated()));
    }
    if (!json && fit != null) {
      out.print(fit.text());
    }
    out.flush();
    Path file = svg;
    if (file != null) {
      write(file, plan.svg());
    }
  }

  private @Nullable Peaks stated() {
    return peaks.length == 0 ? null : new Peaks(peaks[0], peaks[1]);
  }

  private void checkPeaks() {
    boolean positive = Arrays.stream(peaks).allMatch(peak -> peak > 0);
    if (peaks.length != 0 && (peaks.length != 2 || !positive)) {
      throw new ParameterException(
          spec.commandLine(),
          "--peaks takes two numbers above 0, such as 330,17, not " + Arrays.toString(peaks));
    }
  }

  private String json(PlanReport plan, @Nullable PoolFit fit) {
    String line = plan.json().strip();
    return poolBytes == null || fit == null
        ? line
        : line.substring(0, line.length() - 1) + "," + fit.jsonFields() + "}";
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
