package io.miniinference.interp;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.memory.TensorView;
import io.miniinference.interp.plain.Lines;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ir.build.GraphBuilder;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// TopK against a sort of each row by Java's own, over random shapes, types and ties.
class TopKTest {
  private static final double[] EDGES = {
    Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 0.0, 1, -1, 3
  };

  @Test
  void itIsTheStartOfASortedRowInEachType() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 400; round++) {
      ElementType type = ElementType.values()[random.nextInt(ElementType.values().length)];
      if (type != ElementType.BOOL) {
        holds(type, random, "seed " + seed + ", round " + round + ", " + type);
      }
    }
  }

  private static void holds(ElementType type, Random random, String where) {
    int rank = random.nextInt(1, 4);
    long[] shape = IntStream.range(0, rank).mapToLong(_ -> random.nextInt(0, 9)).toArray();
    int axis = random.nextInt(rank);
    shape[axis] = random.nextInt(40);
    Tensor x = tied(random, type, shape);
    var op = new Op.TopK(axis, random.nextLong(shape[axis] + 1), random.nextBoolean());
    List<Tensor> got = run(op, x);
    Lines rows = new Lines(shape, List.of(axis));
    long count =
        IntStream.range(0, rank)
            .filter(i -> i != axis)
            .mapToLong(i -> shape[i])
            .reduce(1, (a, b) -> a * b);
    for (long row = 0; row < count; row++) {
      List<Integer> places = sorted(x, rows.start(row), axis, op.largest());
      for (int j = 0; j < op.k(); j++) {
        long[] at = rows.start(row);
        at[axis] = j;
        long[] from = rows.start(row);
        from[axis] = places.get(j);
        TensorView indices = TensorView.of(got.get(1));
        assertThat(indices.wholeAt(indices.offset(at)))
            .as(where)
            .isEqualTo(places.get(j).longValue());
        assertThat(bits(got.get(0), at)).as(where).isEqualTo(bits(x, from));
      }
    }
  }

  private static Tensor tied(Random random, ElementType type, long... shape) {
    Tensor x = Tensors.random(random, type, shape);
    TensorView view = TensorView.of(x);
    for (long i = 0; type.isFloat() && i < x.elements(); i++) {
      if (random.nextBoolean()) {
        view.realAt(i, EDGES[random.nextInt(EDGES.length)]);
      }
    }
    return x;
  }

  private static List<Tensor> run(Op.TopK op, Tensor x) {
    GraphBuilder graph = new GraphBuilder("g");
    Value input = graph.input("x", x.type());
    Graph built = graph.build(graph.lowering("top", "TopK").all(op, input));
    return Interpreter.run(built, List.of(x));
  }

  /* A stable sort keeps the order of places. */
  private static List<Integer> sorted(Tensor x, long[] start, int axis, boolean largest) {
    List<Integer> places = new ArrayList<>();
    IntStream.range(0, (int) x.shape()[axis]).forEach(places::add);
    Comparator<Integer> ascending =
        (a, b) -> {
          TensorView view = TensorView.of(x);
          long[] i = start.clone();
          i[axis] = a;
          long[] j = start.clone();
          j[axis] = b;
          return compare(view, view.offset(i), view.offset(j));
        };
    places.sort(largest ? (a, b) -> ascending.compare(b, a) : ascending);
    return places;
  }

  private static int compare(TensorView x, long i, long j) {
    if (x.element() == ElementType.U64) {
      return Long.compareUnsigned(x.wholeAt(i), x.wholeAt(j));
    }
    if (!x.element().isFloat()) {
      return Long.compare(x.wholeAt(i), x.wholeAt(j));
    }
    double a = x.realAt(i);
    double b = x.realAt(j);
    if (Double.isNaN(a) || Double.isNaN(b)) {
      return Boolean.compare(Double.isNaN(a), Double.isNaN(b));
    }
    return a == b ? 0 : a < b ? -1 : 1;
  }

  private static String bits(Tensor x, long... at) {
    TensorView view = TensorView.of(x);
    long offset = view.offset(at);
    double real = x.element().isFloat() ? view.realAt(offset) : 0;
    return x.element().isFloat()
        ? Long.toHexString(Double.doubleToRawLongBits(real))
        : BigDecimal.valueOf(view.wholeAt(offset)).toString();
  }
}
