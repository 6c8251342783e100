package io.miniinference.testing;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.pass.FusionOptions;
import io.miniinference.pass.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;

/// A random model: operators of every kind over values of mixed sizes and types, views, Concats and
/// Scatters, and If, Loop and Scan in one another. The same seed gives the same model.
///
/// @param graph core IR, of every other seed as the passes leave it
/// @param inputs what each input holds
/// @param batches batch sizes to run it at, from 0 up
public record RandomModel(long seed, Graph graph, List<Content> inputs, List<Long> batches) {
  private static final long FOLDED_BYTES = 1 << 20;
  private static final int LARGEST_BATCH = 5;

  /// What operators there may be.
  public enum Domain {
    /// All there are.
    ALL,
    /// Those whose results change little if their operands do, for devices that round otherwise.
    CONTINUOUS
  }

  public static RandomModel of(long seed, Domain domain) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
    Scope scope = new Scope("model" + seed, random, 0);
    List<Content> inputs = new ArrayList<>();
    declare(scope, "x", Content.NORMAL, ElementType.F32, shape(random), inputs);
    declare(scope, "y", Content.NORMAL, ElementType.F32, shape(random), inputs);
    declare(scope, "w", Content.WHOLE, ElementType.F32, List.of(Affine.N, Affine.of(4)), inputs);
    declare(scope, "p", Content.PLACE, ElementType.I64, List.of(Affine.of(3)), inputs);
    declare(scope, "k", Content.PLACE, ElementType.I64, List.of(), inputs);
    new RandomBody(scope, domain).grow(random.nextInt(4, 14));
    Graph graph = scope.build(outputs(scope));
    return new RandomModel(seed, seed % 2 == 0 ? graph : passed(graph), inputs, batches(random));
  }

  private static void declare(
      Scope scope,
      String name,
      Content content,
      ElementType type,
      List<Affine> shape,
      List<Content> inputs) {
    scope.input(name, new TensorType(type, shape));
    inputs.add(content);
  }

  private static List<Affine> shape(Random random) {
    long[] channels = {1, 2, 3, 8, 16, 17};
    long wide = random.nextInt(2, 7);
    long high = random.nextInt(2, 7);
    Affine some = Affine.of(channels[random.nextInt(channels.length)]);
    return switch (random.nextInt(6)) {
      case 0 -> List.of(Affine.N, Affine.of(random.nextInt(1, 40)));
      case 1 -> List.of(Affine.N, some, Affine.of(wide));
      case 2 -> List.of(Affine.of(high), Affine.of(wide));
      default -> List.of(Affine.N, some, Affine.of(high), Affine.of(wide));
    };
  }

  /* The last value, and some of the others. */
  private static List<Value> outputs(Scope scope) {
    List<Value> outputs = new ArrayList<>(List.of(scope.values().getLast()));
    for (int i = scope.random().nextInt(3); i > 0; i--) {
      scope.any(v -> !outputs.contains(v)).ifPresent(outputs::add);
    }
    return outputs;
  }

  private static Graph passed(Graph graph) {
    return Pipeline.standard(
            (node, inputs) -> Optional.of(Interpreter.results(node, inputs, FOLDED_BYTES)),
            FOLDED_BYTES,
            FusionOptions.all())
        .apply(graph);
  }

  private static List<Long> batches(Random random) {
    return LongStream.of(random.nextInt(2, LARGEST_BATCH + 1), random.nextInt(2), random.nextInt(4))
        .boxed()
        .toList();
  }

  /// The inputs at a batch size, always the same.
  public List<Tensor> inputsAt(long batch) {
    Random random = new Random(seed + 31 * batch);
    List<Tensor> tensors = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      TensorType type = graph.inputs().get(i).type();
      tensors.add(inputs.get(i).fill(random, type.element(), type.shapeAt(batch)));
    }
    return tensors;
  }

  @Override
  public String toString() {
    return "model of seed " + seed;
  }
}
