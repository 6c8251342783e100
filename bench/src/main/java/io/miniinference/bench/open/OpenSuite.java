package io.miniinference.bench.open;

import io.miniinference.bench.measure.Ratios;
import io.miniinference.bench.onnxruntime.OnnxRuntime;
import io.miniinference.bench.peer.Peer;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.open.Engines;
import java.util.List;
import java.util.Optional;

/// Models with open sizes in random shapes: right as ONNX Runtime, what the first request of a
/// shape costs more than the next one, what is built for it, and the same shape fixed at load.
public final class OpenSuite implements Suite {
  @Override
  public String name() {
    return "open";
  }

  @Override
  public String description() {
    return "random shapes of models with open sizes (--models, --sizes), beside the same sizes fixed";
  }

  @Override
  public Optional<SuiteResult> run(Setting setting) {
    if (setting.selection().repository() == null) {
      setting.say("no bundled model has an open size but the batch: name others with --models");
      return Optional.empty();
    }
    var findings = new Findings(this, "", setting);
    try (Engine engine = Engines.open(setting.engine())) {
      List<Peer> references = OnnxRuntime.find(setting.threads()).stream().toList();
      var bench = new OpenBench(engine, references, setting, findings);
      for (ModelFile file : ModelFiles.of(setting)) {
        findings.attempt(file.name(), () -> bench.run(file));
      }
      Ratios.summary(FixedBeside.OPEN, FixedBeside.FIXED, findings.comparisons())
          .ifPresent(findings::note);
      return Optional.of(findings.result(MeasuredDevice.of(engine.device())));
    }
  }
}
