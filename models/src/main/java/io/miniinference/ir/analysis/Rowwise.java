package io.miniinference.ir.analysis;

import io.miniinference.ir.Addressing;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.ViewMap;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// The proof that requests may share a batch: which outputs are computed row by row.
///
/// A value is *shared* (the same whatever the batch holds), *by rows* (axis 0 is `c·N`, and its `c`
/// rows from `c·i` on depend on row *i* of the inputs alone), or *mixed*, which is all else. The
/// analysis is conservative: what it does not see through is mixed. An input without the batch
/// symbol is mixed too, since two requests may bring two of it.
public final class Rowwise {
  private enum Kind {
    SHARED,
    ROWS,
    MIXED
  }

  private final Map<Value, Kind> kinds = new HashMap<>();

  /* A graph whose inputs are of these kinds: a whole one, or the body of a node. */
  private Rowwise(Graph graph, List<Kind> inputs) {
    for (int i = 0; i < inputs.size(); i++) {
      kinds.put(graph.inputs().get(i), inputs.get(i));
    }
    graph.constants().keySet().forEach(v -> kinds.put(v, Kind.SHARED));
    graph.nodes().forEach(this::add);
  }

  private void add(Node node) {
    if (node.op() instanceof Op.Control control) {
      List<Kind> results = control(control, node.inputs().stream().map(this::kind).toList());
      for (int i = 0; i < results.size(); i++) {
        Value output = node.outputs().get(i);
        kinds.put(output, settle(results.get(i), output.type()));
      }
    } else {
      node.outputs().forEach(output -> kinds.put(output, node(node, output.type())));
    }
  }

  /// Per output whether its axis 0 is `N` and row *i* depends on rows *i* of the inputs only.
  public static List<Boolean> of(Graph graph) {
    List<Kind> inputs =
        graph.inputs().stream().map(v -> rows(v.type().shape()) ? Kind.ROWS : Kind.MIXED).toList();
    Rowwise analysis = new Rowwise(graph, inputs);
    return graph.outputs().stream().map(analysis::isRowwise).toList();
  }

  /// The graph with what [#of] finds.
  public static Graph mark(Graph graph) {
    return new Graph(
        graph.name(), graph.inputs(), graph.outputs(), graph.nodes(), graph.constants(), of(graph));
  }

  private boolean isRowwise(Value output) {
    return kind(output) == Kind.ROWS && output.type().dim(0).equals(Affine.N);
  }

  private Kind kind(Value value) {
    return kinds.getOrDefault(value, Kind.MIXED);
  }

  private static boolean rows(List<Affine> shape) {
    return !shape.isEmpty()
        && !shape.getFirst().isConstant()
        && shape.subList(1, shape.size()).stream().allMatch(Affine::isConstant);
  }

  private static List<Kind> outputs(Graph body, List<Kind> inputs) {
    Rowwise analysis = new Rowwise(body, inputs);
    return body.outputs().stream().map(analysis::kind).toList();
  }

  private static List<Kind> control(Op.Control control, List<Kind> operands) {
    return switch (control) {
      case Op.If branch -> {
        List<Kind> captured = operands.subList(1, operands.size());
        List<Kind> then = outputs(branch.then(), captured);
        List<Kind> otherwise = outputs(branch.otherwise(), captured);
        yield operands.getFirst() == Kind.SHARED ? joined(then, otherwise) : mixed(then.size());
      }
      case Op.Loop loop -> loop(loop, operands);
      case Op.Iteration iteration -> outputs(iteration.body(), operands);
    };
  }

  /* What is carried is of one kind before the loop and after each iteration, or mixed. */
  private static List<Kind> loop(Op.Loop loop, List<Kind> operands) {
    List<Kind> inputs = new ArrayList<>(List.of(Kind.SHARED));
    inputs.addAll(operands.subList(2, operands.size()));
    List<Kind> outputs;
    do {
      outputs = outputs(loop.body(), inputs);
    } while (carry(outputs.subList(1, 1 + loop.carried()), inputs));
    boolean shared =
        operands.get(0) == Kind.SHARED
            && operands.get(1) == Kind.SHARED
            && outputs.getFirst() == Kind.SHARED;
    return shared ? results(loop, outputs) : mixed(outputs.size() - 1);
  }

