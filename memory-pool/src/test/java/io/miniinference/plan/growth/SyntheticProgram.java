package io.miniinference.plan.growth;

import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A long program of tensors of a thousand sizes, which needs the exact search.
final class SyntheticProgram {
  private static final long SEED = 1_000;
  private static final int NEAR = 8;
  private static final int MOST_ELEMENTS = 4_096;
  private static final int FLOAT_BYTES = 4;

  private SyntheticProgram() {}

  /// Steps that each read up to three of the values before them and write one of a size of its own,
  /// per row of the batch; always the same.
  static Program of(int steps) {
    var random = new Random(SEED);
    List<Array> values = new ArrayList<>(List.of(value(0, random)));
    List<Step> body = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      List<Array> reads = new ArrayList<>(List.of(values.getLast()));
      for (int more = random.nextInt(3); more > 0; more--) {
        reads.add(values.get(Math.max(0, values.size() - 1 - random.nextInt(NEAR))));
      }
      Array written = value(i + 1, random);
      body.add(step(i, reads, written));
      values.add(written);
    }
    return new Program(
        "synthetic",
        new Body("", Body.Kind.ONCE, List.of(values.getFirst()), body, List.of(values.getLast())),
        values.stream().map(Array::block).toList(),
        List.of());
  }

  private static Array value(int id, Random random) {
    var shape = List.of(Affine.N, Affine.of(1 + random.nextInt(MOST_ELEMENTS)));
    IndexFunction index = IndexFunction.rowMajor(shape);
    String name = "v" + id;
    Affine bytes = index.denseElements().times(FLOAT_BYTES);
    return new Array(name, new Block(id, name, bytes, Block.Space.ARENA), index, FLOAT_BYTES);
  }

  private static Step step(int number, List<Array> reads, Array written) {
    return new Step(
        number,
        written.name(),
        "Conv",
        Step.Kind.COMPUTE,
        reads,
        List.of(written),
        List.of(),
        List.of(),
        List.of());
  }
}
