package io.miniinference.bench.models;

import io.miniinference.bench.measure.Entrant;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Ratio;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Timing;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.device.DeviceInfo;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.ActivationModel;
import io.miniinference.testing.TestModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// What an elementwise operator costs behind a convolution: two convolutions with it, beside the
/// same two with Relu, beside those and then two passes of the operator by itself, and beside a
/// peer.
public final class EpiloguesSuite {
  public static final Suite SUITE =
      new Suite(
          "epilogues",
          "two convolutions with an elementwise operator behind each, beside the same with Relu",
          "",
          EpiloguesSuite::measure);

  private EpiloguesSuite() {}

  private static Optional<DeviceInfo> measure(Setting setting, Findings findings) {
    try (Engine engine = Engines.open(setting.engine());
        Peers peers = Peers.of(engine.device().kind(), setting, findings)) {
      Timing timing = Timings.of(engine.device().kind(), setting);
      for (ActivationModel activation : ActivationModel.all()) {
        if (setting.selects(activation.operator())) {
          String title = activation.title();
          setting.say("%s", title);
          ModelFile file = activation.convolved().write(peers.folder().path(), title);
          findings.attempt(title, () -> time(activation, file, engine, peers, timing, findings));
        }
      }
      return Optional.of(engine.device());
    }
  }

  private static void time(
      ActivationModel activation,
      ModelFile file,
      Engine engine,
      Peers peers,
      Timing timing,
      Findings findings) {
    try (Model with = load(engine, activation.convolved());
        Model relu = load(engine, ActivationModel.RELU.convolved());
        Model alone = load(engine, activation.alone())) {
      EngineRuns ours = EngineRuns.of(with, 1);
      peers.beside(
          file,
          ours,
          theirs -> {
            List<Entrant> entrants = new ArrayList<>();
            entrants.add(ours.entrant("with it"));
            entrants.add(EngineRuns.of(relu, 1).entrant("with Relu"));
            entrants.add(EngineRuns.of(alone, 1).entrant("by itself, twice"));
            entrants.addAll(theirs.apply(Memory.ORDINARY));
            Rounds rounds = Rounds.run(entrants, timing);
            findings.add(file.name(), Parameters.NONE, rounds);
            double[] apart = sum(rounds.of(1), rounds.of(2));
            Ratio ratio = Ratio.of(rounds.of(0), apart);
            findings.add(
                file.name(), Parameters.NONE, "with it", "with Relu, and by itself", ratio);
          });
    }
  }

  private static Model load(Engine engine, TestModel model) {
    return engine.load(model.read(), LoadOptions.defaults().withMaxBatch(1));
  }

  private static double[] sum(double[] a, double[] b) {
    double[] sum = new double[a.length];
    Arrays.setAll(sum, i -> a[i] + b[i]);
    return sum;
  }
}
