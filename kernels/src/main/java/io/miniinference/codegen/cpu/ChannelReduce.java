package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Accumulator;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.Chains;
import io.miniinference.codegen.cpu.lanes.ChannelLanes;
import io.miniinference.codegen.cpu.lanes.LaneArray;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.device.Launch;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Sums, products and extremes over all pixels of an image in the blocked layout, such as those of
/// a global average pool, or the largest of a cloud of points: sixteen channels at a time.
record ChannelReduce() implements CpuStrategy.Several {
  private static final int LANES = VectorText.LANES;

  /// Pixels of sixteen channels below which a second worker costs more than it saves.
  private static final long GRAIN_PIXELS = 1024;

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return canUse(step)
        ? Algorithm.of("reduction of pixels, 16 channels at a time")
        : Algorithm.plain("its operand is gathered element by element");
  }

  /// Whether a node is of this kind.
  ///
  /// @param x how its operand lies
  static boolean fits(Node node, Op.Reduce op, IndexFunction x) {
    TensorType operand = node.inputs().getFirst().type();
    List<Integer> spatial = IntStream.range(2, operand.rank()).boxed().toList();
    return !op.kind().isArg()
        && operand.rank() >= 3
        && operand.rank() <= 5
        && op.axes().stream().sorted().toList().equals(spatial)
        && LaneArray.suits(operand.element())
        && VectorText.supports(op.map(), ElementType.F32, _ -> operand.element())
        && isBlocked(x);
  }

  private static boolean isBlocked(IndexFunction x) {
    Axis channels = x.axes().get(1);
    return ChannelLanes.isPlane(x)
        && channels.block() == LANES
        && channels.stride().equals(Affine.ONE)
        && isOneOfRows(x);
  }

  /* Whether rows of pixels follow each other from plane to plane, where there are several. */
  private static boolean isOneOfRows(IndexFunction x) {
    if (x.rank() < 5) {
      return true;
    }
    Axis rows = x.axes().get(3);
    return x.shape().stream().noneMatch(Affine::isOpen)
        && x.axes().get(2).stride().equals(rows.stride().times(rows.extent()));
  }

  private static long rows(List<Axis> axes) {
    return axes.subList(2, axes.size() - 1).stream()
        .mapToLong(axis -> axis.extent().constant())
        .reduce(1, (a, b) -> a * b);
  }

  private static boolean canUse(LoweredStep step) {
    return step.gathered() == null && isBlocked(step.inputs().getFirst().index());
  }

  @Override
  public boolean canWrite(LoweredStep step) {
    return step.gathered() != null || canUse(step);
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    Op.Reduce op = (Op.Reduce) step.node().op();
    return List.of(canUse(step) ? write(step, op) : ReduceKernel.write(step, op, failures));
  }

  private static final String HEAD =
      """
      A work item owns sixteen channels of an image, next to each other in the blocked layout, and combines their pixels in
      four vectors. Padding lanes of the last channels are combined, too, and not stored.
      """;

  private static final Template KERNEL =
      Template.of(
          "reduction of pixels",
          """
          long item = (long)@globalId + first;
          const long ob = item % $blocks; item /= $blocks;
          if (item >= $images) return;
          const long i0 = item;
          @global const $element* image = x0 + $offset + i0 * $image + ob * ${block}L;
          $starts
          for (long row = 0; row < $rows; row++) {
            @global const $element* in = image + row * ${rowStride}L;
            long p = 0;
            for (; p + $count <= $width; p += $count, in += ${step}L) {
              $several
            }
            for (; p < $width; p++, in += ${pixel}L) {
              $one
            }
          }
          float z[16];
          $together
          @store(16, a0, 0, z);
          for (long j = 0; j < $lanes; j++) {
            const float result = z[j];
            $store
          }
          """);

  private static final Template TAKE =
      Template.of(
          "pixel of sixteen channels",
          """
          {
            const $lanes x = $load;
            $statements
            const float16 b = $value;
            a$number = $combined;
          }
          """);

  private static KernelText.Written write(LoweredStep step, Op.Reduce op) {
    StepText s = new StepText(step, 1);
    IndexFunction x = step.inputs().getFirst().index();
    LaneArray lanes = LaneArray.of(step.node().inputs().getFirst());
    List<Axis> axes = x.axes();
    Axis pixels = axes.getLast();
    long rowStride = axes.size() < 4 ? 0 : axes.get(axes.size() - 2).stride().constant();
    long pixel = pixels.stride().constant();
    String start = Accumulator.of(op.kind(), ElementType.F32).start();
    s.text()
        .head(HEAD)
        .add(
            KERNEL
                .with("element", lanes.stored())
                .with("blocks", axes.get(1).blocks())
                .with("images", IndexText.affine(axes.getFirst().extent()))
                .with("offset", IndexText.affine(x.offset()))
                .with("image", IndexText.affine(axes.getFirst().stride()))
                .with("block", axes.get(1).outerStride().constant())
                .with(
                    "starts", Chains.lines(i -> "float16 a" + i + " = @splat(16, " + start + ");"))
                .with("rows", rows(axes))
                .with("rowStride", rowStride)
                .with("count", Chains.NUMBER)
                .with("width", pixels.extent().constant())
                .with("step", Chains.NUMBER * pixel)
                .with("several", Chains.lines(i -> take(op, lanes, i, i * pixel)))
                .with("pixel", pixel)
                .with("one", take(op, lanes, 0, 0))
                .with("together", new Chains(op.kind()).together())
                .with("lanes", lanes(axes.get(1)))
                .with("store", store(s, op)));
    long perItem = rows(axes) * pixels.extent().constant();
    Affine items = axes.getFirst().extent().times(axes.get(1).blocks());
    int grain = (int) Math.max(1, GRAIN_PIXELS / perItem);
    return new KernelText.Written(s.text(), new Launch.Items(items, grain));
  }

  private static String take(Op.Reduce op, LaneArray lanes, int number, long at) {
    VectorText.Written value =
        VectorText.write(op.map(), ElementType.F32, _ -> lanes.type(), _ -> "x");
    return TAKE.with("lanes", lanes.variable())
        .with("load", lanes.load("in + " + at + "L"))
        .with("statements", value.statements())
        .with("number", number)
        .with("value", value.value())
        .with("combined", new Chains(op.kind()).combined("a" + number, "b"))
        .text();
  }

  private static String lanes(Axis channels) {
    long count = channels.extent().constant();
    return count % LANES == 0 ? "16" : "min(16L, " + count + " - ob * 16)";
  }

  private static String store(StepText s, Op.Reduce op) {
    List<Coordinate> at = new ArrayList<>();
    at.add(Coordinate.of("i0"));
    at.add(Coordinate.split(LANES, "ob", "j"));
    if (op.keepDims()) {
      op.axes().forEach(_ -> at.add(Coordinate.ZERO));
    }
    return s.stored(s.epilogue("result", ElementType.F32, at), at);
  }
}
