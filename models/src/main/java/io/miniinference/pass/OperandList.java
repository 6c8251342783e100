package io.miniinference.pass;

import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Node;
import io.miniinference.ir.Value;
import java.util.ArrayList;
import java.util.List;

/// The inputs of a node in the making: each value once, numbered in order of first use.
final class OperandList {
  private final List<Value> values = new ArrayList<>();
  private final int first;

  OperandList() {
    this(0);
  }

  /// Numbers from `first` on: 1 for an epilogue, whose operand 0 is its node's result.
  OperandList(int first) {
    this.first = first;
  }

  int numberOf(Value value) {
    int at = values.indexOf(value);
    if (at < 0) {
      values.add(value);
      at = values.size() - 1;
    }
    return first + at;
  }

  /// `expr` over this list instead of over `inputs`.
  Expr pack(Expr expr, List<Value> inputs) {
    ExprTree.usedArgs(expr).forEach(k -> numberOf(inputs.get(k)));
    return ExprTree.renumber(expr, k -> numberOf(inputs.get(k)));
  }

  /// An epilogue of `node` over this list, operand 0 staying.
  Expr packEpilogue(Expr epilogue, Node node) {
    ExprTree.usedArgs(epilogue).stream()
        .filter(k -> k > 0)
        .forEach(k -> numberOf(node.epilogueValues().get(k - 1)));
    return ExprTree.renumber(
        epilogue, k -> k == 0 ? 0 : numberOf(node.epilogueValues().get(k - 1)));
  }

  List<Value> values() {
    return List.copyOf(values);
  }

  int size() {
    return values.size();
  }
}
