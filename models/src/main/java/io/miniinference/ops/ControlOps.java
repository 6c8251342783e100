package io.miniinference.ops;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.onnx.Quote;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// Operators with bodies ([If](https://onnx.ai/onnx/operators/onnx__If.html),
/// [Loop](https://onnx.ai/onnx/operators/onnx__Loop.html),
/// [Scan](https://onnx.ai/onnx/operators/onnx__Scan.html)).
final class ControlOps {
  private ControlOps() {}

  static void addTo(OpTable table) {
    table
        .rows("If", 1, "1", "then_branch else_branch", ControlOps::branch)
        .rows("Loop", 1, "0-*", "body", c -> new LoopRule(c).lower())
        .rows(
            "Scan",
            8,
            "2-*",
            "body num_scan_inputs directions",
            c -> new ScanRule(c).lowerWithBatch())
        .rows(
            "Scan",
            9,
            "1-*",
            "body num_scan_inputs scan_input_axes scan_input_directions scan_output_axes scan_output_directions",
            c -> new ScanRule(c).lower());
  }

  /// A value of one element as a scalar of the type that it must have.
  static Value scalar(Emitter e, Value value, ElementType type, String what) {
    if (value.type().element() != type || !value.type().elements().equals(Affine.ONE)) {
      throw LoweringFault.of("has %s %s, which must be one %s".formatted(what, value, type));
    }
    return e.reshape(value, List.of());
  }

  static boolean isTrue(Tensor condition) {
    return SmallTensors.integers(condition)[0] != 0;
  }

  private static List<Value> branch(OpContext c) {
    Value condition = scalar(c, c.in(0), ElementType.BOOL, "the condition");
    Tensor constant = c.draft().tensor(condition);
    if (constant != null) {
      return c.bodies().inline(taken(constant));
    }
    BodyImport then = c.bodies().open("then_branch");
    BodyImport otherwise = c.bodies().open("else_branch");
    if (then.inputs() + otherwise.inputs() > 0) {
      throw LoweringFault.of("has branches with inputs; they read what they need by name");
    }
    List<List<Value>> outputs;
    try {
      outputs = lowered(then, otherwise);
    } catch (BodyFault fault) {
      if (fault.isOfValues() && c.draft().constantOrGiven(condition) != null) {
        return ofGiven(c, condition);
      }
      throw fault;
    }
    List<Value> first = outputs.get(0);
    List<Value> second = outputs.get(1);
    if (!BodyDraft.types(first).equals(BodyDraft.types(second))) {
      checkGiven(c, condition, first, second);
      return ofGiven(c, condition);
    }
    Set<Value> captured = new LinkedHashSet<>(then.captured(first));
    captured.addAll(otherwise.captured(second));
    List<Value> shared = List.copyOf(captured);
    List<Value> operands = new ArrayList<>(List.of(condition));
    operands.addAll(shared);
    return c.emit(
        new Op.If(then.close("then", shared, first), otherwise.close("else", shared, second)),
        operands);
  }

  /* Both branches, or all that is wrong with both. */
  private static List<List<Value>> lowered(BodyImport then, BodyImport otherwise) {
    List<List<Value>> outputs = new ArrayList<>();
    List<BodyFault> faults = new ArrayList<>();
    for (BodyImport body : List.of(then, otherwise)) {
      try {
        outputs.add(body.lower());
      } catch (BodyFault fault) {
        faults.add(fault);
      }
    }
    if (!faults.isEmpty()) {
      throw BodyFault.of(faults);
    }
    return outputs;
  }

  private static String taken(Tensor condition) {
    return isTrue(condition) ? "then_branch" : "else_branch";
  }

  /* Branches of different types need a condition that is known. */
  private static void checkGiven(
      OpContext c, Value condition, List<Value> then, List<Value> otherwise) {
    if (then.size() != otherwise.size()) {
      throw LoweringFault.of(
          "has branches of %d and %d outputs".formatted(then.size(), otherwise.size()));
    }
    if (c.draft().constantOrGiven(condition) == null) {
      throw LoweringFault.specialisable(
          "has branches that give %s and %s, so that the condition %s must be known at load, but it depends on data; give a data set with its value"
              .formatted(
                  BodyDraft.types(then), BodyDraft.types(otherwise), Quote.of(c.in(0).name())));
    }
  }

  /* The branch that the request takes for which the graph is built. */
  private static List<Value> ofGiven(OpContext c, Value condition) {
    c.draft().consult(condition);
    return c.bodies().inline(taken(Objects.requireNonNull(c.draft().constantOrGiven(condition))));
  }
}
