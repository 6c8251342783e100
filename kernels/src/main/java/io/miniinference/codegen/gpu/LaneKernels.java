package io.miniinference.codegen.gpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.ExprText;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.WindowLoops;
import io.miniinference.codegen.gpu.tile.TiledProduct;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The forms of elementwise work, pools and small convolutions that compute a few `float4`s per
/// work item, where output and operands allow it.
final class LaneKernels {
  private static final String HEAD =
      """
      A work item owns %d elements of the result that are neighbours in memory: their place is worked out once, and
      they are loaded and stored 16 bytes at a time, next to those of the neighbouring work items.
      """;

  private final StepText s;
  private final Lanes lanes;

  private LaneKernels(LoweredStep step, Lanes lanes) {
    this.s = new StepText(step, Elements.LOCAL);
    s.text().head(HEAD.formatted(4 * lanes.vectors()));
    this.lanes = lanes;
  }

  static Optional<KernelText.Written> map(LoweredStep step, Op.Elementwise op) {
    return Lanes.over(step).map(lanes -> new LaneKernels(step, lanes).map(op));
  }

  private KernelText.Written map(Op.Elementwise op) {
    List<Integer> loaded =
        ExprTree.directArgs(op.expr()).stream().distinct().filter(this::isLoaded).toList();
    List<ElementType> types = new ArrayList<>();
    for (int i = 0; i < s.step().inputs().size(); i++) {
      types.add(s.element(i));
    }
    String loads = loaded.stream().map(this::load).collect(Collectors.joining("\n"));
    Set<Integer> vectors = new HashSet<>(loaded);
    Expr expr = s.unrounded(op.expr(), types);
    String store =
        lanes.store(
            s, lane -> new Lanes.Value("", new ExprText(new Reads(vectors, lane), types).of(expr)));
    return written(Statements.of(loads, store));
  }

  private String load(int input) {
    return "const float4 v" + input + " = " + Lanes.load(s, input, broadcast(input)) + ";";
  }

  private KernelText.Written written(Object statements) {
    s.text().line(Statements.of(lanes.item(), statements));
    return new KernelText.Written(s.text(), lanes.work());
  }

  private List<Coordinate> broadcast(int input) {
    TensorType type = s.step().node().inputs().get(input).type();
    return IndexText.broadcast(
        type.shape(), s.step().node().output().type().shape(), lanes.coordinates(0));
  }

  /* Whether the operand has whole float4s where the output has. */
  private boolean isLoaded(int input) {
    TensorType type = s.step().node().inputs().get(input).type();
    int axis = lanes.axis() - (s.step().node().output().type().rank() - type.rank());
    IndexFunction index = s.step().inputs().get(input).index();
    return axis >= 0
        && CType.of(type.element()).isFloat()
        && type.dim(axis).equals(s.step().node().output().type().dim(lanes.axis()))
        && TiledProduct.isVector(index, axis);
  }

  private final class Reads implements ExprText.Leaves {
    private final Set<Integer> loaded;
    private final int lane;

    Reads(Set<Integer> loaded, int lane) {
      this.loaded = loaded;
      this.lane = lane;
    }

    @Override
    public String arg(int index) {
      return loaded.contains(index)
          ? "v" + index + "." + TiledProduct.PARTS.charAt(lane)
          : s.broadcast(index, lanes.coordinates(lane));
    }

    @Override
    public String at(int index, List<Coordinate> at) {
      return s.read(index, at);
    }

    @Override
    public Coordinate index(int axis) {
      return lanes.coordinates(lane).get(axis);
    }
  }

  /* Lanes over channels, of an operator whose result is f32 before any epilogue. */
  private static Optional<Lanes> overChannels(LoweredStep step) {
    boolean floats =
        step.node().operandValues().stream().allMatch(v -> CType.of(v.type().element()).isFloat());
    return Lanes.over(step).filter(lanes -> floats && lanes.axis() == 1);
  }

  static Optional<KernelText.Written> pool(LoweredStep step, Op.WindowReduce op) {
    boolean vector = TiledProduct.isVector(step.inputs().getFirst().index(), 1);
    return overChannels(step)
        .filter(_ -> vector)
        .map(lanes -> new LaneKernels(step, lanes).pool(op));
  }

  private static final Template POOL =
      Template.of(
          "pool of lanes",
          """
          float4 acc0 = @splat(4, $start);
          int count = 0;
          $taps
          $divide
          $finish
          """);

  private static final Template TAKE =
      Template.of(
          "tap of a pool",
          """
          const float4 v = $load;
          $take
          count++;
          """);