  /* Joins what an iteration gives into what it is given; whether that changed anything. */
  private static boolean carry(List<Kind> outputs, List<Kind> inputs) {
    List<Kind> carried = inputs.subList(1, 1 + outputs.size());
    List<Kind> next = joined(carried, outputs);
    boolean changed = !next.equals(carried);
    Collections.copy(carried, next);
    return changed;
  }

  /* Rows of all iterations lie along an axis of their own: they are shared, or mixed. */
  private static List<Kind> results(Op.Loop loop, List<Kind> outputs) {
    List<Kind> results = new ArrayList<>(outputs.subList(1, outputs.size()));
    for (int i = loop.carried(); i < results.size(); i++) {
      results.set(i, results.get(i) == Kind.SHARED ? Kind.SHARED : Kind.MIXED);
    }
    return results;
  }

  private static List<Kind> joined(List<Kind> left, List<Kind> right) {
    return IntStream.range(0, left.size())
        .mapToObj(i -> left.get(i) == right.get(i) ? left.get(i) : Kind.MIXED)
        .toList();
  }

  private static List<Kind> mixed(int count) {
    return Collections.nCopies(count, Kind.MIXED);
  }

  private Kind node(Node node, TensorType result) {
    Expr epilogue = node.epilogue();
    List<Operand> operands =
        node.operandValues().stream().map(v -> new Operand(kind(v), v.type())).toList();
    Kind own = settle(op(node.op(), operands, result), result);
    if (epilogue == null) {
      return own;
    }
    List<Operand> all = new ArrayList<>();
    all.add(new Operand(own, result));
    node.epilogueValues().forEach(v -> all.add(new Operand(kind(v), v.type())));
    return settle(elementwise(epilogue, all, result), result);
  }

  /* By rows and shared are claims about the shape too. */
  private static Kind settle(Kind kind, TensorType type) {
    return switch (kind) {
      case MIXED -> Kind.MIXED;
      case ROWS -> rows(type.shape()) ? Kind.ROWS : Kind.MIXED;
      case SHARED -> type.isStatic() ? Kind.SHARED : rows(type.shape()) ? Kind.ROWS : Kind.MIXED;
    };
  }

  private record Operand(Kind kind, TensorType type) {
    boolean isShared() {
      return kind == Kind.SHARED;
    }

    /// Whether axis 0 holds the rows of a result of `rank` axes, the last ones aligned.
    boolean isRowsOf(int rank) {
      return kind == Kind.ROWS && type.rank() == rank;
    }
  }

  private static Kind op(Op op, List<Operand> operands, TensorType result) {
    if (op instanceof Op.Elementwise elementwise) {
      return elementwise(elementwise.expr(), operands, result);
    }
    if (operands.stream().anyMatch(o -> o.kind() == Kind.MIXED)) {
      return Kind.MIXED;
    }
    if (operands.stream().allMatch(Operand::isShared)) {
      return Kind.SHARED;
    }
    return keepsRows(op, operands, result) ? Kind.ROWS : Kind.MIXED;
  }

  /* Whether rows stay rows; every operand is shared or by rows, and one at least is by rows. */
  private static boolean keepsRows(Op op, List<Operand> operands, TensorType result) {
    return switch (op) {
      case Op.Elementwise _, Op.Control _ ->
          throw new IllegalStateException("has a rule of its own");
      case Op.Reduce reduce -> !reduce.axes().contains(0);
      case Op.View view -> keepsRows(view.map(), operands.getFirst().type(), result);
      case Op.Concat concat -> concat.axis() != 0 && operands.stream().noneMatch(Operand::isShared);
      case Op.Gather gather -> gather(gather.selection(), operands.get(0), operands.get(1));
      case Op.Scatter scatter -> scatter(scatter.selection(), operands);
      case Op.MatMul matMul -> matMul(matMul, operands.get(0), operands.get(1), result.rank());
      case Op.Convolution _ -> operands.get(1).isShared();
      case Op.WindowReduce _ -> true;
      case Op.RowOp rows -> !rows.rowAxes().contains(0);
    };
  }

