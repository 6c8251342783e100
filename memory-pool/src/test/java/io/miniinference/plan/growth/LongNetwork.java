package io.miniinference.plan.growth;

import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.layout.Movement;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import java.util.ArrayList;
import java.util.List;

/// A network of as many steps as are wanted: units of three branches that a Concat joins, as in
/// Inception, with activations and a residual sum that may work in place, as in ResNet. Greedy
/// orders place it as low as can be.
final class LongNetwork {
  private static final int BRANCHES = 3;
  private static final int CHANNELS = 16;
  private static final int PLANE = 49;
  private static final int FLOAT_BYTES = 4;

  private final List<Block> blocks = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private final int count;

  private LongNetwork(int count) {
    this.count = count;
  }

  /// The network's first `steps` steps.
  static Program of(int steps) {
    return new LongNetwork(steps).program();
  }

  private Program program() {
    Array input = fresh("input", CHANNELS);
    Array last = input;
    while (steps.size() < count) {
      last = unit(last);
    }
    List<Step> first = steps.subList(0, count);
    List<Array> results = first.getLast().writes();
    Body body = new Body("", Body.Kind.ONCE, List.of(input), first, results);
    return new Program("network", body, blocks, List.of());
  }

  private Array unit(Array from) {
    Array active = inPlace("Relu", convolved(from));
    Array joined = fresh("joined" + steps.size(), BRANCHES * CHANNELS);
    List<Array> parts = new ArrayList<>();
    for (int b = 0; b < BRANCHES; b++) {
      Array branch = inPlace("Relu", convolved(active));
      Array part = joined.view(joined.name() + b, channels(joined, b)).orElseThrow();
      add("Copy", Step.Kind.COPY, List.of(branch), part, List.of());
      parts.add(part);
    }
    add("Concat", Step.Kind.VIEW, parts, joined, List.of());
    Array half = joined.view("half" + steps.size(), channels(joined, 1)).orElseThrow();
    add("Slice", Step.Kind.VIEW, List.of(joined), half, List.of());
    Array narrow = convolved(joined);
    Array gate = fresh("gate" + steps.size(), CHANNELS);
    add("Mul", Step.Kind.COMPUTE, List.of(narrow, half), gate, List.of(new Step.InPlace(0, 0)));
    Array sum = fresh("sum" + steps.size(), CHANNELS);
    add("Add", Step.Kind.COMPUTE, List.of(gate, from), sum, List.of(new Step.InPlace(0, 0)));
    return sum;
  }

  private static Movement channels(Array joined, int branch) {
    return Movement.part(
        joined.index().shape(), 1, Affine.of((long) branch * CHANNELS), Affine.of(CHANNELS));
  }

  private Array convolved(Array from) {
    Array made = fresh("conv" + steps.size(), CHANNELS);
    add("Conv", Step.Kind.COMPUTE, List.of(from), made, List.of());
    return made;
  }

  private Array inPlace(String op, Array from) {
    Array made = fresh(op + steps.size(), CHANNELS);
    add(op, Step.Kind.COMPUTE, List.of(from), made, List.of(new Step.InPlace(0, 0)));
    return made;
  }

  private Array fresh(String name, int channels) {
    var shape = List.of(Affine.N, Affine.of(channels), Affine.of(PLANE));
    IndexFunction index = IndexFunction.rowMajor(shape);
    Affine bytes = index.denseElements().times(FLOAT_BYTES);
    Block block = new Block(blocks.size(), name, bytes, Block.Space.ARENA);
    blocks.add(block);
    return new Array(name, block, index, FLOAT_BYTES);
  }

  private void add(
      String op, Step.Kind kind, List<Array> reads, Array written, List<Step.InPlace> inPlace) {
    steps.add(
        new Step(
            steps.size(),
            written.name(),
            op,
            kind,
            reads,
            List.of(written),
            List.of(),
            inPlace,
            List.of()));
  }
}
