package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.ExprText;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.WindowLoops;
import io.miniinference.ir.ElementType;
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
    lanes.open(s.text());
  }

  static Optional<KernelText.Written> map(LoweredStep step, Op.Elementwise op) {
    return Lanes.over(step).map(lanes -> new LaneKernels(step, lanes).map(op));
  }

  private KernelText.Written map(Op.Elementwise op) {
    Set<Integer> loaded = new HashSet<>();
    for (int input : ExprTree.directArgs(op.expr())) {
      if (isLoaded(input)) {
        loaded.add(input);
        String load = Lanes.load(s, input, broadcast(input));
        s.text().line("const float4 v" + input + " = " + load + ";");
      }
    }
    List<ElementType> types = new ArrayList<>();
    for (int i = 0; i < s.step().inputs().size(); i++) {
      types.add(s.element(i));
    }
    lanes.store(s, lane -> new ExprText(new Reads(loaded, lane), types).of(op.expr()));
    return written();
  }

  private KernelText.Written written() {
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
        && type.element() == ElementType.F32
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
    public String at(int index, List<String> at) {
      return s.read(index, at.stream().map(c -> Coordinate.of("(" + c + ")")).toList());
    }

    @Override
    public String index(int axis) {
      return lanes.coordinates(lane).get(axis).whole();
    }
  }

  /* Lanes over channels, of an operator whose result is f32 before any epilogue. */
  private static Optional<Lanes> overChannels(LoweredStep step) {
    boolean floats =
        step.node().operandValues().stream().allMatch(v -> v.type().element() == ElementType.F32);
    return Lanes.over(step).filter(lanes -> floats && lanes.axis() == 1);
  }

  static Optional<KernelText.Written> pool(LoweredStep step, Op.WindowReduce op) {
    boolean vector = TiledProduct.isVector(step.inputs().getFirst().index(), 1);
    return overChannels(step)
        .filter(_ -> vector)
        .map(lanes -> new LaneKernels(step, lanes).pool(op));
  }

  private KernelText.Written pool(Op.WindowReduce op) {
    KernelText text = s.text();
    boolean max = op.kind() == Op.PoolKind.MAX;
    text.line("float4 acc0 = @splat(4, " + (max ? "-INFINITY" : "0") + ");");
    text.line("int count = 0;");
    WindowLoops window = openTaps(op.window());
    text.line("const float4 v = " + Lanes.load(s, 0, window.tap(image(), channel())) + ";");
    text.line(max ? "acc0 = @select(acc0, v, (v > acc0) | (v != v));" : "acc0 += v;");
    text.line("count++;");
    window.close(text);
    switch (op.kind()) {
      case MAX, SUM -> {}
      case AVERAGE -> text.line("acc0 /= @splat(4, (float)count);");
      case AVERAGE_WITH_PADDING -> {
        TensorType x = s.step().node().inputs().getFirst().type();
        String divisor = WindowKernels.paddedCount(op.window(), x);
        text.line("acc0 /= @splat(4, (float)" + divisor + ");");
      }
    }
    lanes.finish(s);
    return written();
  }

  private WindowLoops openTaps(Window window) {
    WindowLoops loops = new WindowLoops(window, s.step().node().inputs().getFirst().type());
    loops.open(s.text());
    return loops;
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

  private KernelText.Written convolve(Op.Conv op, boolean depthwise) {
    KernelText text = s.text();
    accumulators();
    WindowLoops window = openTaps(op.window());
    if (depthwise) {
      text.line("const float4 v = " + Lanes.load(s, 0, window.tap(image(), channel())) + ";");
      multiply(op.window(), 1, "0");
    } else {
      long channels = s.step().node().inputs().get(1).type().dim(1).asConstant();
      text.open("for (int c = 0; c < " + channels + "; c++)");
      scalar(window, "c");
      multiply(op.window(), channels, "c");
      text.close();
    }
    window.close(text);
    lanes.finish(s);
    return written();
  }

  private void accumulators() {
    for (int v = 0; v < lanes.vectors(); v++) {
      s.text().line("float4 acc" + v + " = @splat(4, 0);");
    }
  }

  private void scalar(WindowLoops window, String channel) {
    String read = s.read(0, window.tap(image(), Coordinate.of(channel)));
    s.text().line("const float4 v = @splat(4, " + read + ");");
  }

  /* Adds `v` times the weights of the current tap and input channel. */
  private void multiply(Window window, long channels, String channel) {
    long outputs = s.step().node().output().type().dim(1).asConstant();
    String tap = "0";
    for (int d = 0; d < window.rank(); d++) {
      tap = "(" + tap + " * " + window.kernel().get(d) + " + k" + (d + 2) + ")";
    }
    String row = "(" + tap + " * " + channels + "L + " + channel + ")";
    String start = s.pointer(1) + " + " + row + " * " + outputs + " + " + channel().whole();
    s.text().line("@global const float4* w = (@global const float4*)(" + start + ");");
    for (int v = 0; v < lanes.vectors(); v++) {
      s.text().line("acc" + v + " = fma(v, w[" + v + "], acc" + v + ");");
    }
  }
}
