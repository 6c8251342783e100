package io.miniinference.ops.control;

import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.BodyDraft;
import io.miniinference.ops.draft.Draft;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.BodyFault;
import io.miniinference.ops.node.BodyImport;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/// ONNX Scan, as a loop over the elements of its scan inputs.
final class ScanRule {
  private final OpContext c;
  private final List<Value> states;
  private final List<Value> scanned;

  ScanRule(OpContext c) {
    this.c = c;
    int first = c.opset() < 9 ? 1 : 0;
    long count = c.attrInt("num_scan_inputs");
    List<Value> all = IntStream.range(first, c.inputs()).mapToObj(c::in).toList();
    if (count < 1 || count > all.size()) {
      throw LoweringFault.of(
          "scans %d inputs, and has %d for states and for scanning".formatted(count, all.size()));
    }
    int split = all.size() - (int) count;
    states = all.subList(0, split);
    scanned = all.subList(split, all.size());
  }

  /// From opset 9 on.
  List<Value> lower() {
    List<Integer> axes = axes("scan_input_axes", BodyDraft.types(scanned));
    Loop loop = new Loop(c, c.draft(), states, scanned);
    List<Value> results = loop.run(axes, reversed("scan_input_directions", scanned.size()));
    List<Value> rows = results.subList(states.size(), results.size());
    List<Boolean> backwards = reversed("scan_output_directions", rows.size());
    List<Integer> places = axes("scan_output_axes", BodyDraft.types(rows));
    List<Value> outputs = new ArrayList<>(results.subList(0, states.size()));
    for (int i = 0; i < rows.size(); i++) {
      Value row = backwards.get(i) ? mirrored(rows.get(i)) : rows.get(i);
      outputs.add(moved(row, places.get(i)));
    }
    return outputs;
  }

  /// Opset 8: axis 0 of states and scan inputs is a batch, whose members are scanned one by one
  /// along axis 1.
  List<Value> lowerWithBatch() {
    states.forEach(ScanRule::requireBatch);
    scanned.forEach(ScanRule::requireBatch);
    Affine batch = scanned.getFirst().type().dim(0);
    requireWholeSequences();
    BodyDraft member = new BodyDraft(c.draft().inner());
    Emitter inside = c.into(member.draft());
    Value number = member.parameter("member", TensorType.of(ElementType.I64));
    List<Value> own = states.stream().map(v -> row(inside, v, number, 0, false)).toList();
    List<Value> rows = scanned.stream().map(v -> row(inside, v, number, 0, false)).toList();
    Loop loop = new Loop(inside, member.draft(), own, rows);
    List<Integer> axes = Collections.nCopies(rows.size(), 0);
    List<Value> results = loop.run(axes, reversed("directions", scanned.size()));
    return CountedLoop.emit(c, member, results, List.of(), batch);
  }

  private static void requireBatch(Value value) {
    if (value.type().rank() == 0) {
      throw LoweringFault.of("has %s, which has no batch axis".formatted(value));
    }
  }

  private void requireWholeSequences() {
    if (!c.has(0)) {
      return;
    }
    Tensor lengths = c.tensor(0);
    Affine extent = scanned.getFirst().type().dim(1);
    if (!Arrays.stream(SmallTensors.integers(lengths)).allMatch(n -> extent.equals(Affine.of(n)))) {
      throw c.unsupported("sequences shorter than the scanned axis");
    }
  }

  /* The loop itself, written into a draft. */
  private final class Loop {
    private final Emitter emitter;
    private final Draft draft;
    private final List<Value> initial;
    private final List<Value> over;

    Loop(Emitter emitter, Draft draft, List<Value> initial, List<Value> over) {
      this.emitter = emitter;
      this.draft = draft;
      this.initial = initial;
      this.over = over;
    }

    /* Final states, then rows along axis 0. */
    List<Value> run(List<Integer> axes, List<Boolean> backwards) {
      BodyImport body = c.bodies().open("body", draft);
      checkCounts(body);
      Emitter inside = c.into(body.draft());
      Value number = body.parameter("iteration", TensorType.of(ElementType.I64));
      for (int i = 0; i < initial.size(); i++) {
        body.parameter(i, initial.get(i));
      }
      for (int i = 0; i < over.size(); i++) {
        Value row = row(inside, over.get(i), number, axes.get(i), backwards.get(i));
        body.bind(initial.size() + i, row);
      }
      body.draft().seal();
      Affine extent = extent(axes);
      List<Value> results;
      try {
        results = body.lower();
      } catch (BodyFault fault) {
        if (fault.isOfValues() && emitter == c && extent.isConstant()) {
          return unrolled(extent.constant(), new Iteration(axes, backwards));
        }
        throw extent.isConstant() ? fault : LoopRule.ofBatch(c, fault);
      }
      checkStates(results.subList(0, initial.size()));
      return CountedLoop.emit(emitter, body, results, initial, extent);
    }

