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
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// The proof that requests may share a batch: which outputs are computed row by row.
///
/// A value is *shared* (the same whatever the batch holds), *by rows* (one of its axes is `c·N`,
/// all others are constant, and the `c` elements of that axis from `c·i` on depend on row *i* of
/// the inputs alone), or *mixed*, which is all else. The analysis is conservative: what it does not
/// see through is mixed. An input without the batch symbol is mixed too, since two requests may
/// bring two of it.
///
/// The batch may travel along other axes than 0, as it does where layers want the steps of a
/// sequence first. Where a step that may fail has it there, no output is by rows, since a failure
/// tells its row by axis 0.
public final class Rowwise {
  /// What a value is.
  ///
  /// @param axis that of the batch, if it is by rows
  private record Kind(int axis) {
    static final Kind SHARED = new Kind(-1);
    static final Kind MIXED = new Kind(-2);

    static Kind rows(int axis) {
      return new Kind(axis);
    }

    boolean isRows() {
      return axis >= 0;
    }
  }

  private final Map<Value, Kind> kinds = new HashMap<>();
  private final Fallible fallible;

  /// Whether a step that may fail has its rows along another axis than 0.
  private boolean failsAside;

  /* A graph whose inputs are of these kinds: a whole one, or the body of a node. */
  private Rowwise(Graph graph, List<Kind> inputs) {
    fallible = Fallible.in(graph);
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
    failsAside |=
        node.outputs().stream().anyMatch(output -> kind(output).axis() > 0)
            && fallible.mayFail(node);
  }

  /// Per output whether its axis 0 is `N` and row *i* depends on rows *i* of the inputs only.
  public static List<Boolean> of(Graph graph) {
    if (!graph.hasBatch()) {
      return Collections.nCopies(graph.outputs().size(), false);
    }
    List<Kind> inputs =
        graph.inputs().stream()
            .map(v -> batchAxis(v.type().shape()) == 0 ? Kind.rows(0) : Kind.MIXED)
            .toList();
    Rowwise analysis = new Rowwise(graph, inputs);
    return graph.outputs().stream().map(analysis::isRowwise).toList();
  }

  /// The graph with what [#of] finds.
  public static Graph mark(Graph graph) {
    return new Graph(
        graph.name(), graph.inputs(), graph.outputs(), graph.nodes(), graph.constants(), of(graph));
  }

  private boolean isRowwise(Value output) {
    return !failsAside && kind(output).axis() == 0 && output.type().dim(0).equals(Affine.N);
  }

  private Kind kind(Value value) {
    return kinds.getOrDefault(value, Kind.MIXED);
  }

  /* The only axis that is not constant; −1 if there is none, or more than one. */
  private static int batchAxis(List<Affine> shape) {
    int only = -1;
    for (int i = 0; i < shape.size(); i++) {
      if (!shape.get(i).isConstant()) {
        if (only >= 0) {
          return -1;
        }
        only = i;
      }
    }
    return only;
  }

  private List<Kind> outputs(Graph body, List<Kind> inputs) {
    Rowwise analysis = new Rowwise(body, inputs);
    failsAside |= analysis.failsAside;
    return body.outputs().stream().map(analysis::kind).toList();
  }

  private List<Kind> control(Op.Control control, List<Kind> operands) {
    return switch (control) {
      case Op.If branch -> {
        List<Kind> captured = operands.subList(1, operands.size());
        List<Kind> then = outputs(branch.then(), captured);
        List<Kind> otherwise = outputs(branch.otherwise(), captured);
        yield operands.getFirst().equals(Kind.SHARED)
            ? joined(then, otherwise)
            : mixed(then.size());
      }
      case Op.Loop loop -> loop(loop, operands);
      case Op.Iteration iteration -> outputs(iteration.body(), operands);
    };
  }

