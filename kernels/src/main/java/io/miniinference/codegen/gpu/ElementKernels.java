package io.miniinference.codegen.gpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.DivisionText;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.OperandText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.MemoryOrder;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;

/// Operators whose result one work item computes per element, without help from its neighbours.
final class ElementKernels {
  private ElementKernels() {}

  /// Elementwise computation, copies and conversions.
  ///
  /// @param failures block id of the failure slots
  static KernelText.Written map(LoweredStep step, Op.Elementwise op, int failures) {
    return step.failure() == null
        ? LaneKernels.map(step, op).orElseGet(() -> mapEach(step, op, failures))
        : mapEach(step, op, failures);
  }

  private static KernelText.Written mapEach(LoweredStep step, Op.Elementwise op, int failures) {
    StepText s = new StepText(step, Elements.LOCAL);
    Elements elements = new Elements(step.output().index());
    List<Coordinate> at = elements.coordinates();
    String check = DivisionText.check(s, at, failures);
    String store = s.stored(s.expression(op.expr(), at), at);
    s.text().head(Elements.ABOUT).line(Statements.of(elements.item(), check, store));
    return new KernelText.Written(s.text(), elements.work());
  }

  private static final Template PRODUCT =
      Template.of(
          "matrix product of any kind",
          """
          $item
          $type acc = 0;
          $check
          for (long k = 0; k < $depth; k++) {
            $value
            acc += ($type)value * ($type)$right;
          }
          $finish
          """);

  private static final String PRODUCT_HEAD =
      """
      A work item owns one element of the product and adds up its row of the left operand times its column of the
      right one; neighbouring work items have neighbouring columns, so that what they read of the right one lies side
      by side. All types, ranks and layouts: common cases have tiles instead.
      """;

  /// The matrix product for all types, layouts and ranks.
  ///
  /// @param failures block id of the failure slots
  static KernelText.Written multiply(LoweredStep step, Op.MatMul op, int failures) {
    StepText s = new StepText(step, Elements.LOCAL);
    Elements elements = new Elements(step.output().index());
    List<Coordinate> at = elements.coordinates();
    TensorType a = step.node().inputs().get(0).type();
    ElementType sums = Op.Contraction.sums(step.node());
    Affine depth = a.dim(op.transposeA() ? a.rank() - 2 : a.rank() - 1);
    OperandText left = new OperandText(s, 0, failures);
    List<Coordinate> leftAt = operand(step, 0, op.transposeA(), at.get(at.size() - 2));
    s.text()
        .head(PRODUCT_HEAD)
        .add(
            PRODUCT
                .with("item", elements.item())
                .with("type", accumulator(sums))
                .with("check", left.check(leftAt))
                .with("depth", IndexText.affine(depth))
                .with("value", left.declare("value", leftAt))
                .with("right", s.read(1, operand(step, 1, !op.transposeB(), at.getLast())))
                .with("finish", finish(s, sums, at)));
    return new KernelText.Written(s.text(), elements.work());
  }

  /* Coordinates of an operand's element at depth `k`. */
  private static List<Coordinate> operand(
      LoweredStep step, int input, boolean depthFirst, Coordinate other) {
    List<Affine> shape = step.node().inputs().get(input).type().shape();
    List<Affine> output = step.node().output().type().shape();
    List<Coordinate> leading = MemoryOrder.coordinates(output).subList(0, output.size() - 2);
    List<Coordinate> result =
        new ArrayList<>(
            IndexText.broadcast(
                shape.subList(0, shape.size() - 2), output.subList(0, output.size() - 2), leading));
    Coordinate k = Coordinate.of("k");
    result.add(depthFirst ? k : other);
    result.add(depthFirst ? other : k);
    return result;
  }

  /// The type that products of an element type are added up in.
  static String accumulator(ElementType element) {
    return element.isInteger() ? "long" : CType.of(element).computed();
  }

  private static final Template FINISH =
      Template.of(
          "result of a sum",
          """
          const $type result = ($type)acc;
          $store
          """);

  /// Statements that round `acc` to the element's type, apply the epilogue and store.
  static Template.Filling finish(StepText s, ElementType element, List<Coordinate> at) {
    return FINISH
        .with("type", CType.of(element).computed())
        .with("store", s.stored(s.epilogue("result", element, at), at));
  }
}
