package io.miniinference.bench.open;

import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Quantiles;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.models.Plans;
import io.miniinference.bench.peer.Agreement;
import io.miniinference.bench.peer.Peer;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.Setting;
import io.miniinference.device.DriverCalls;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/// Measures models with open sizes, one at a time.
///
/// @param references who else computes the answers; none or one
record OpenBench(Engine engine, List<Peer> references, Setting setting, Findings findings) {
  private static final int FIXED_SHAPES = 6;
  private static final int QUICK_SHAPES = 4;
  private static final double ALMOST_ALL = 0.99;

  void run(ModelFile file) {
    OnnxModel onnx = Plans.read(file);
    LoadOptions options = setting.loadOptions(RandomShapes.mostRows(setting.selection().sizes()));
    long before = usedBytes();
    try (Model model = engine.load(onnx, options)) {
      if (model.specialisations().isEmpty()) {
        setting.say("%s has no open size but the batch", file.name());
        return;
      }
      run(file, model, new FixedBeside(engine, onnx, model, options, setting, findings));
    }
    if (usedBytes() != before) {
      findings.problem(
          "%s: %,d bytes of the pool are in use after it is unloaded, %,d were before"
              .formatted(file.name(), usedBytes(), before));
    }
  }

  private void run(ModelFile file, Model model, FixedBeside fixed) {
    var shapes = new RandomShapes(model.signature(), setting.selection().sizes());
    int count = setting.quick() ? QUICK_SHAPES : setting.selection().shapes();
    setting.say("%s: first request", model.name());
    ShapeRuns first = ShapeRuns.of(model, shapes.middle());
    setting.say("%s: %d shapes", model.name(), count);
    DriverCalls ready = engine.driverCalls();
    List<ShapeRuns> all = new ArrayList<>();
    shapes.of(count).forEach(shape -> asked(model, shape, all));
    DriverCalls after = engine.driverCalls();
    times(model.name(), first, all);
    note(model, ready, after, all.size());
    references.forEach(peer -> compare(peer, file, all));
    all.stream().limit(setting.quick() ? 1 : FIXED_SHAPES).forEach(it -> fixed(fixed, it.shape()));
  }

  private void asked(Model model, RequestShape shape, List<ShapeRuns> to) {
    findings.attempt(
        model.name() + " at " + FixedBeside.text(shape), () -> to.add(ShapeRuns.of(model, shape)));
  }

  private void fixed(FixedBeside fixed, RequestShape shape) {
    findings.attempt(
        fixed.open().name() + " fixed at " + FixedBeside.text(shape), () -> fixed.run(shape));
  }

  private long usedBytes() {
    return engine.pool().statistics().usedBytes();
  }

  private void times(String model, ShapeRuns first, List<ShapeRuns> all) {
    add(model, "first request of all", Spread.exact(first.firstMicros() / 1e3));
    add(model, "first request of a shape", spread(all, ShapeRuns::firstMicros));
    add(model, "the same shape again", spread(all, ShapeRuns::againMicros));
    double[] extra = all.stream().mapToDouble(it -> it.extraMicros() / 1e3).sorted().toArray();
    add(model, "first − again, p99", Spread.exact(Quantiles.at(extra, ALMOST_ALL)));
  }

  private void add(String model, String what, Spread millis) {
    findings.add(model, Parameters.NONE, what, Unit.MILLISECONDS, millis);
  }

  private static Spread spread(List<ShapeRuns> all, ToDoubleFunction<ShapeRuns> micros) {
    return Spread.of(all.stream().mapToDouble(it -> micros.applyAsDouble(it) / 1e3).toArray());
  }

  private void note(Model model, DriverCalls ready, DriverCalls after, int shapes) {
    int kernels = model.specialisations().orElseThrow().kernels();
    long builds = kernels == 0 ? 0 : after.builds() - ready.builds();
    PoolStatistics pool = engine.pool().statistics();
    findings.note(
        String.format(
            Locale.ROOT,
            "%s: %d shapes after the first; %d programs built for them, %d kernels, %d objects of"
                + " the driver made; %,d bytes of the pool in use and %,d held",
            model.name(),
            shapes,
            builds,
            kernels,
            after.allocations() - ready.allocations(),
            pool.usedBytes(),
            pool.heldBytes()));
    if (builds > 0) {
      findings.problem(
          "%s: %d programs were built after the first request".formatted(model.name(), builds));
    }
  }

  private void compare(Peer peer, ModelFile file, List<ShapeRuns> all) {
    double farthest = 0;
    int right = 0;
    for (ShapeRuns ours : all) {
      try (Peer.Runs runs = peer.prepare(file.path(), ours.feed(), ours.outputs())) {
        List<Tensor> theirs = runs.outputs();
        farthest = Math.max(farthest, Agreement.farthest(ours.outputs(), theirs));
        var difference = Agreement.difference(ours.outputs(), theirs, setting.engine().precision());
        right += difference.isEmpty() ? 1 : 0;
        difference.ifPresent(what ->
            findings.problem(
                "%s at %s: %s".formatted(file.name(), FixedBeside.text(ours.shape()), what)));
      }
    }
    findings.note(
        String.format(
            Locale.ROOT,
            "%s: %d of %d shapes as %s, at most %.1e of an output's largest value away",
            file.name(),
            right,
            all.size(),
            peer.name(),
            farthest));
  }
}