  /* What is carried is of one kind before the loop and after each iteration, or mixed. */
  private List<Kind> loop(Op.Loop loop, List<Kind> operands) {
    List<Kind> inputs = new ArrayList<>(List.of(Kind.SHARED));
    inputs.addAll(operands.subList(2, operands.size()));
    List<Kind> outputs;
    do {
      outputs = outputs(loop.body(), inputs);
    } while (carry(outputs.subList(1, 1 + loop.carried()), inputs));
    boolean shared =
        operands.get(0).equals(Kind.SHARED)
            && operands.get(1).equals(Kind.SHARED)
            && outputs.getFirst().equals(Kind.SHARED);
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

  /* What each iteration gives lies behind an axis of its own. */
  private static List<Kind> results(Op.Loop loop, List<Kind> outputs) {
    List<Kind> results = new ArrayList<>(outputs.subList(1, outputs.size()));
    for (int i = loop.carried(); i < results.size(); i++) {
      Kind kind = results.get(i);
      results.set(i, kind.isRows() ? Kind.rows(kind.axis() + 1) : kind);
    }
    return results;
  }

  private static List<Kind> joined(List<Kind> left, List<Kind> right) {
    return IntStream.range(0, left.size())
        .mapToObj(i -> left.get(i).equals(right.get(i)) ? left.get(i) : Kind.MIXED)
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
    int axis = batchAxis(type.shape());
    if (kind.equals(Kind.SHARED) && !type.isStatic()) {
      return axis >= 0 ? Kind.rows(axis) : Kind.MIXED;
    }
    return !kind.isRows() || kind.axis() == axis ? kind : Kind.MIXED;
  }

  private record Operand(Kind kind, TensorType type) {
    boolean isShared() {
      return kind.equals(Kind.SHARED);
    }

    /// Whether axis 0 holds the rows of a result of `rank` axes, the last ones aligned.
    boolean isRowsOf(int rank) {
      return kind.axis() == 0 && type.rank() == rank;
    }

    /// Whether, the last axes aligned, an axis of the result holds the rows.
    boolean isRowsOf(TensorType result, int axis) {
      return kind.isRows() && kind.axis() + result.rank() - type.rank() == axis;
    }
  }

  private static Kind op(Op op, List<Operand> operands, TensorType result) {
    if (op instanceof Op.Elementwise elementwise) {
      return elementwise(elementwise.expr(), operands, result);
    }
    if (operands.stream().anyMatch(o -> o.kind().equals(Kind.MIXED))) {
      return Kind.MIXED;
    }
    if (operands.stream().allMatch(Operand::isShared)) {
      return Kind.SHARED;
    }
    boolean first = operands.stream().allMatch(o -> o.isShared() || o.kind().axis() == 0);
    return first && keepsRows(op, operands, result)
        ? Kind.rows(0)
        : elsewhere(op, operands, result);
  }

  /* Where an operator of a first operand by rows has its rows, whatever the axis; operands after it
  must be shared. */
  private static Kind elsewhere(Op op, List<Operand> operands, TensorType result) {
    Operand x = operands.getFirst();
    boolean alone = operands.stream().skip(1).allMatch(Operand::isShared);
    boolean several = op instanceof Op.Concat || op instanceof Op.Recurrent;
    if (!x.kind().isRows() || !(alone || several)) {
      return Kind.MIXED;
    }
    int axis = x.kind().axis();
    return switch (op) {
      case Op.View view -> view(view.map(), x.type(), axis, result);
      case Op.Reduce reduce -> reduce(reduce, axis);
      case Op.Concat concat -> concat(concat, operands, axis);
      case Op.Gather gather -> gather(gather.selection(), x, operands.get(1).type());
      case Op.MatMul matMul -> matMul(matMul, operands, axis);
      case Op.Recurrent _ -> recurrent(operands, axis);
      case Op.RowOp rows -> rows.rowAxes().contains(axis) ? Kind.MIXED : Kind.rows(axis);
      case Op.Elementwise _, Op.Control _, Op.Scatter _ -> Kind.MIXED;
      case Op.Convolution _, Op.WindowReduce _, Op.Attention _ -> Kind.MIXED;
    };
  }

  /* A reshape keeps row-major order: where as many elements lie ahead of the axis as before, each
  row keeps its elements. */
  private static Kind view(Movement map, TensorType x, int axis, TensorType result) {
    return switch (map) {
      case Movement.Reshape _ -> {
        int place = batchAxis(result.shape());
        boolean same = place >= 0 && ahead(x, axis).equals(ahead(result, place));
        yield same ? Kind.rows(place) : Kind.MIXED;
      }
      case Movement.Transpose(List<Integer> permutation) -> Kind.rows(permutation.indexOf(axis));
      case Movement.Expand _ -> Kind.rows(axis + result.rank() - x.rank());
      case Movement.Slice slice -> keepsAxis(slice, x, axis) ? Kind.rows(axis) : Kind.MIXED;
    };
  }

  private static Affine ahead(TensorType type, int axis) {
    return type.shape().subList(0, axis).stream().reduce(Affine.ONE, Affine::times);
  }

  private static boolean keepsAxis(Movement.Slice slice, TensorType x, int axis) {
    return slice.starts().get(axis).isZero()
        && slice.steps().get(axis) == 1
        && slice.extents().get(axis).equals(x.dim(axis));
  }

  private static Kind reduce(Op.Reduce reduce, int axis) {
    if (reduce.axes().contains(axis)) {
      return Kind.MIXED;
    }
    long gone = reduce.keepDims() ? 0 : reduce.axes().stream().filter(a -> a < axis).count();
    return Kind.rows(axis - (int) gone);
  }

  private static Kind concat(Op.Concat concat, List<Operand> operands, int axis) {
    boolean same = operands.stream().allMatch(o -> o.kind().axis() == axis);
    return same && concat.axis() != axis ? Kind.rows(axis) : Kind.MIXED;
  }

  /* States and lengths have the batch where the inputs have it. */
  private static Kind recurrent(List<Operand> operands, int axis) {
    boolean same = operands.stream().allMatch(o -> o.isShared() || o.kind().axis() == axis);
    return same && axis == 1 ? Kind.rows(axis) : Kind.MIXED;
  }

  /* Of shared indices into other axes than that of the rows. */
  private static Kind gather(Selection selection, Operand data, TensorType indices) {
    int moved = Addressing.of(selection, data.type(), indices).movedAxis(data.kind().axis());
    return moved >= 0 ? Kind.rows(moved) : Kind.MIXED;
  }

  /* Of one shared matrix, with rows beside each other or along the axes around them. */
  private static Kind matMul(Op.MatMul matMul, List<Operand> operands, int axis) {
    int rank = operands.getFirst().type().rank();
    boolean one = operands.get(1).type().rank() == 2 && rank > 2;
    boolean summed = axis == (matMul.transposeA() ? rank - 2 : rank - 1);
    return one && !summed && !matMul.transposeA() ? Kind.rows(axis) : Kind.MIXED;
  }

  /* Whether rows stay rows along axis 0; every operand is shared or by rows there, and one at least
  is by rows. */
  private static boolean keepsRows(Op op, List<Operand> operands, TensorType result) {
    return switch (op) {
      case Op.Elementwise _, Op.Control _ ->
          throw new IllegalStateException("has a rule of its own");
      case Op.Reduce _, Op.View _ -> false; // have rules for any axis
      case Op.Concat concat -> concat.axis() != 0 && operands.stream().noneMatch(Operand::isShared);
      case Op.Gather gather -> gather(gather.selection(), operands.get(0), operands.get(1));
      case Op.Scatter scatter -> scatter(scatter.selection(), operands);
      case Op.MatMul matMul -> matMul(matMul, operands.get(0), operands.get(1), result.rank());
      case Op.Attention _ -> attention(operands, result.rank());
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
      return data.kind().isRows()
          && indices.kind().isRows()
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
            .allMatch(o -> o.kind().isRows() && o.type().dim(0).equals(data.dim(0)));
  }

  private static boolean matMul(Op.MatMul matMul, Operand a, Operand b, int rank) {
    if (rank == 2) {
      return a.isRowsOf(2) && !matMul.transposeA() && b.isShared();
    }
    return (a.isShared() || a.isRowsOf(rank)) && (b.isShared() || b.isRowsOf(rank));
  }

  /* Of rows around the matrices. */
  private static boolean attention(List<Operand> operands, int rank) {
    return rank > 2 && operands.stream().allMatch(x -> x.isShared() || x.isRowsOf(rank));
  }

  private static Kind elementwise(Expr expr, List<Operand> operands, TensorType result) {
    int axis = batchAxis(result.shape());
    if (!result.isStatic() && axis < 0) {
      return Kind.MIXED;
    }
    boolean safe = new RowSafe(operands, result, axis).test(expr);
    return !safe ? Kind.MIXED : result.isStatic() ? Kind.SHARED : Kind.rows(axis);
  }

  /// Whether a row's elements depend on that row and on shared values only.
  ///
  /// @param axis of the rows in the result; −1 if it has none
  private record RowSafe(List<Operand> operands, TensorType result, int axis) {
    boolean test(Expr expr) {
      return switch (expr) {
        case Expr.Arg arg -> {
          Operand x = operands.get(arg.index());
          yield x.isShared() || x.isRowsOf(result, axis);
        }
        case Expr.At at -> test(at);
        case Expr.Index index -> index.axis() != axis;
        case Expr.Extent extent -> extent.value().isConstant();
        case Expr.Const _, Expr.Unary _, Expr.Binary _, Expr.Select _, Expr.Cast _ ->
            ExprTree.children(expr).stream().allMatch(this::test);
      };
    }

    private boolean test(Expr.At at) {
      Operand x = operands.get(at.index());
      int rows = x.kind().axis();
      List<Expr> coordinates = at.coordinates();
      boolean ownRow =
          axis >= 0
              && x.kind().isRows()
              && coordinates.get(rows).equals(new Expr.Index(axis))
              && x.type().dim(rows).equals(result.dim(axis));
      return (x.isShared() || ownRow)
          && IntStream.range(0, coordinates.size())
              .filter(i -> !ownRow || i != rows)
              .allMatch(i -> test(coordinates.get(i)));
    }
  }
}
