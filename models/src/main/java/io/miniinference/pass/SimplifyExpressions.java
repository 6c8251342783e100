package io.miniinference.pass;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.type.OpType;
import java.util.ArrayList;
import java.util.List;

/// Makes expressions smaller without changing a bit of what they give ([ExprRules] has the rules),
/// and drops inputs that no expression reads any more.
public final class SimplifyExpressions implements Pass {
  private final ConstantExpressions constants;

  public SimplifyExpressions(Evaluator evaluator) {
    this.constants = new ConstantExpressions(evaluator);
  }

  @Override
  public Graph apply(Graph graph) {
    return Rewrite.nodes(graph, graph.nodes().stream().map(this::node).toList());
  }

  private Node node(Node node) {
    List<ElementType> operands = elements(node.operandValues());
    return switch (node.op()) {
      case Op.Elementwise(Expr expr, TensorType type) -> {
        Expr simple = simplify(expr, operands);
        yield simple.equals(expr) ? node : elementwise(node, simple, type);
      }
      case Op.Reduce reduce -> {
        Expr map = simplify(reduce.map(), operands);
        Op op = new Op.Reduce(reduce.kind(), reduce.axes(), reduce.keepDims(), map);
        yield epilogue(Rewrite.with(node, op, node.epilogue(), node.operands(), node.inputs()));
      }
      case Op.Rearrangement _, Op.Indexed _, Op.Regular _, Op.Control _ -> epilogue(node);
    };
  }

  private static Node elementwise(Node node, Expr expr, TensorType type) {
    OperandList operands = new OperandList();
    Expr packed = operands.pack(expr, node.inputs());
    return Rewrite.with(
        node, new Op.Elementwise(packed, type), null, operands.size(), operands.values());
  }

  private Node epilogue(Node node) {
    Expr epilogue = node.epilogue();
    if (epilogue == null) {
      return node;
    }
    List<TensorType> types = node.operandValues().stream().map(Value::type).toList();
    List<ElementType> elements = new ArrayList<>();
    elements.add(OpType.of(node.op(), types).element());
    elements.addAll(elements(node.epilogueValues()));
    Expr simple = simplify(epilogue, elements);
    return simple.equals(epilogue) ? node : withEpilogue(node, simple);
  }

  private static Node withEpilogue(Node node, Expr simple) {
    if (simple.equals(new Expr.Arg(0))) {
      return Rewrite.with(node, node.op(), null, node.operands(), node.operandValues());
    }
    OperandList extra = new OperandList(1);
    Expr packed = extra.packEpilogue(simple, node);
    List<Value> inputs = new ArrayList<>(node.operandValues());
    inputs.addAll(extra.values());
    return Rewrite.with(node, node.op(), packed, node.operands(), inputs);
  }

  private Expr simplify(Expr expr, List<ElementType> operands) {
    Expr inner = ExprTree.mapChildren(expr, child -> simplify(child, operands));
    Expr simple = ExprRules.apply(constants.fold(inner), operands);
    return simple.equals(inner) ? inner : simplify(simple, operands);
  }

  private static List<ElementType> elements(List<Value> values) {
    return values.stream().map(v -> v.type().element()).toList();
  }
}
