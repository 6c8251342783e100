package io.miniinference.pass.views;

import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import io.miniinference.pass.Evaluator;
import io.miniinference.pass.FreshNames;
import io.miniinference.pass.Pass;
import io.miniinference.pass.Rewrite;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Computes at load what is the same in each row of a batch, and repeats that one row: positions
/// and masks that a network makes of a constant, expanded to the batch that it is given.
///
/// A row is computed as a batch of one, of values that are all alike in their rows, by operators
/// that do not look along the batch. Rows over [#MOST_BYTES] stay as they are: a request makes them
/// faster than a model holds them. So do those behind the first [#MOST_IN_ALL].
public final class RowsAlike implements Pass {
  private static final long MOST_BYTES = 64 << 10;

  /// Bytes of all rows that a graph has computed.
  private static final long MOST_IN_ALL = 16 << 20;

  private final Evaluator evaluator;

  public RowsAlike(Evaluator evaluator) {
    this.evaluator = evaluator;
  }

  @Override
  public Graph apply(Graph graph) {
    return new Rows(graph, evaluator).graph();
  }

  private static final class Rows {
    private final Graph graph;
    private final Evaluator evaluator;
    private final Map<Value, Tensor> constants;
    private final FreshNames names;

    /// The row of each value whose rows are alike, as a batch of one.
    private final Map<Value, Tensor> alike = new HashMap<>();

    private final List<Node> nodes = new ArrayList<>();

    /// Bytes of the rows so far.
    private long bytes;

    Rows(Graph graph, Evaluator evaluator) {
      this.graph = graph;
      this.evaluator = evaluator;
      constants = new LinkedHashMap<>(graph.constants());
      names = new FreshNames(graph);
    }

    Graph graph() {
      graph.nodes().forEach(this::add);
      return alike.isEmpty() ? graph : Rewrite.nodes(graph, nodes, constants);
    }

    private void add(Node node) {
      Optional<Tensor> row = row(node);
      row.ifPresent(tensor -> keep(node.output(), tensor));
      boolean isComputed = !(node.op() instanceof Op.View);
      nodes.add(row.isPresent() && isComputed ? repeated(node, row.get()) : node);
    }

    private void keep(Value value, Tensor row) {
      alike.put(value, row);
      bytes += row.data().byteSize();
    }

    private Node repeated(Node node, Tensor row) {
      Value output = node.output();
      Value one = new Value(names.of(output.name() + " row"), of(output.type()));
      constants.put(one, row);
      Op expand = new Op.View(new Movement.Expand(output.type().shape()));
      return Rewrite.with(node, expand, null, 1, List.of(one));
    }

    private Optional<Tensor> row(Node node) {
      boolean isKnown =
          node.outputs().size() == 1
              && node.epilogue() == null
              && !node.inputs().isEmpty()
              && isOfRows(node.output().type())
              && node.inputs().stream().allMatch(this::isKnown);
      return isKnown && keepsRows(node) && isSmall(node)
          ? evaluator
              .evaluate(of(node), node.inputs().stream().map(this::content).toList())
              .map(List::getFirst)
          : Optional.empty();
    }

    private boolean isKnown(Value value) {
      return alike.containsKey(value) || graph.constants().containsKey(value);
    }

    private Tensor content(Value value) {
      Tensor row = alike.get(value);
      return row == null ? Objects.requireNonNull(constants.get(value)) : row;
    }

    private boolean isSmall(Node node) {
      long most = Math.min(MOST_BYTES, MOST_IN_ALL - bytes);
      return Tensor.elements(node.output().type().shapeAt(1))
              <= most / node.output().type().element().bytes()
          && node.inputs().stream()
              .allMatch(value -> content(value).data().byteSize() <= MOST_BYTES);
    }

