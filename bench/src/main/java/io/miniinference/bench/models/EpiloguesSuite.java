package io.miniinference.bench.models;

import module io.miniinference.kernels;
import module io.miniinference.testing;
import module java.base;

import io.miniinference.bench.measure.Findings;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Ratio;
import io.miniinference.bench.measure.Timing;
import io.miniinference.bench.measure.Unit;

/// What an elementwise operator costs behind a convolution: two convolutions with it, beside the
/// same two with Relu, beside those and then two passes of the operator by itself, and beside a
/// peer.
public final class EpiloguesSuite {
  private EpiloguesSuite() {}

  public static void measure(Findings findings) {
    try (Engine engine = Engines.open(findings.setting().engine());
        Peers peers = Peers.of(engine.device().kind(), findings)) {
      findings.on(engine.device(), "");
      for (ActivationModel activation : ActivationModel.all()) {
        if (findings.setting().selects(activation.operator())) {
          String title = activation.title();
          findings.say("%s", title);
          findings.attempt(title, () -> time(activation, engine, peers, findings));
        }
      }
    }
  }

  private static void time(
      ActivationModel activation, Engine engine, Peers peers, Findings findings) {
    ModelFile file = activation.convolved().write(findings.folder(), activation.title());
    Timing timing = Timings.of(engine, findings).alone();
    try (EngineRuns with = runs("with it", activation.convolved(), engine);
        EngineRuns relu = runs("with Relu", ActivationModel.RELU.convolved(), engine);
        EngineRuns alone = runs("by itself, twice", activation.alone(), engine)) {
      List<EngineRuns> ours = List.of(with, relu, alone);
      List<Memory> memories = List.of(Memory.ORDINARY);
      peers
          .race(file, activation.convolved().read(), ours, memories, timing)
          .forEach((_, rounds) -> {
            findings.add(file.name(), Parameters.NONE, Unit.MICROSECONDS, rounds);
            double[] apart = rounds.of(1);
            Arrays.setAll(apart, i -> apart[i] + rounds.of(2)[i]);
            Ratio ratio = Ratio.of(rounds.of(0), apart);
            String peer = "with Relu, and by itself";
            findings.add(file.name(), Parameters.NONE, with.subject(), peer, ratio);
          });
    }
  }

  private static EngineRuns runs(String subject, TestModel model, Engine engine) {
    LoadOptions options = LoadOptions.defaults().withMaxBatch(1);
    return EngineRuns.of(subject, engine.load(model.read(), options), 1);
  }
}
