package io.miniinference.ir.build;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprText;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.PoolKind;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.ir.type.ExprType;
import io.miniinference.ir.type.OpType;
import io.miniinference.ir.type.ShapeException;
import io.miniinference.ir.type.Shapes;
import io.miniinference.ir.type.ViewType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The core nodes that one ONNX node becomes. Each method adds a node (a movement that moves
/// nothing adds none) and gives its result under an inner name; [#result] gives the ONNX name to
/// the last.
///
/// What does not fit throws [ShapeException].
public final class Lowering {
  private final GraphBuilder graph;
  private final String name;
  private final String onnxOp;

  Lowering(GraphBuilder graph, String name, String onnxOp) {
    this.graph = graph;
    this.name = name;
    this.onnxOp = onnxOp;
  }

  public String name() {
    return name;
  }

  public String onnxOp() {
    return onnxOp;
  }

  /// `value` under the ONNX name `name`: renamed if it is an inner result, else a view of it, which
  /// costs nothing. Use what this returns: the value itself is gone.
  public Value result(Value value, String name) {
    return graph.name(value, name, this);
  }

  /// A constant that the lowering itself needs.
  public Value constant(Tensor tensor) {
    return graph.innerConstant(name, tensor);
  }

  /// Any operator without epilogue.
  public Value op(Op op, Value... operands) {
    return op(op, List.of(operands));
  }

  public Value op(Op op, List<Value> operands) {
    return add(op, null, operands, List.of());
  }

  /// An operator with an epilogue over its result ([Expr.Arg] 0) and `extra` ([Expr.Arg] 1 and up).
  public Value op(Op op, List<Value> operands, Expr epilogue, List<Value> extra) {
    return add(op, epilogue, operands, extra);
  }

  /// An operator with any number of results; all of them.
  public List<Value> all(Op op, Value... operands) {
    return all(op, List.of(operands));
  }

  /// An operator with bodies; all its results.
  public List<Value> control(Op.Control op, List<Value> operands) {
    return all(op, operands);
  }

  private List<Value> all(Op op, List<Value> operands) {
    Value unknown = new Value(name, TensorType.of(ElementType.F32));
    return graph.addAll(Node.of(name, onnxOp, op, operands, unknown), name);
  }

  private Value add(Op op, @Nullable Expr epilogue, List<Value> operands, List<Value> extra) {
    List<Value> inputs = new ArrayList<>(operands);
    inputs.addAll(extra);
    Value unknown = new Value(name, TensorType.of(ElementType.F32));
    return graph.addInner(
        new Node(name, onnxOp, op, epilogue, operands.size(), inputs, unknown), name);
  }

  /// `expr` over the broadcast of the operands that it reads at the output index.
  public Value elementwise(Expr expr, Value... operands) {
    return elementwise(expr, List.of(operands));
  }

  public Value elementwise(Expr expr, List<Value> operands) {
    List<Affine> shape = List.of();
    for (int k : ExprTree.directArgs(expr)) {
      if (k >= operands.size()) {
        throw wrong(operands, "'" + ExprText.print(expr) + "' reads operand " + k);
      }
      shape = broadcast(shape, operands, k);
    }
    return elementwise(expr, shape, operands);
  }

  private List<Affine> broadcast(List<Affine> shape, List<Value> operands, int k) {
    List<Affine> next = operands.get(k).type().shape();
    return Shapes.broadcast(shape, next)
        .orElseThrow(
            () -> wrong(operands, "shapes " + shape + " and " + next + " do not broadcast"));
  }

  /// `expr` at each index of `shape`.
  public Value elementwise(Expr expr, List<Affine> shape, List<Value> operands) {
    ElementType element;
    try {
      element = ExprType.of(expr, operands.stream().map(v -> v.type().element()).toList());
    } catch (IllegalArgumentException e) {
      throw wrong(operands, String.valueOf(e.getMessage()));
    }
    return op(new Op.Elementwise(expr, new TensorType(element, shape)), operands);
  }

  private ShapeException wrong(List<Value> operands, String reason) {
    return ShapeException.of("elementwise", operands.stream().map(Value::type).toList(), reason);
  }

  public Value view(Movement map, Value x) {
    Op view = new Op.View(map);
    OpType.of(view, List.of(x.type()));
    return ViewType.isIdentity(map, x.type()) ? x : op(view, x);
  }

  public Value reshape(Value x, List<Affine> shape) {
    return view(new Movement.Reshape(shape), x);
  }

  public Value transpose(Value x, List<Integer> permutation) {
    return view(new Movement.Transpose(permutation), x);
  }

  public Value expand(Value x, List<Affine> shape) {
    return view(new Movement.Expand(shape), x);
  }

  public Value slice(Value x, List<Affine> starts, List<Long> steps, List<Affine> extents) {
    return view(new Movement.Slice(starts, steps, extents), x);
  }

  /// `extent` indices of `axis` from `start`, all of the other axes.
  public Value slice(Value x, int axis, Affine start, Affine extent) {
    List<Affine> starts = new ArrayList<>(x.type().shape().stream().map(_ -> Affine.ZERO).toList());
    starts.set(axis, start);
    List<Long> steps = x.type().shape().stream().map(_ -> 1L).toList();
    return slice(x, starts, steps, OpType.replaced(x.type().shape(), axis, extent));
  }

  public Value reduce(ReduceKind kind, List<Integer> axes, boolean keepDims, Value x) {
    return reduce(kind, axes, keepDims, Exprs.arg(0), x);
  }

  /// @param map applied to each element first, [Expr.Arg] 0 being the element
  public Value reduce(ReduceKind kind, List<Integer> axes, boolean keepDims, Expr map, Value x) {
    return op(new Op.Reduce(kind, axes, keepDims, map), x);
  }

  public Value concat(int axis, List<Value> operands) {
    return operands.size() == 1 ? operands.getFirst() : op(new Op.Concat(axis), operands);
  }

  public Value gather(int axis, Value data, Value indices) {
    return gather(new Selection.Slices(axis), data, indices);
  }

  public Value gather(Selection selection, Value data, Value indices) {
    return op(new Op.Gather(selection), data, indices);
  }

  public Value matMul(Value a, Value b) {
    return matMul(a, b, false, false);
  }

  public Value matMul(Value a, Value b, boolean transposeA, boolean transposeB) {
    return op(new Op.MatMul(transposeA, transposeB), a, b);
  }

  public Value conv(Window window, int groups, Value x, Value w) {
    return op(new Op.Conv(window, groups), x, w);
  }

  public Value convTranspose(
      Window window, int groups, List<Integer> outputPads, Value x, Value w) {
    return op(new Op.ConvTranspose(window, groups, outputPads), x, w);
  }

  public Value pool(PoolKind kind, Window window, boolean ceilMode, Value x) {
    return op(new Op.WindowReduce(kind, window, ceilMode), x);
  }

  public Value softmax(int axis, boolean log, Value x) {
    return op(new Op.Softmax(axis, log), x);
  }

  public Value normalize(List<Integer> axes, double epsilon, boolean centered, Value x) {
    return op(new Op.Normalize(axes, epsilon, centered), x);
  }

  public Value scan(Op.ScanKind kind, int axis, boolean exclusive, boolean reverse, Value x) {
    return op(new Op.Scan(kind, axis, exclusive, reverse), x);
  }

  /// All axes of a rank, for reductions over everything.
  public static List<Integer> allAxes(int rank) {
    return IntStream.range(0, rank).boxed().toList();
  }
}