    /* Whether rows of alike operands are alike in the result, and axis 0 holds them in all. */
    private boolean keepsRows(Node node) {
      return switch (node.op()) {
        case Op.Elementwise map -> areAligned(node) && !looksAtRow(map.expr());
        case Op.View view -> keepsRows(view.map(), node);
        case Op.Concat concat ->
            concat.axis() != 0 && node.inputs().stream().allMatch(alike::containsKey);
        case Op.Scan scan -> scan.axis() != 0;
        case Op.Reduce reduce -> !reduce.axes().contains(0) && !looksAtRow(reduce.map());
        case Op.Gather(Selection.Slices(int axis), _) -> {
          Value looksIn = node.inputs().get(axis == 0 ? 1 : 0);
          Value other = node.inputs().get(axis == 0 ? 0 : 1);
          yield alike.containsKey(looksIn) && !alike.containsKey(other);
        }
        case Op.Indexed _, Op.Regular _, Op.Control _ -> false;
      };
    }

    /* Constants have no batch, so that what broadcasts them to one has one of them for each row. */
    private boolean areAligned(Node node) {
      int rank = node.output().type().rank();
      return node.inputs().stream()
          .filter(alike::containsKey)
          .allMatch(value -> value.type().rank() == rank);
    }

    private boolean keepsRows(Movement map, Node node) {
      Value source = node.inputs().getFirst();
      boolean hasRows = alike.containsKey(source);
      return switch (map) {
        case Movement.Expand _ -> !hasRows || source.type().rank() == node.output().type().rank();
        case Movement.Reshape _ -> hasRows;
        case Movement.Transpose(List<Integer> permutation) ->
            hasRows && permutation.getFirst() == 0;
        case Movement.Slice slice ->
            hasRows
                && slice.starts().getFirst().isZero()
                && slice.steps().getFirst() == 1
                && slice.starts().stream().allMatch(Affine::isConstant);
      };
    }
  }

  /* Rows along axis 0, and nothing else that depends on their number. */
  private static boolean isOfRows(TensorType type) {
    return type.rank() > 0
        && type.dim(0).equals(Affine.N)
        && type.shape().stream().skip(1).allMatch(Affine::isConstant);
  }

  private static boolean looksAtRow(Expr expr) {
    boolean here =
        switch (expr) {
          case Expr.Index(int axis) -> axis == 0;
          case Expr.At _ -> true;
          case Expr.Extent(Affine value) -> !value.isConstant();
          case Expr.Arg _, Expr.Const _, Expr.Unary _, Expr.Binary _, Expr.Select _, Expr.Cast _ ->
              false;
        };
    return here || ExprTree.children(expr).stream().anyMatch(RowsAlike::looksAtRow);
  }

  /* The node of a batch of one. */
  private static Node of(Node node) {
    return new Node(
        node.name(),
        node.onnxOp(),
        of(node.op()),
        null,
        node.operands(),
        node.inputs().stream().map(RowsAlike::of).toList(),
        List.of(of(node.output())));
  }

  private static Value of(Value value) {
    return new Value(value.name(), of(value.type()));
  }

  private static TensorType of(TensorType type) {
    return type.withShape(of(type.shape()));
  }

  private static List<Affine> of(List<Affine> shape) {
    return shape.stream().map(dim -> Affine.of(dim.at(1))).toList();
  }

  private static Op of(Op op) {
    return switch (op) {
      case Op.Elementwise(Expr expr, TensorType type) -> new Op.Elementwise(expr, of(type));
      case Op.View(Movement map) -> new Op.View(of(map));
      case Op.Concat _, Op.Reduce _, Op.Indexed _, Op.Regular _, Op.Control _ -> op;
    };
  }

  private static Movement of(Movement map) {
    return switch (map) {
      case Movement.Reshape(List<Affine> shape) -> new Movement.Reshape(of(shape));
      case Movement.Expand(List<Affine> shape) -> new Movement.Expand(of(shape));
      case Movement.Slice slice ->
          new Movement.Slice(slice.starts(), slice.steps(), of(slice.extents()));
      case Movement.Transpose transpose -> transpose;
    };
  }
}
