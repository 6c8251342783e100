package io.miniinference.pass.windows;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.mod;
import static io.miniinference.ir.Exprs.mul;
import static java.util.Objects.requireNonNull;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.pass.DeadCode;
import io.miniinference.pass.FreshNames;
import io.miniinference.pass.FusionTarget;
import io.miniinference.pass.Pass;
import io.miniinference.pass.Rewrite;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Has a large transposed convolution computed by a plain one, where the target's is faster: output
/// pixels whose places leave the same remainder by the strides have the same taps, so that each
/// remainder is so many output channels of one convolution, and the results are put between each
/// other (W. Shi et al., "Is the deconvolution layer the same as a convolutional layer?", 2016).
///
/// ```
/// kernel 4, stride 2, padding 1:   even pixels    x[q − 1] · w3 + x[q] · w1
///                                  odd pixels                     x[q] · w2 + x[q + 1] · w0
/// ```
///
/// The one window has the taps of all, and zeros for those that a remainder lacks.
public final class TransposedConvolutions implements Pass {
  /// Multiplications of a row below which a second launch costs more than it saves.
  private static final long FEWEST_PRODUCTS = 1L << 20;

  /// Products for each of the transposed convolution's, those with zeros included.
  private static final double MOST_WORK = 3.5;

  /// Bytes that weights may grow by.
  private static final long MOST_BYTES = 32L << 20;

  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final FusionTarget target;
  private final long fewestProducts;

  public TransposedConvolutions(FusionTarget target) {
    this(target, FEWEST_PRODUCTS);
  }

  /// So that tests of what is computed need not compute so much.
  TransposedConvolutions(FusionTarget target, long fewestProducts) {
    this.target = target;
    this.fewestProducts = fewestProducts;
  }

  @Override
  public Graph apply(Graph graph) {
    return graph.nodes().stream().anyMatch(node -> node.op() instanceof Op.ConvTranspose)
            && target.convolvesTransposed()
        ? new Rewriting(graph).graph()
        : graph;
  }

  /// The taps of an axis, by remainder of the output's place.
  ///
  /// @param least places of the input from an output's quotient to its first tap, not above 0
  /// @param most the same to its last tap, not below 0
  private record Taps(int stride, int kernel, int pad, int dilation, int least, int most) {
    static Taps of(Window window, int axis) {
      Taps all =
          new Taps(
              window.strides().get(axis),
              window.kernel().get(axis),
              window.padsBegin().get(axis),
              window.dilations().get(axis),
              0,
              0);
      int least = 0;
      int most = 0;
      for (int k = 0; k < all.kernel; k++) {
        int at = all.place(k);
        least = Math.min(least, at);
        most = Math.max(most, at);
      }
      return new Taps(all.stride, all.kernel, all.pad, all.dilation, least, most);
    }

    /* The remainder by the stride that has the tap. */
    int remainder(int k) {
      return Math.floorMod(k * dilation - pad, stride);
    }

    /* Where the tap's input is, from the quotient of an output of that remainder on. */
    int place(int k) {
      return (remainder(k) + pad - k * dilation) / stride;
    }

    int width() {
      return most - least + 1;
    }
  }

  private final class Rewriting {
    private final Graph graph;
    private final FreshNames names;
    private final List<Node> nodes = new ArrayList<>();
    private final Map<Value, Tensor> constants;

    Rewriting(Graph graph) {
      this.graph = graph;
      this.names = new FreshNames(graph);
      this.constants = new LinkedHashMap<>(graph.constants());
    }

    Graph graph() {
      for (Node node : graph.nodes()) {
        taps(node).ifPresentOrElse(taps -> convolve(node, taps), () -> nodes.add(node));
      }
      return new DeadCode().apply(Rewrite.nodes(graph, nodes, constants));
    }

    /* By axis; empty where the node stays as it is. */
    private Optional<List<Taps>> taps(Node node) {
      if (!(node.op() instanceof Op.ConvTranspose(Window window, int groups, _))
          || groups != 1
          || node.epilogue() != null
          || node.output().type().element() != ElementType.F32
          || !constants.containsKey(node.inputs().get(1))) {
        return Optional.empty();
      }
      List<Taps> taps =
          IntStream.range(0, window.rank()).mapToObj(axis -> Taps.of(window, axis)).toList();
      return isWorth(node, taps) ? Optional.of(taps) : Optional.empty();
    }

    private boolean isWorth(Node node, List<Taps> taps) {
      TensorType in = node.inputs().getFirst().type();
      TensorType out = node.output().type();
      boolean isEven =
          IntStream.range(0, taps.size())
              .allMatch(axis ->
                  out.dim(axis + 2).equals(in.dim(axis + 2).times(taps.get(axis).stride())));
      long before = product(taps.stream().map(Taps::kernel));
      long after = product(taps.stream().map(it -> it.stride() * it.width()));
      long weights = in.dim(1).asConstant() * out.dim(1).asConstant();
      long pixels = product(in.shape().stream().skip(2).map(Affine::typical));
      return isEven
          && taps.stream().anyMatch(it -> it.stride() > 1)
          && after <= MOST_WORK * before
          && (after - before) * weights * Float.BYTES <= MOST_BYTES
          && pixels * before * weights >= fewestProducts;
    }

