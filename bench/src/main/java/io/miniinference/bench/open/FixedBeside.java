package io.miniinference.bench.open;

import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.models.EngineRuns;
import io.miniinference.bench.models.Plans;
import io.miniinference.bench.models.Timings;
import io.miniinference.bench.peer.Agreement;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.Setting;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestShape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A model with open sizes beside the same with these sizes fixed at load, in turn.
///
/// @param options of both
record FixedBeside(
    Engine engine, OnnxModel onnx, Model open, LoadOptions options, Setting setting, Findings to) {
  static final String OPEN = "open";
  static final String FIXED = "fixed";

  void run(RequestShape shape) {
    Map<String, Long> sizes = new HashMap<>(options.dimensions());
    sizes.putAll(shape.sizes());
    try (Model fixed = engine.load(onnx, options.withDimensions(sizes))) {
      Feed feed = Feed.of(open.inputs(), open.signature().shapes(shape), (int) shape.batch());
      run(new EngineRuns(open, feed), new EngineRuns(fixed, feed), shape);
      arenas(fixed, shape);
    }
  }

  private void run(EngineRuns ours, EngineRuns fixed, RequestShape shape) {
    Optional<String> difference =
        Agreement.difference(ours.outputs(Memory.ORDINARY), fixed.outputs(Memory.ORDINARY));
    if (difference.isPresent()) {
      to.problem("%s at %s: %s".formatted(open.name(), text(shape), difference.get()));
      return;
    }
    Rounds rounds =
        Rounds.run(
            List.of(ours.runner(Memory.ORDINARY).runner(), fixed.runner(Memory.ORDINARY).runner()),
            Timings.ofOneLoad(engine.device().kind(), setting));
    Parameters at = Parameters.of("shape", text(shape));
    to.add(open.name(), at, OPEN, Unit.MICROSECONDS, rounds.spread(0));
    to.add(open.name(), at, FIXED, Unit.MICROSECONDS, rounds.spread(1));
    to.add(open.name(), at, OPEN, FIXED, rounds.ratio(0, 1));
  }

  private void arenas(Model fixed, RequestShape shape) {
    long ours = arenaBytes(open, shape);
    long theirs = arenaBytes(fixed, shape);
    if (ours != theirs) {
      to.note(
          "%s at %s: tensors take %,d bytes, and %,d where sizes are fixed"
              .formatted(open.name(), text(shape), ours, theirs));
    }
  }

  private static long arenaBytes(Model model, RequestShape shape) {
    return Plans.plannedBytes(model.plan((int) shape.batch()));
  }

  static String text(RequestShape shape) {
    var all = new java.util.TreeMap<>(shape.sizes());
    return "%d rows of %s".formatted(shape.batch(), all);
  }
}
