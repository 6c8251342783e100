package io.miniinference.service.cli;

import io.miniinference.device.DeviceInfo;
import io.miniinference.runtime.Engine;
import io.miniinference.service.verify.Suite;
import io.miniinference.service.verify.Verdict;
import io.miniinference.service.verify.Verification;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/// `verify`: suites of models in the ONNX test layout, against their expected outputs.
@Command(
    name = "verify",
    description = {
      "Runs models in the ONNX test layout (model.onnx with test_data_set_k or case_k) and compares",
      "their outputs with what is expected: floats may be off by 1e-3 of themselves and 1e-5 of the",
      "output's largest (an index.tsv beside the models may say otherwise), 16-bit ones by two units in",
      "the last place, and one of the largest. Exits with 1 if one fails."
    },
    mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private DeviceOption device = new DeviceOption();

  @Option(names = "--json", description = "one line of JSON on standard output")
  private boolean json;

  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description = "folders or .zip files of NAME/model.onnx, or single models")
  private List<Path> paths = new ArrayList<>();

  @Override
  public Integer call() {
    try (Suite suite = Suite.open(paths);
        Engine engine = device.open()) {
      PrintWriter lines = json ? spec.commandLine().getErr() : spec.commandLine().getOut();
      var progress =
          new VerifyProgress(
              spec.commandLine().getErr(),
              Boolean.getBoolean("mie.progress"),
              suite.size(),
              System::nanoTime);
      Verification result =
          Verification.run(engine, suite, verdict -> tell(verdict, lines, progress));
      progress.erase();
      conclude(result, engine.device(), lines);
      return result.failed().isEmpty() ? CommandLines.OK : CommandLines.FAILED;
    }
  }

  private void tell(Verdict verdict, PrintWriter lines, VerifyProgress progress) {
    if (!verdict.isPassed()) {
      progress.erase();
      lines.println(verdict.name() + ": " + verdict.problem());
      lines.flush();
    }
    if (!json) {
      progress.count(verdict);
    }
  }

  private void conclude(Verification result, DeviceInfo device, PrintWriter lines) {
    if (!result.missing().isEmpty()) {
      lines.println("missing operators, by models that use them:");
      result
          .missing()
          .forEach(missing -> lines.printf("%6d  %s%n", missing.models(), missing.operator()));
    }
    if (json) {
      PrintWriter out = spec.commandLine().getOut();
      out.println(json(result, device));
      out.flush();
    }
    tell(result);
    lines.println("on " + device.name() + " (" + device.kind() + ")");
    lines.println(result.summary());
    lines.flush();
  }

  private void tell(Verification result) {
    int failed = result.failed().size();
    if (failed > 0) {
      spec.commandLine()
          .getErr()
          .printf("mie: %d of %d models failed%n", failed, result.verdicts().size());
    }
  }

  private static String json(Verification result, DeviceInfo device) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("device", device.name());
    root.put("kind", device.kind());
    root.put("passed", result.passedCount());
    root.put("failed", result.failed().size());
    root.put("failures", result.failed());
    root.put("missing", result.missing());
    return JsonMapper.builder().build().writeValueAsString(root);
  }
}