    private List<Value> unrolled(long extent, Unrolling.Iteration kind) {
      Value trips = LoopRule.whole(c, extent);
      return new Unrolling(c, trips, LoopRule.truth(c), kind).run(initial);
    }

    private final class Iteration implements Unrolling.Iteration {
      private final List<Integer> axes;
      private final List<Boolean> backwards;

      Iteration(List<Integer> axes, List<Boolean> backwards) {
        this.axes = axes;
        this.backwards = backwards;
      }

      @Override
      public void bind(BodyImport body, Emitter inside, long number, List<Value> carried) {
        Value place = LoopRule.whole(inside, number);
        for (int i = 0; i < carried.size(); i++) {
          body.bind(i, carried.get(i));
        }
        for (int i = 0; i < over.size(); i++) {
          Value row = row(inside, over.get(i), place, axes.get(i), backwards.get(i));
          body.bind(carried.size() + i, row);
        }
      }

      @Override
      public List<Value> results(Emitter inside, List<Value> outputs) {
        List<Value> results = new ArrayList<>(List.of(LoopRule.truth(inside)));
        results.addAll(outputs);
        return results;
      }
    }

    private void checkCounts(BodyImport body) {
      boolean fits =
          body.inputs() == initial.size() + over.size() && body.outputs() >= initial.size();
      if (!fits || body.outputs() < c.outputs()) {
        throw LoweringFault.of(
            "has %d states, %d scanned inputs and %d outputs, and its body %d inputs and %d outputs"
                .formatted(
                    initial.size(), over.size(), c.outputs(), body.inputs(), body.outputs()));
      }
    }

    private void checkStates(List<Value> after) {
      if (!BodyDraft.types(after).equals(BodyDraft.types(initial))) {
        throw LoweringFault.of(
            "has states of types %s before and %s after an iteration"
                .formatted(BodyDraft.types(initial), BodyDraft.types(after)));
      }
    }

    private Affine extent(List<Integer> axes) {
      Affine extent = over.getFirst().type().dim(axes.getFirst());
      for (int i = 0; i < over.size(); i++) {
        if (!over.get(i).type().dim(axes.get(i)).equals(extent)) {
          throw LoweringFault.of(
              "scans %s along axes %s, which differ in extent"
                  .formatted(BodyDraft.types(over), axes));
        }
      }
      return extent;
    }
  }

  /* Element `number` of `x` along an axis, from the end on if `backwards`. */
  private static Value row(Emitter e, Value x, Value number, int axis, boolean backwards) {
    Affine extent = x.type().dim(axis);
    Expr place = backwards ? sub(sub(Ex.size(extent), const_(1)), arg(1)) : arg(1);
    List<Expr> coordinates = new ArrayList<>();
    List<Affine> shape = new ArrayList<>(x.type().shape());
    shape.remove(axis);
    for (int i = 0; i < shape.size(); i++) {
      coordinates.add(index(i));
    }
    coordinates.add(axis, place);
    return e.compute(at(0, coordinates), shape, x, number);
  }

  /* The other way round along axis 0. */
  private Value mirrored(Value rows) {
    List<Affine> shape = rows.type().shape();
    if (shape.getFirst().isZero()) {
      return rows;
    }
    List<Affine> starts = new ArrayList<>(Collections.nCopies(shape.size(), Affine.ZERO));
    List<Long> steps = new ArrayList<>(Collections.nCopies(shape.size(), 1L));
    starts.set(0, shape.getFirst().minus(Affine.ONE));
    steps.set(0, -1L);
    return c.slice(rows, starts, steps, shape);
  }

  private Value moved(Value rows, int axis) {
    List<Integer> order = new ArrayList<>();
    for (int i = 1; i < rows.type().rank(); i++) {
      order.add(i);
    }
    order.add(axis, 0);
    return c.transpose(rows, order);
  }

  private List<Integer> axes(String attribute, List<TensorType> types) {
    long[] given = c.attrInts(attribute);
    requireCount(attribute, given, types.size());
    List<Integer> axes = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      long axis = given.length == 0 ? 0 : given[i];
      axes.add(OpContext.axis(axis, types.get(i).rank()));
    }
    return axes;
  }

  private List<Boolean> reversed(String attribute, int count) {
    long[] given = c.attrInts(attribute);
    requireCount(attribute, given, count);
    return IntStream.range(0, count).mapToObj(i -> given.length > 0 && given[i] != 0).toList();
  }

  private static void requireCount(String attribute, long[] given, int count) {
    if (given.length != 0 && given.length != count) {
      throw LoweringFault.of(
          "has %d entries in '%s', needs %d".formatted(given.length, attribute, count));
    }
  }
}
