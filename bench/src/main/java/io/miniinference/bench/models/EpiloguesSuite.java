package io.miniinference.bench.models;

import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Ratio;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Runner;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.peer.Agreement;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.peer.Peer;
import io.miniinference.bench.peer.PeerException;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.open.Engines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// What an elementwise operator costs behind a convolution: two convolutions with it, beside the
/// same two with Relu, beside those and then two passes of the operator by itself, and beside a
/// peer.
public final class EpiloguesSuite implements Suite {
  private static final List<String> OURS = List.of("with it", "with Relu", "by itself, twice");
  private static final String APART = "with Relu, and by itself";

  @Override
  public String name() {
    return "epilogues";
  }

  @Override
  public String description() {
    return "two convolutions with an elementwise operator behind each, beside the same with Relu";
  }

  @Override
  public Optional<SuiteResult> run(Setting setting) {
    var findings = new Findings(this, "", setting);
    try (Engine engine = Engines.open(setting.engine());
        Peers peers = Peers.of(engine.device().kind(), setting)) {
      peers.missing().forEach(findings::note);
      List<String> wanted = setting.selection().models();
      for (Activation activation : Activation.all()) {
        if (wanted.isEmpty() || wanted.contains(activation.operator())) {
          setting.say("%s", activation.title());
          var one = new One(engine, peers, setting, findings, activation);
          findings.attempt(activation.title(), one::run);
        }
      }
      return Optional.of(findings.result(MeasuredDevice.of(engine.device())));
    }
  }

  /// One operator.
  private record One(
      Engine engine, Peers peers, Setting setting, Findings findings, Activation activation) {

    void run() {
      Path file = ActivationModel.convolved(activation, peers.folder());
      try (Model with = load(file);
          Model relu = load(ActivationModel.convolved(Activation.RELU, peers.folder()));
          Model alone = load(ActivationModel.alone(activation, peers.folder()))) {
        List<Runner> runners = new ArrayList<>();
        List.of(with, relu, alone).forEach(model -> runners.add(runner(model)));
        List<Peer.Runs> theirs = theirs(file, with);
        try {
          theirs.forEach(runs -> runners.add(runs.runners().getFirst().runner()));
          add(theirs, Rounds.run(runners, Timings.of(engine.device().kind(), setting)));
        } finally {
          theirs.forEach(Peer.Runs::close);
        }
      }
    }

    private Model load(Path file) {
      return engine.load(activation.title(), file, LoadOptions.defaults().withMaxBatch(1));
    }

    private static Runner runner(Model model) {
      return runs(model).runner(Memory.ORDINARY).runner();
    }

    private static EngineRuns runs(Model model) {
      return new EngineRuns(model, Feed.of(model.inputs(), 1));
    }

    /* A peer that has no such operator, or computes something else, is told of and not timed. */
    private List<Peer.Runs> theirs(Path file, Model with) {
      List<Peer.Runs> theirs = new ArrayList<>();
      var outputs = runs(with).outputs(Memory.ORDINARY);
      for (Peer peer : peers.all()) {
        try {
          Peer.Runs runs = peer.prepare(file, Feed.of(with.inputs(), 1), outputs);
          Agreement.difference(outputs, runs.outputs())
              .ifPresentOrElse(what -> tell(peer, what), () -> theirs.add(runs));
        } catch (PeerException e) {
          tell(peer, String.valueOf(e.getMessage()));
        }
      }
      return theirs;
    }

    private void tell(Peer peer, String what) {
      findings.note("%s is not beside %s: %s".formatted(peer.name(), activation.title(), what));
    }

    private void add(List<Peer.Runs> theirs, Rounds rounds) {
      List<String> names = new ArrayList<>(OURS);
      theirs.forEach(runs -> names.add(runs.runners().getFirst().subject()));
      for (int i = 0; i < names.size(); i++) {
        findings.add(
            activation.title(), Parameters.NONE, names.get(i), Unit.MICROSECONDS, rounds.spread(i));
      }
      add(names.get(1), rounds.ratio(0, 1));
      add(APART, Ratio.of(rounds.micros(0), sum(rounds.micros(1), rounds.micros(2))));
      for (int i = OURS.size(); i < names.size(); i++) {
        add(names.get(i), rounds.ratio(0, i));
      }
    }

    private void add(String peer, Ratio ratio) {
      findings.add(activation.title(), Parameters.NONE, OURS.getFirst(), peer, ratio);
    }

    private static double[] sum(double[] a, double[] b) {
      double[] sum = new double[a.length];
      Arrays.setAll(sum, i -> a[i] + b[i]);
      return sum;
    }
  }
}
