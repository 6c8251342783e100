package io.miniinference.ops.movement;

import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.CountedShapes;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.PlannedSizes;
import io.miniinference.ops.draft.Sizes;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Reshape: sizes that are given, of which 0 copies a dimension and −1 is what the others leave
/// ([ONNX Reshape](https://onnx.ai/onnx/operators/onnx__Reshape.html)).
final class ReshapeRule {
  private static final Affine REST = Affine.of(-1);

  private final boolean copies;

  private ReshapeRule(boolean copies) {
    this.copies = copies;
  }

  static Value lower(OpContext c) {
    var rule = new ReshapeRule(!c.attrBool("allowzero"));
    Optional<PlannedSizes> planned = c.planned(1);
    if (planned.isPresent()) {
      return CountedShapes.laidOut(c, c.in(0), rule::target, planned.get());
    }
    List<Affine> sizes = c.sizes(1);
    return c.reshape(c.in(0), shape -> rule.target(shape, sizes));
  }

  /// Before opset 5: to a shape that is an attribute.
  static Value byAttribute(OpContext c) {
    List<Affine> sizes = Arrays.stream(c.attrInts("shape")).mapToObj(Affine::of).toList();
    var rule = new ReshapeRule(true);
    return c.reshape(c.in(0), shape -> rule.target(shape, sizes));
  }

  private List<Affine> target(List<Affine> shape, List<Affine> sizes) {
    List<Affine> target = new ArrayList<>(sizes);
    int free = sizes.indexOf(REST);
    if (free != sizes.lastIndexOf(REST)) {
      throw LoweringFault.of("has shape %s, with more than one -1".formatted(sizes));
    }
    for (int i = 0; i < sizes.size(); i++) {
      target.set(i, i == free ? Affine.ONE : size(shape, sizes, i));
    }
    if (free >= 0) {
      target.set(free, rest(shape, target));
    }
    return target;
  }

  private Affine size(List<Affine> shape, List<Affine> sizes, int axis) {
    Affine size = sizes.get(axis);
    if (!size.isZero() || !copies) {
      return Sizes.dimension(size, axis);
    }
    if (axis >= shape.size()) {
      throw LoweringFault.of(
          "has shape %s, whose 0 at %d copies no dimension of %s".formatted(sizes, axis, shape));
    }
    return shape.get(axis);
  }

  /* What `-1` stands for: the elements that the other dimensions leave. */
  private static Affine rest(List<Affine> shape, List<Affine> others) {
    List<Affine> above = new ArrayList<>(shape);
    List<Affine> below = new ArrayList<>();
    for (Affine other : others) {
      if (other.isConstant() || !above.remove(other)) {
        below.add(other);
      }
    }
    Affine total = ShapeOps.product(above);
    Affine divisor = ShapeOps.product(below);
    return Sizes.quotient(total, divisor)
        .orElseThrow(() -> {
          String what = "cannot fill -1 of shape %s from %s elements".formatted(others, total);
          return total.isConstant() && divisor.isConstant()
              ? LoweringFault.of(what)
              : LoweringFault.specialisable(what + " at every batch size; fix the batch");
        });
  }
}