  private KernelText.Written pool(Op.WindowReduce op) {
    boolean max = op.kind() == Op.PoolKind.MAX;
    WindowLoops window = window(op.window());
    Template.Filling tap =
        TAKE.with("load", Lanes.load(s, 0, window.tap(image(), channel())))
            .with("take", max ? "acc0 = @select(acc0, v, (v > acc0) | (v != v));" : "acc0 += v;");
    return written(
        POOL.with("start", max ? "-INFINITY" : "0")
            .with("taps", window.over(tap))
            .with("divide", divide(op, window))
            .with("finish", lanes.finish(s)));
  }

  private static String divide(Op.WindowReduce op, WindowLoops window) {
    return switch (op.kind()) {
      case MAX, SUM -> "";
      case AVERAGE -> "acc0 /= @splat(4, (float)count);";
      case AVERAGE_WITH_PADDING -> "acc0 /= @splat(4, (float)" + window.paddedCount() + ");";
    };
  }

  private WindowLoops window(Window window) {
    return new WindowLoops(window, s.step().node().inputs().getFirst().type());
  }

  private Coordinate image() {
    return lanes.coordinates(0).getFirst();
  }

  private Coordinate channel() {
    return lanes.coordinates(0).get(1);
  }

  /// Convolutions over packed weights, each output channel of all input channels or of its own.
  static Optional<KernelText.Written> convolve(LoweredStep step, Op.Conv op) {
    TensorType w = step.node().inputs().get(1).type();
    boolean depthwise = op.groups() > 1 && w.dim(1).isConstant() && w.dim(1).constant() == 1;
    boolean own =
        depthwise
            && w.dim(0).equals(Affine.of(op.groups()))
            && TiledProduct.isVector(step.inputs().getFirst().index(), 1);
    return overChannels(step)
        .filter(_ -> step.packed().get(1) && (own || op.groups() == 1))
        .map(lanes -> new LaneKernels(step, own ? lanes : lanes.widened()).convolve(op, own));
  }

  private static final Template CONVOLUTION =
      Template.of(
          "convolution of lanes",
          """
          $accumulators
          $taps
          $finish
          """);

  private static final Template DEPTHWISE =
      Template.of(
          "tap of own channels",
          """
          const float4 v = $load;
          $multiply
          """);

  private static final Template CHANNELS =
      Template.of(
          "tap of all channels",
          """
          for (int c = 0; c < $channels; c++) {
            const float4 v = @splat(4, $read);
            $multiply
          }
          """);

  private KernelText.Written convolve(Op.Conv op, boolean depthwise) {
    WindowLoops window = window(op.window());
    return written(
        CONVOLUTION
            .with("accumulators", each(v -> "float4 acc" + v + " = @splat(4, 0);"))
            .with("taps", window.over(depthwise ? ownChannel(window) : allChannels(window)))
            .with("finish", lanes.finish(s)));
  }

  private Template.Filling ownChannel(WindowLoops window) {
    return DEPTHWISE
        .with("load", Lanes.load(s, 0, window.tap(image(), channel())))
        .with("multiply", multiply(window, 1, "0"));
  }

  private Template.Filling allChannels(WindowLoops window) {
    long channels = s.step().node().inputs().get(1).type().dim(1).asConstant();
    return CHANNELS
        .with("channels", channels)
        .with("read", s.read(0, window.tap(image(), Coordinate.of("c"))))
        .with("multiply", multiply(window, channels, "c"));
  }

  private String each(IntFunction<String> vector) {
    return IntStream.range(0, lanes.vectors()).mapToObj(vector).collect(Collectors.joining("\n"));
  }

  private static final Template MULTIPLY =
      Template.of(
          "product of lanes",
          """
          const long weights = ($tap * ${channels}L + $channel) * $outputs + $first;
          $sums
          """);

  /* Adds `v` times the weights of the current tap and input channel. */
  private Template.Filling multiply(WindowLoops window, long channels, String channel) {
    return MULTIPLY
        .with("tap", window.number())
        .with("channels", channels)
        .with("channel", channel)
        .with("outputs", s.step().node().output().type().dim(1).asConstant())
        .with("first", channel().whole())
        .with("sums", each(this::sum));
  }

  private String sum(int vector) {
    String weight = s.type(1).readFour(s.pointer(1), "weights + " + 4 * vector);
    return "acc%1$d = fma(v, %2$s, acc%1$d);".formatted(vector, weight);
  }
}
