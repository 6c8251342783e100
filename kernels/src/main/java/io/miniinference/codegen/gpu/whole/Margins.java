package io.miniinference.codegen.gpu.whole;

import io.miniinference.codegen.gpu.tile.MemoryOrder;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// Zeros around the images that convolutions with padding read, so that no window looks for a
/// border.
///
/// @param arrays images with their zeros, by block
record Margins(Map<Block, Array> arrays) {

  /// Most lines of zeros on a side: no file may ask for more than an image has by far.
  private static final long MOST_LINES = 16;

  /// Lines and columns of zeros: before and behind an image, along each of its axes.
  private record Width(long above, long below, long left, long right) {
    Width max(Width other) {
      return new Width(
          Math.max(above, other.above),
          Math.max(below, other.below),
          Math.max(left, other.left),
          Math.max(right, other.right));
    }

    boolean isZero() {
      return above + below + left + right == 0;
    }

    boolean isNarrow() {
      return Math.max(Math.max(above, below), Math.max(left, right)) <= MOST_LINES;
    }
  }

  /// Empty where an image that needs zeros around it is also seen in another way, or needs many.
  ///
  /// @param uses each mention of a block
  static Optional<Margins> of(LoweredProgram program, Map<Block, List<Array>> uses) {
    Map<Block, Width> widths = new LinkedHashMap<>();
    for (LoweredStep step : program.steps()) {
      if (step.node().op() instanceof Op.Conv op && op.window().rank() == 2) {
        Width width = width(op.window(), step);
        if (!width.isZero()) {
          widths.merge(step.inputs().getFirst().block(), width, Width::max);
        }
      }
    }
    Map<Block, Array> arrays = new HashMap<>();
    for (Map.Entry<Block, Width> each : widths.entrySet()) {
      Set<Array> seen = new HashSet<>(uses.getOrDefault(each.getKey(), List.of()));
      Array image = seen.iterator().next();
      if (!each.getValue().isNarrow()
          || seen.size() > 1
          || image.index().rank() != 4
          || !image.block().isPlanned()) {
        return Optional.empty();
      }
      arrays.put(each.getKey(), around(image, each.getValue()));
    }
    return Optional.of(new Margins(arrays));
  }

  /* What the windows reach beyond the image. */
  private static Width width(Window window, LoweredStep step) {
    TensorType x = step.node().inputs().getFirst().type();
    TensorType y = step.node().output().type();
    long[] behind = new long[2];
    for (int d = 0; d < 2; d++) {
      long last = (y.dim(d + 2).asConstant() - 1) * window.strides().get(d);
      long reach = last + window.span(d) - window.padsBegin().get(d);
      behind[d] = Math.max(0, reach - x.dim(d + 2).asConstant());
    }
    return new Width(window.padsBegin().get(0), behind[0], window.padsBegin().get(1), behind[1]);
  }

  private static Array around(Array image, Width width) {
    IndexFunction index = image.index();
    List<Affine> shape = new ArrayList<>(index.shape());
    shape.set(2, shape.get(2).plus(Affine.of(width.above + width.below)));
    shape.set(3, shape.get(3).plus(Affine.of(width.left + width.right)));
    List<Integer> order = new ArrayList<>(MemoryOrder.axes(index));
    IntStream.range(0, 4).filter(axis -> !order.contains(axis)).forEach(order::add);
    IndexFunction wide = IndexFunction.ordered(shape, order);
    Affine first =
        wide.axes()
            .get(2)
            .stride()
            .times(width.above)
            .plus(wide.axes().get(3).stride().times(width.left));
    List<Axis> axes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      axes.add(Axis.plain(index.axes().get(i).extent(), wide.axes().get(i).stride()));
    }
    Affine size = wide.denseElements().times(image.elementBytes());
    Block block = image.block();
    Block larger = new Block(block.id(), block.name(), size, block.space());
    return new Array(image.name(), larger, new IndexFunction(first, axes), image.elementBytes());
  }

  /// The blocks that are larger by their zeros.
  List<Block> blocks() {
    return arrays.values().stream().map(Array::block).toList();
  }

  List<Array> over(List<Array> some) {
    return some.stream().map(array -> arrays.getOrDefault(array.block(), array)).toList();
  }

  LoweredStep over(LoweredStep step) {
    return step.over(over(step.inputs()), over(step.outputs()));
  }
}