    private static long product(Stream<? extends Number> numbers) {
      return numbers.mapToLong(Number::longValue).reduce(1, (a, b) -> a * b);
    }

    private void convolve(Node node, List<Taps> taps) {
      Value x = node.inputs().getFirst();
      Value filters = node.inputs().get(1);
      Tensor weights = spread(requireNonNull(constants.get(filters)), taps);
      Value spread = value(filters.name() + " spread", weights);
      constants.put(spread, weights);
      TensorType in = x.type();
      List<Affine> shape = new ArrayList<>(List.of(in.dim(0), spread.type().dim(0)));
      shape.addAll(in.shape().subList(2, in.rank()));
      Value together = value(node, "together", shape);
      nodes.add(Rewrite.part(node, new Op.Conv(window(taps), 1), List.of(x, spread), together));
      between(node, taps, together);
    }

    private static Window window(List<Taps> taps) {
      List<Integer> ones = taps.stream().map(_ -> 1).toList();
      return new Window(
          taps.stream().map(Taps::width).toList(),
          ones,
          ones,
          taps.stream().map(it -> -it.least()).toList(),
          taps.stream().map(Taps::most).toList());
    }

    /* Each element from where its remainders' channels are, at its quotients. */
    private void between(Node node, List<Taps> taps, Value together) {
      TensorType out = node.output().type();
      Expr remainder = const_(0);
      List<Expr> places = new ArrayList<>();
      for (int axis = 0; axis < taps.size(); axis++) {
        Expr stride = const_(taps.get(axis).stride());
        remainder = add(mul(remainder, stride), mod(index(axis + 2), stride));
        places.add(div(index(axis + 2), stride));
      }
      Expr channel = add(mul(remainder, const_(out.dim(1).asConstant())), index(1));
      places.addAll(0, List.of(index(0), channel));
      Op map = new Op.Elementwise(at(0, places), out);
      nodes.add(Rewrite.part(node, map, List.of(together), node.output()));
    }

    private Value value(Node node, String part, List<Affine> shape) {
      return new Value(
          names.of(node.output().name() + " " + part), new TensorType(ElementType.F32, shape));
    }

    private Value value(String name, Tensor tensor) {
      List<Affine> shape = Arrays.stream(tensor.shape()).mapToObj(Affine::of).toList();
      return new Value(names.of(name), new TensorType(ElementType.F32, shape));
    }
  }

  /* Weights [C, M, K…] as [remainders… · M, C, widths…]. */
  private static Tensor spread(Tensor weights, List<Taps> taps) {
    int channels = Math.toIntExact(weights.shape()[0]);
    int outputs = Math.toIntExact(weights.shape()[1]);
    int before = taps.stream().mapToInt(Taps::kernel).reduce(1, (a, b) -> a * b);
    int after = taps.stream().mapToInt(Taps::width).reduce(1, (a, b) -> a * b);
    int remainders = taps.stream().mapToInt(Taps::stride).reduce(1, (a, b) -> a * b);
    MemorySegment from = weights.data();
    long elements = (long) remainders * outputs * channels * after;
    MemorySegment to = Arena.ofAuto().allocate(elements * Float.BYTES, Long.BYTES);
    for (int tap = 0; tap < before; tap++) {
      int place = place(taps, tap);
      int remainder = remainder(taps, tap);
      for (int c = 0; c < channels; c++) {
        for (int m = 0; m < outputs; m++) {
          long row = ((long) remainder * outputs + m) * channels + c;
          float weight = from.get(FLOAT, (((long) c * outputs + m) * before + tap) * Float.BYTES);
          to.set(FLOAT, (row * after + place) * Float.BYTES, weight);
        }
      }
    }
    long[] shape = new long[taps.size() + 2];
    shape[0] = (long) remainders * outputs;
    shape[1] = channels;
    for (int axis = 0; axis < taps.size(); axis++) {
      shape[axis + 2] = taps.get(axis).width();
    }
    return new Tensor(ElementType.F32, shape, to);
  }

  /* The place in the window, in logical order, that a tap comes to. */
  private static int place(List<Taps> taps, int tap) {
    return inOrder(taps, tap, (axis, k) -> axis.place(k) - axis.least(), Taps::width);
  }

  private static int remainder(List<Taps> taps, int tap) {
    return inOrder(taps, tap, Taps::remainder, Taps::stride);
  }

  /* A number made of one for each axis, of which there are so many. */
  private static int inOrder(
      List<Taps> taps, int tap, ToIntBiFunction<Taps, Integer> number, ToIntFunction<Taps> count) {
    int all = 0;
    int scale = 1;
    int left = tap;
    for (Taps axis : taps.reversed()) {
      all += number.applyAsInt(axis, left % axis.kernel()) * scale;
      scale *= count.applyAsInt(axis);
      left /= axis.kernel();
    }
    return all;
  }
}
