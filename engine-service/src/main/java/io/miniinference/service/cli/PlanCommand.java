package io.miniinference.service.cli;

import io.miniinference.cost.CostText;
import io.miniinference.cost.Peaks;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.Problem;
import io.miniinference.ops.DeclaredTypes;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.PreparedModel;
import io.miniinference.service.catalog.Datatypes;
import io.miniinference.service.verify.WriteProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/// `plan`: a model's memory plan and its certificate.
@Command(
    name = "plan",
    description = {
      "Shows the memory plan of a model; with open sizes, of the largest that bounds allow, or fit."
    },
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
  private @Nullable Integer givenBatch;

  private int batch = 1;

  @Option(
      names = "--pool",
      paramLabel = "SIZE",
      converter = PoolFit.Bytes.class,
      description =
          "a pool such as 256MB: up to which batch it holds the model, and what a load reserves"
              + " then; exit status 1 if it does not hold --batch")
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

  @Option(
      names = "--bound",
      paramLabel = "NAME=V",
      description =
          "largest value of an input symbol other than the batch, for which a load takes room"
              + " (default: the bounds in model.yaml)")
  private Map<String, Long> bounds = new LinkedHashMap<>();

  /// What is planned of a model with open sizes.
  private @Nullable PlannedSizes planned;

  /// Why `serve` refuses the model, which can be planned, and `run`, all the same.
  private List<String> unserved = List.of();

  /// Why the pool that was asked about does not hold the batch, if it does not.
  private Optional<String> refusal = Optional.empty();

  @Override
  public Integer call() {
    batch = Objects.requireNonNullElse(givenBatch, 1);
    if (batch < 1) {
      throw new ParameterException(spec.commandLine(), "--batch " + batch + " is not 1 or more");
    }
    checkPeaks();
    OnnxModel read = model.read();
    unserved = unserved(read);
    BatchChoice.requireOne(read, sizes.dimensions(), givenBatch);
    try (Engine engine = device.open()) {
      LoadOptions options = options(read);
      PreparedModel prepared = engine.prepare(read, options);
      if (prepared.isSizedByRequests()) {
        showLargest(engine, prepared, read, options);
      } else {
        showBound(prepared);
      }
    }
    refusal.ifPresent(why -> spec.commandLine().getErr().println("mie: " + why));
    return refusal.isEmpty() ? CommandLines.OK : CommandLines.FAILED;
  }

  private static List<String> unserved(OnnxModel read) {
    DeclaredTypes declared = DeclaredTypes.of(read, Map.of());
    return Datatypes.of(declared.inputs(), declared.outputs()).stream()
        .map(Problem::toString)
        .toList();
  }

  private LoadOptions options(OnnxModel read) {
    Map<String, Long> all = new TreeMap<>(model.settings().bounds());
    all.putAll(bounds);
    return sizes.of(read).withBounds(all);
  }

  private void showBound(PreparedModel prepared) {
    Map<String, Long> largest = prepared.promisedSizes();
    planned = largest.isEmpty() ? null : new BoundSizes(largest);
    show(prepared);
  }

  private void showLargest(Engine engine, PreparedModel open, OnnxModel read, LoadOptions options) {
    LargestSizes largest =
        LargestSizes.find(engine, open, read, options, pool(), batch).orElse(null);
    planned = largest;
    if (largest == null) {
      show(engine.plan(read, options, batch), null); // which tells what is open
    } else {
      show(largest.model());
    }
  }

  private void show(PreparedModel prepared) {
    PoolFit fit = PoolFit.of(prepared, pool());
    refusal = poolBytes == null ? Optional.empty() : fit.refusal(batch);
    boolean asFits = poolBytes != null || planned != null;
    int reserved = asFits ? Math.max(1, fit.maxBatch()) : prepared.largestBatch();
    show(prepared.plan(reserved, batch), fit);
  }

  private long pool() {
    return Objects.requireNonNullElse(poolBytes, PoolFit.DEFAULT);
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
    if (!json && planned != null) {
      out.print(planned.text());
    }
    if (!json) {
      unserved.forEach(why -> out.println("serve refuses it: " + why));
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
    if (planned != null) {
      line = with(line, planned.jsonFields());
    }
    if (!unserved.isEmpty()) {
      line =
          with(
              line,
              "\"serveRefuses\":" + JsonMapper.builder().build().writeValueAsString(unserved));
    }
    return poolBytes == null || fit == null ? line : with(line, fit.jsonFields());
  }

  private static String with(String object, String fields) {
    return object.substring(0, object.length() - 1) + "," + fields + "}";
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot write '%s': %s".formatted(file, WriteProblem.of(e)), e);
    }
  }
}