  /* Rows of the result come from rows of the indices into shared data, from shared indices into rows
  of the data, or from rows of both at the same place. */
  private static boolean gather(Selection selection, Operand data, Operand indices) {
    Addressing addressing = Addressing.of(selection, data.type(), indices.type());
    boolean keepsData = addressing.sources().getFirst().equals(new Addressing.Source.Moved(0));
    boolean keepsIndices = addressing.tupleAxes() > 0 && addressing.firstAxis() == 0;
    if (keepsData && keepsIndices) {
      return data.kind() == Kind.ROWS
          && indices.kind() == Kind.ROWS
          && data.type().dim(0).equals(indices.type().dim(0));
    }
    return keepsData ? indices.isShared() : keepsIndices && data.isShared();
  }

  /* Updates stay in their row where it is no index that says which. */
  private static boolean scatter(Selection selection, List<Operand> operands) {
    TensorType data = operands.getFirst().type();
    Addressing addressing = Addressing.of(selection, data, operands.get(1).type());
    return addressing.sources().getFirst().equals(new Addressing.Source.Moved(0))
        && operands.stream()
            .allMatch(o -> o.kind() == Kind.ROWS && o.type().dim(0).equals(data.dim(0)));
  }

  /* A reshape keeps row-major order, so each row's elements stay together whatever c becomes. */
  private static boolean keepsRows(ViewMap map, TensorType x, TensorType result) {
    return switch (map) {
      case ViewMap.Reshape _ -> true;
      case ViewMap.Transpose transpose -> transpose.permutation().getFirst() == 0;
      case ViewMap.Expand _ -> result.rank() == x.rank();
      case ViewMap.Slice slice ->
          slice.starts().getFirst().isZero()
              && slice.steps().getFirst() == 1
              && slice.extents().getFirst().equals(x.dim(0));
    };
  }

  private static boolean matMul(Op.MatMul matMul, Operand a, Operand b, int rank) {
    if (rank == 2) {
      return a.isRowsOf(2) && !matMul.transposeA() && b.isShared();
    }
    return (a.isShared() || a.isRowsOf(rank)) && (b.isShared() || b.isRowsOf(rank));
  }

  private static Kind elementwise(Expr expr, List<Operand> operands, TensorType result) {
    return rowSafe(expr, operands, result)
        ? (result.isStatic() ? Kind.SHARED : Kind.ROWS)
        : Kind.MIXED;
  }

  /* Whether a row's elements depend on that row and on shared values only. */
  private static boolean rowSafe(Expr expr, List<Operand> operands, TensorType result) {
    return switch (expr) {
      case Expr.Arg arg -> {
        Operand x = operands.get(arg.index());
        yield x.isShared() || x.isRowsOf(result.rank());
      }
      case Expr.At at -> rowSafe(at, operands, result);
      case Expr.Index index -> index.axis() != 0 || result.isStatic();
      case Expr.Extent extent -> extent.value().isConstant();
      case Expr.Const _, Expr.Unary _, Expr.Binary _, Expr.Select _, Expr.Cast _ ->
          ExprTree.children(expr).stream().allMatch(e -> rowSafe(e, operands, result));
    };
  }

  private static boolean rowSafe(Expr.At at, List<Operand> operands, TensorType result) {
    Operand x = operands.get(at.index());
    List<Expr> coordinates = at.coordinates();
    boolean ownRow =
        x.kind() == Kind.ROWS
            && !coordinates.isEmpty()
            && coordinates.getFirst().equals(new Expr.Index(0))
            && x.type().dim(0).equals(result.dim(0));
    List<Expr> others = ownRow ? coordinates.subList(1, coordinates.size()) : coordinates;
    return (x.isShared() || ownRow) && others.stream().allMatch(e -> rowSafe(e, operands, result));
  }
}
