package io.miniinference.ir.type;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.OpNames;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;

/// The types of the results of an operator with bodies, given those of its operands.
final class ControlType {
  private static final TensorType COUNT = TensorType.of(ElementType.I64);
  private static final TensorType TRUTH = TensorType.of(ElementType.BOOL);

  private final Op.Control op;
  private final List<TensorType> operands;

  private ControlType(Op.Control op, List<TensorType> operands) {
    this.op = op;
    this.operands = operands;
  }

  /// @throws ShapeException if the bodies do not fit the operands, or each other
  static List<TensorType> of(Op.Control op, List<TensorType> operands) {
    ControlType rule = new ControlType(op, operands);
    List<TensorType> results = rule.infer();
    results.forEach(rule::requireCountable);
    return results;
  }

  private List<TensorType> infer() {
    return switch (op) {
      case Op.If branch -> branch(branch);
      case Op.Loop loop -> loop(loop);
      case Op.Iteration iteration -> {
        require(types(iteration.body().inputs()), operands, "the operands");
        yield types(iteration.body().outputs());
      }
    };
  }

  private List<TensorType> branch(Op.If branch) {
    require(!operands.isEmpty(), "needs a condition");
    require(operands.getFirst().equals(TRUTH), "operand 0 must be bool[]");
    List<TensorType> captured = operands.subList(1, operands.size());
    require(types(branch.then().inputs()), captured, "the operands after the condition");
    require(types(branch.otherwise().inputs()), captured, "the operands after the condition");
    List<TensorType> results = types(branch.then().outputs());
    require(types(branch.otherwise().outputs()), results, "the results of the other body");
    return results;
  }

  private List<TensorType> loop(Op.Loop loop) {
    int carried = loop.carried();
    require(
        carried >= 0 && operands.size() >= 2 + carried,
        "needs a trip count, a condition and " + carried + " carried values");
    require(operands.get(0).equals(COUNT), "operand 0 must be i64[]");
    require(operands.get(1).equals(TRUTH), "operand 1 must be bool[]");
    List<TensorType> inputs = new ArrayList<>(List.of(COUNT));
    inputs.addAll(operands.subList(2, operands.size()));
    require(types(loop.body().inputs()), inputs, "the iteration and the operands");
    List<TensorType> outputs = types(loop.body().outputs());
    require(outputs.size() >= 1 + carried, "the body gives fewer values than it is given");
    require(outputs.getFirst().equals(TRUTH), "result 0 of the body must be bool[]");
    List<TensorType> results = new ArrayList<>(operands.subList(2, 2 + carried));
    require(outputs.subList(1, 1 + carried), results, "the values carried on");
    outputs.subList(1 + carried, outputs.size()).forEach(row -> results.add(rows(row, loop)));
    return results;
  }

  private TensorType rows(TensorType row, Op.Loop loop) {
    require(loop.iterations().isDimension(), loop.iterations() + " iterations are no dimension");
    List<Affine> shape = new ArrayList<>(List.of(loop.iterations()));
    shape.addAll(row.shape());
    return row.withShape(shape);
  }

  private void requireCountable(TensorType result) {
    try {
      result.elements();
    } catch (ArithmeticException e) {
      throw wrong(Affine.fault(e));
    }
  }

  private static List<TensorType> types(List<Value> values) {
    return values.stream().map(Value::type).toList();
  }

  private void require(List<TensorType> found, List<TensorType> expected, String what) {
    require(found.equals(expected), "a body has " + found + ", " + what + " are " + expected);
  }

  private void require(boolean ok, String reason) {
    if (!ok) {
      throw wrong(reason);
    }
  }

  private ShapeException wrong(String reason) {
    return ShapeException.of(OpNames.of(op), operands, reason);
  }
}
