package io.miniinference.pass.narrow;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.ir.type.OpType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Stores what nodes hand to each other in 16 bits where a graph has `f32`, weights of products
/// too: a value that is read by an operator is rounded once, when it is stored. Expressions compute
/// in `f32` as before, and inputs and outputs of the graph keep their types. What is too large for
/// 16 bits is stored as the largest number that is not, where it is an input of the graph, or where
/// an expression gives it that reads one or has a finite number that is too large.
///
/// What stays as it is: values that [WideFloats] names, the graphs inside of If and Loop, and
/// constants that expressions read.
public final class NarrowFloats {
  private static final ElementType WIDE = ElementType.F32;

  private final Graph graph;
  private final ElementType narrow;
  private final WideFloats wide;
  private final Map<Value, Value> types = new HashMap<>();
  private final Map<Value, Value> copies = new HashMap<>();
  private final Map<Value, Tensor> constants;
  private final List<Node> nodes = new ArrayList<>();

  private NarrowFloats(Graph graph, ElementType narrow) {
    this.graph = graph;
    this.narrow = narrow;
    wide = WideFloats.of(graph);
    constants = new LinkedHashMap<>();
  }

  /// The graph with 16-bit floats between its nodes; a graph without `f32` is as it was.
  ///
  /// @param narrow `F16` or `BF16`
  public static Graph of(Graph graph, ElementType narrow) {
    return new NarrowFloats(graph, narrow).graph();
  }

  private Graph graph() {
    graph.nodes().forEach(this::rewrite);
    Map<Value, Tensor> kept = new LinkedHashMap<>(graph.constants());
    kept.keySet().retainAll(usedConstants());
    kept.putAll(constants);
    return GraphCheck.check(
        new Graph(graph.name(), graph.inputs(), graph.outputs(), nodes, kept, graph.rowwise()));
  }

  private Set<Value> usedConstants() {
    Set<Value> used = new java.util.HashSet<>(graph.outputs());
    nodes.forEach(node -> used.addAll(node.inputs()));
    return used;
  }

  private void rewrite(Node node) {
    switch (node.op()) {
      case Op.Elementwise map -> elementwise(node, map);
      case Op.Control _ ->
          add(node, node.op(), null, operands(node, this::widened), node.outputs());
      case Op.Reduce reduce -> reduce(node, reduce);
      default -> operator(node);
    }
  }

  /* Operands may have either type: the expression widens what is narrow. */
  private void elementwise(Node node, Op.Elementwise map) {
    List<Value> inputs = node.inputs().stream().map(this::stored).toList();
    Value output = result(node.output());
    Expr expr =
        rounded(widening(map.expr(), node.inputs(), 0), node.inputs(), node.output(), output);
    add(node, new Op.Elementwise(expr, output.type()), null, inputs, List.of(output));
  }

  private void reduce(Node node, Op.Reduce reduce) {
    boolean asIs = node.inputs().getFirst().type().element() != WIDE;
    Value operand = stored(node.inputs().getFirst());
    Expr map = asIs || operand.type().element() == WIDE ? reduce.map() : widened(reduce.map(), 0);
    Op op = new Op.Reduce(reduce.kind(), reduce.axes(), reduce.keepDims(), map);
    withEpilogue(node, op, List.of(operand));
  }

  /* All floats that it reads have one type, and so has what it computes. Where nothing can widen that
  behind it, a node of its own does. */
  private void operator(Node node) {
    boolean isWide = wide.keeps(node);
    List<Value> operands = operands(node, isWide ? this::widened : this::narrowed);
    if (node.outputs().size() > 1 || !OpType.takesEpilogue(node.op())) {
      List<Value> made = node.outputs().stream().map(v -> isWide ? v : made(v)).toList();
      add(node, node.op(), null, operands, made);
      for (int i = 0; i < made.size(); i++) {
        copyOut(node, made.get(i), node.outputs().get(i));
      }
      return;
    }
    withEpilogue(node, node.op(), operands);
  }

  /* A result in 16 bits, under another name where the value itself stays wide. */
  private Value made(Value output) {
    if (!isWide(output)) {
      return output;
    }
    return wide.contains(output)
        ? new Value(output.name() + " (" + narrow + ")", narrowed(output.type()))
        : result(output);
  }

  private void copyOut(Node node, Value made, Value output) {
    if (isWide(output) && wide.contains(output) && made.type().element() == narrow) {
      copies.put(output, made);
      cast(node.name(), node.onnxOp(), made, output);
    }
  }

  private void withEpilogue(Node node, Op op, List<Value> operands) {
    Value output = result(node.output());
    List<Value> inputs = new ArrayList<>(operands);
    node.epilogueValues().forEach(v -> inputs.add(stored(v)));
    Expr expr = node.epilogue() == null ? new Expr.Arg(0) : node.epilogue();
    Expr widened = widening(expr, node.epilogueValues(), 1);
    if (isNarrowed(node, op, operands)) {
      widened = widened(widened, 0);
    }
    Expr epilogue = rounded(widened, node.epilogueValues(), node.output(), output);
    boolean isNone = node.epilogue() == null && epilogue.equals(expr);
    add(node, op, isNone ? null : epilogue, inputs, List.of(output));
  }

  /* Whether the operator's own result was wide and is not, which its operands need not tell: of
  floats it may give places, and halves may be the model's own. */
  private boolean isNarrowed(Node node, Op op, List<Value> operands) {
    return element(node.op(), node.operandValues()) == WIDE && element(op, operands) == narrow;
  }

  private static ElementType element(Op op, List<Value> operands) {
    return OpType.of(op, operands.stream().map(Value::type).toList()).element();
  }

  /* An expression of `f32` as one of the type that its value is stored in. */
  private Expr rounded(Expr expr, List<Value> operands, Value before, Value after) {
    if (before.type().equals(after.type())) {
      return expr;
    }
    return expr instanceof Expr.Cast(ElementType to, Expr value)
            && to == WIDE
            && isNarrowOperand(value)
        ? value
        : new Expr.Cast(narrow, mayBeLarger(expr, operands) ? bounded(expr) : expr);
  }

  private boolean mayBeLarger(Expr expr, List<Value> operands) {
    return ExprTree.any(expr, this::isLarger)
        || operands.stream().anyMatch(it -> isWide(it) && graph.inputs().contains(it));
  }

  private boolean isLarger(Expr part) {
    return part instanceof Expr.Const number
        && number.type() == WIDE
        && Double.isFinite(number.asDouble())
        && Math.abs(number.asDouble()) > NarrowTensor.largest(narrow);
  }

  /* Files hide keys from queries by the least `f32`. Were that infinite, a query that sees none, such
  as one of padding ahead of a text, would be NaN instead of a mean, and so would all that sees it. */
  private Expr bounded(Expr expr) {
    float largest = NarrowTensor.largest(narrow);
    Expr below = new Expr.Binary(Expr.BinaryOp.MIN, expr, Expr.Const.of(WIDE, largest));
    return new Expr.Binary(Expr.BinaryOp.MAX, below, Expr.Const.of(WIDE, -largest));
  }

  private boolean isNarrowOperand(Expr value) {
    return narrowOperands.contains(value);
  }

  /* Reads of 16-bit floats that were widened. */
  private final Set<Expr> narrowOperands = new java.util.HashSet<>();

  private Expr widening(Expr expr, List<Value> operands, int shift) {
    narrowOperands.clear();
    Expr widened = expr;
    for (int k = 0; k < operands.size(); k++) {
      Value operand = operands.get(k);
      if (isWide(operand) && stored(operand).type().element() == narrow) {
        widened = widened(widened, k + shift);
      }
    }
    return widened;
  }

  /* The expression with a cast around each read of an operand. */
  private Expr widened(Expr expr, int operand) {
    return switch (expr) {
      case Expr.Arg arg when arg.index() == operand -> wideRead(arg);
      case Expr.At at -> {
        Expr moved =
            new Expr.At(
                at.index(), at.coordinates().stream().map(c -> widened(c, operand)).toList());
        yield at.index() == operand ? wideRead(moved) : moved;
      }
      default -> ExprTree.mapChildren(expr, child -> widened(child, operand));
    };
  }

  private Expr wideRead(Expr read) {
    narrowOperands.add(read);
    return new Expr.Cast(WIDE, read);
  }

  private List<Value> operands(Node node, java.util.function.UnaryOperator<Value> as) {
    return node.operandValues().stream().map(v -> isWide(v) ? as.apply(v) : v).toList();
  }

  private static boolean isWide(Value value) {
    return value.type().element() == WIDE;
  }

  private TensorType narrowed(TensorType type) {
    return new TensorType(narrow, type.shape());
  }

  /* Where a value of the graph is stored now. */
  private Value stored(Value value) {
    return types.getOrDefault(value, value);
  }

  /* Where a node's result is stored. */
  private Value result(Value value) {
    if (!isWide(value) || wide.contains(value)) {
      return value;
    }
    return types.computeIfAbsent(value, v -> new Value(v.name(), narrowed(v.type())));
  }

  /* The value in 16 bits: as it is stored, or a copy. */
  private Value narrowed(Value value) {
    Value now = stored(value);
    if (now.type().element() == narrow) {
      return now;
    }
    Value known = copies.get(value);
    if (known == null) {
      known = new Value(value.name() + " (" + narrow + ")", narrowed(value.type()));
      copies.put(value, known);
      bring(value, known);
    }
    return known;
  }

  private void bring(Value value, Value copy) {
    Tensor constant = graph.constants().get(value);
    if (constant != null) {
      constants.put(copy, NarrowTensor.of(constant, narrow));
    } else {
      Expr given = new Expr.Arg(0);
      Expr taken = graph.inputs().contains(value) ? bounded(given) : given;
      map(copy.name(), "Cast", new Expr.Cast(narrow, taken), value, copy);
    }
  }

  /* The value in 32 bits: as it is stored, or a copy. */
  private Value widened(Value value) {
    Value now = stored(value);
    if (now.type().element() == WIDE) {
      return now;
    }
    Value copy = new Value(value.name() + " (" + WIDE + ")", value.type());
    return copies.computeIfAbsent(
        copy,
        _ -> {
          cast(copy.name(), "Cast", now, copy);
          return copy;
        });
  }

  private void cast(String name, String onnxOp, Value from, Value to) {
    map(name, onnxOp, new Expr.Cast(to.type().element(), new Expr.Arg(0)), from, to);
  }

  private void map(String name, String onnxOp, Expr expr, Value from, Value to) {
    nodes.add(Node.of(name, onnxOp, new Op.Elementwise(expr, to.type()), List.of(from), to));
  }

  private void add(
      Node node, Op op, @Nullable Expr epilogue, List<Value> inputs, List<Value> outputs) {
    int operands = epilogue == null ? inputs.size() : node.operands();
    nodes.add(new Node(node.name(), node.onnxOp(), op, epilogue, operands, inputs, outputs));
  }
}
