package io.miniinference.ir.type;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprText;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.OpNames;
import io.miniinference.ir.Selection;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.TreeEnsemble;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// The types of a core operator's results, given those of its operands.
public final class OpType {
  private final Op op;
  private final List<TensorType> operands;

  private OpType(Op op, List<TensorType> operands) {
    this.op = op;
    this.operands = operands;
  }

  /// The only result's type before any epilogue.
  ///
  /// @throws ShapeException if the operator cannot take the operands, or has several results
  public static TensorType of(Op op, List<TensorType> operands) {
    List<TensorType> results = all(op, operands);
    if (results.size() != 1) {
      throw new OpType(op, operands).wrong("has " + results.size() + " results");
    }
    return results.getFirst();
  }

  /// The types of all results before any epilogue. Their element counts are constants or multiples
  /// of the batch symbol, and their bytes can be counted.
  ///
  /// @throws ShapeException if the operator cannot take the operands
  public static List<TensorType> all(Op op, List<TensorType> operands) {
    OpType rule = new OpType(op, operands);
    try {
      List<TensorType> results = rule.infer();
      results.forEach(type -> type.elements().times(type.element().bytes()));
      return results;
    } catch (ArithmeticException e) {
      throw rule.wrong(Affine.fault(e));
    } catch (IllegalArgumentException e) {
      throw rule.wrong(String.valueOf(e.getMessage()));
    }
  }

  /// The types of all results, after the epilogue if there is one.
  ///
  /// @throws ShapeException if the operator cannot take the operands, or the epilogue its values
  public static List<TensorType> outputs(Node node) {
    return node.epilogue() == null
        ? all(node.op(), node.operandValues().stream().map(Value::type).toList())
        : List.of(of(node));
  }

  /// The result's type after the epilogue: each value that it reads broadcasts to the operator's
  /// result, whose shape stays.
  ///
  /// @throws ShapeException if the operator cannot take the operands, or the epilogue its values
  public static TensorType of(Node node) {
    TensorType result = of(node.op(), node.operandValues().stream().map(Value::type).toList());
    Expr epilogue = node.epilogue();
    if (epilogue == null) {
      return result;
    }
    return withEpilogue(
        node.op(), result, epilogue, node.epilogueValues().stream().map(Value::type).toList());
  }

  /// @param result type of the operator's own result, [Expr.Arg] 0 of the epilogue
  /// @param extra types of what else the epilogue reads, [Expr.Arg] 1 and up
  public static TensorType withEpilogue(
      Op op, TensorType result, Expr epilogue, List<TensorType> extra) {
    List<TensorType> all = new ArrayList<>();
    all.add(result);
    all.addAll(extra);
    OpType rule = new OpType(op, all);
    if (!takesEpilogue(op)) {
      throw rule.wrong("has no epilogue");
    }
    if (ExprTree.computedArgs(epilogue).contains(0)) {
      throw rule.wrong("the epilogue reads the result at other indices than its own");
    }
    try {
      return rule.expression(epilogue, result.shape());
    } catch (IllegalArgumentException e) {
      throw rule.wrong("epilogue: " + e.getMessage());
    }
  }

  /// Whether a node of that operator may have an epilogue.
  public static boolean takesEpilogue(Op op) {
    return !(op instanceof Op.Elementwise
        || op instanceof Op.View
        || op instanceof Op.Positional
        || op instanceof Op.Control);
  }

  private List<TensorType> infer() {
    return switch (op) {
      case Op.Elementwise elementwise -> List.of(elementwise(elementwise));
      case Op.Reduce reduce -> List.of(reduce(reduce));
      case Op.View view -> List.of(ViewType.of(view.map(), only()));
      case Op.Concat concat -> List.of(concat(concat.axis()));
      case Op.Gather gather -> List.of(gather(gather.selection()));
      case Op.Scatter scatter -> List.of(scatter(scatter));
      case Op.MatMul matMul -> List.of(matMul(matMul));
      case Op.Attention attention -> List.of(attention(attention));
      case Op.Conv conv -> List.of(conv(conv));
      case Op.ConvTranspose conv -> List.of(convTranspose(conv));
      case Op.WindowReduce pool -> List.of(pool(pool));
      case Op.Softmax softmax -> List.of(alongFloat(softmax.axis()));
      case Op.Normalize normalize -> List.of(normalize(normalize));
      case Op.Scan scan -> List.of(scan(scan.axis()));
      case Op.TopK top -> topK(top);
      case Op.NonMaxSuppression boxes -> List.of(chosen(boxes.k()));
      case Op.Recurrent layer -> RecurrentType.of(layer, operands);
      case TreeEnsemble trees -> List.of(trees(trees));
      case Op.Control control -> ControlType.of(control, operands);
    };
  }

  private TensorType elementwise(Op.Elementwise elementwise) {
    TensorType found = expression(elementwise.expr(), elementwise.type().shape());
    require(
        found.element() == elementwise.type().element(),
        () -> "the expression gives " + found.element() + ", the node " + elementwise.type());
    return found;
  }

  /* `expr` at each index of `shape`. */
  private TensorType expression(Expr expr, List<Affine> shape) {
    ElementType element = ExprType.of(expr, operands.stream().map(TensorType::element).toList());
    ExprTree.directArgs(expr).forEach(k -> requireBroadcast(k, shape));
    ExprTree.visit(expr, e -> requireInRank(e, shape.size()));
    return new TensorType(element, shape);
  }

  private void requireBroadcast(int operand, List<Affine> shape) {
    TensorType type = operands.get(operand);
    require(
        Shapes.broadcastsTo(type.shape(), shape),
        () -> "operand " + operand + " " + type + " does not broadcast to " + text(shape));
  }

  private void requireInRank(Expr expr, int rank) {
    if (expr instanceof Expr.Index index) {
      require(index.axis() < rank, () -> ExprText.print(expr) + " is no axis of rank " + rank);
    }
    if (expr instanceof Expr.At at) {
      TensorType type = operands.get(at.index());
      require(
          at.coordinates().size() == type.rank(),
          () -> "'" + ExprText.print(at) + "' reads " + type + ", of rank " + type.rank());
    }
  }

  private TensorType reduce(Op.Reduce reduce) {
    TensorType x = only();
    requireAxes(reduce.axes(), x.rank());
    require(
        !ExprTree.isPositional(reduce.map()),
        "the element map may read the element only, no index");
    ElementType element = ExprType.of(reduce.map(), List.of(x.element()));
    boolean extremum = reduce.kind() == Op.ReduceKind.MAX || reduce.kind() == Op.ReduceKind.MIN;
    require(extremum || element != ElementType.BOOL, "does not take bool");
    require(!reduce.kind().isArg() || reduce.axes().size() == 1, "takes one axis");
    List<Affine> shape = new ArrayList<>();
    for (int axis = 0; axis < x.rank(); axis++) {
      if (!reduce.axes().contains(axis)) {
        shape.add(x.dim(axis));
      } else if (reduce.keepDims()) {
        shape.add(Affine.ONE);
      }
    }
    return new TensorType(reduce.kind().isArg() ? ElementType.I64 : element, shape);
  }

  private TensorType concat(int axis) {
    require(!operands.isEmpty(), "needs an operand");
    TensorType first = operands.getFirst();
    requireAxis(axis, first.rank());
    Affine extent = Affine.ZERO;
    for (TensorType x : operands) {
      require(x.element() == first.element(), "element types differ");
      require(x.rank() == first.rank(), "ranks differ");
      for (int a = 0; a < x.rank(); a++) {
        int other = a;
        require(
            a == axis || x.dim(a).equals(first.dim(a)),
            () -> "axis " + other + " is " + first.dim(other) + " and " + x.dim(other));
      }
      extent = extent.plus(x.dim(axis));
    }
    require(extent.isDimension(), "axis " + axis + " would be " + extent);
    return first.withShape(replaced(first.shape(), axis, extent));
  }

  private TensorType gather(Selection selection) {
    requireCount(2);
    return moved(selection);
  }

  private TensorType scatter(Op.Scatter scatter) {
    requireCount(3);
    TensorType data = operands.get(0);
    TensorType updates = operands.get(2);
    TensorType moved = moved(scatter.selection());
    require(updates.equals(moved), () -> "updates must be " + moved);
    ExprType.of(scatter.kind().combine(), List.of(data.element(), updates.element()));
    return data;
  }

  /* What indices (operand 1) take from data (operand 0). */
  private TensorType moved(Selection selection) {
    TensorType data = operands.get(0);
    TensorType indices = operands.get(1);
    require(indices.element().isInteger(), "indices must be integers");
    return data.withShape(
        switch (selection) {
          case Selection.Slices(int axis) -> slices(axis, data, indices);
          case Selection.Elements(int axis) -> elements(axis, data, indices);
          case Selection.Tuples(int batchDims) -> tuples(batchDims, data, indices);
        });
  }

  private List<Affine> slices(int axis, TensorType data, TensorType indices) {
    requireAxis(axis, data.rank());
    List<Affine> shape = new ArrayList<>(data.shape().subList(0, axis));
    shape.addAll(indices.shape());
    shape.addAll(data.shape().subList(axis + 1, data.rank()));
    return shape;
  }

  private List<Affine> elements(int axis, TensorType data, TensorType indices) {
    requireAxis(axis, data.rank());
    require(indices.rank() == data.rank(), "data and indices differ in rank");
    for (int i = 0; i < data.rank(); i++) {
      require(
          i == axis || indices.dim(i).isAtMost(data.dim(i)),
          "axis " + i + " has " + indices.dim(i) + " indices and " + data.dim(i) + " elements");
    }
    return indices.shape();
  }

  private List<Affine> tuples(int batchDims, TensorType data, TensorType indices) {
    int last = indices.rank() - 1;
    require(last >= 0, "indices must have an axis of tuples");
    require(
        batchDims >= 0 && batchDims <= last && batchDims < data.rank(),
        batchDims + " axes in common are too many");
    require(
        data.shape().subList(0, batchDims).equals(indices.shape().subList(0, batchDims)),
        "the first " + batchDims + " axes differ");
    Affine length = indices.dim(last);
    long most = data.rank() - (long) batchDims;
    require(
        length.isConstant() && length.constant() >= 1 && length.constant() <= most,
        "tuples of " + length + " indices for " + most + " axes");
    List<Affine> shape = new ArrayList<>(indices.shape().subList(0, last));
    shape.addAll(data.shape().subList(batchDims + (int) length.constant(), data.rank()));
    return shape;
  }

  private TensorType matMul(Op.MatMul matMul) {
    requireCount(2);
    requireFactors();
    TensorType a = operands.get(0);
    TensorType b = operands.get(1);
    require(a.rank() >= 2 && b.rank() >= 2, "needs rank 2 or more");
    int ra = a.rank();
    int rb = b.rank();
    Affine ka = a.dim(matMul.transposeA() ? ra - 2 : ra - 1);
    Affine kb = b.dim(matMul.transposeB() ? rb - 1 : rb - 2);
    require(ka.equals(kb), () -> "inner dimensions " + ka + " and " + kb + " differ");
    List<Affine> leadA = a.shape().subList(0, ra - 2);
    List<Affine> leadB = b.shape().subList(0, rb - 2);
    List<Affine> shape =
        new ArrayList<>(
            Shapes.broadcast(leadA, leadB)
                .orElseThrow(() ->
                    wrong("leading axes " + text(leadA) + " and " + text(leadB) + " differ")));
    shape.add(a.dim(matMul.transposeA() ? ra - 1 : ra - 2));
    shape.add(b.dim(matMul.transposeB() ? rb - 2 : rb - 1));
    return products().withShape(shape);
  }

  private TensorType attention(Op.Attention attention) {
    require(
        operands.size() == Op.Attention.MASK || operands.size() == Op.Attention.MASK + 1,
        () -> "takes queries, keys, values and maybe a mask, not " + operands.size() + " operands");
    require(
        operands.stream().allMatch(x -> x.element() == operands.getFirst().element()),
        "element types differ");
    require(operands.getFirst().element().isFloat(), "needs floats");
    TensorType scores =
        of(new Op.MatMul(false, attention.rowsOfKeys()), List.of(operands.get(0), operands.get(1)));
    if (operands.size() > Op.Attention.MASK) {
      requireBroadcast(Op.Attention.MASK, scores.shape());
    }
    return of(new Op.MatMul(false, false), List.of(scores, operands.get(2)));
  }

  private TensorType conv(Op.Conv conv) {
    requireKernel(conv.window());
    TensorType x = operands.get(0);
    TensorType w = operands.get(1);
    long groups = conv.groups();
    require(groups >= 1, "groups must be positive");
    require(
        x.dim(1).equals(w.dim(1).times(groups)),
        "X has "
            + x.dim(1)
            + " channels, W takes "
            + w.dim(1)
            + " in each of "
            + groups
            + " groups");
    require(w.dim(0).isMultipleOf(groups), w.dim(0) + " features in " + groups + " groups");
    return WindowType.forward(products(), w.dim(0), conv.window(), false);
  }

  private TensorType convTranspose(Op.ConvTranspose conv) {
    requireKernel(conv.window());
    requireSameNumbers();
    TensorType x = operands.get(0);
    TensorType w = operands.get(1);
    long groups = conv.groups();
    require(groups >= 1, "groups must be positive");
    require(x.dim(1).equals(w.dim(0)), "X has " + x.dim(1) + " channels, W takes " + w.dim(0));
    require(w.dim(0).isMultipleOf(groups), w.dim(0) + " channels in " + groups + " groups");
    return WindowType.transposed(x, w.dim(1).times(groups), conv.window(), conv.outputPads());
  }

  /* Operands X and W that are factors, W's spatial extents those of the window. */
  private void requireKernel(Window window) {
    requireCount(2);
    requireFactors();
    TensorType w = operands.get(1);
    require(
        operands.get(0).rank() == window.rank() + 2,
        "X has not " + window.rank() + " spatial axes");
    require(w.rank() == window.rank() + 2, "W has not " + window.rank() + " spatial axes");
    for (int axis = 0; axis < window.rank(); axis++) {
      require(
          w.dim(axis + 2).equals(Affine.of(window.kernel().get(axis))),
          "W's shape is not that of kernel " + window.kernel());
    }
  }

  private TensorType pool(Op.WindowReduce pool) {
    TensorType x = only();
    requireNumber(x);
    require(
        x.rank() == pool.window().rank() + 2,
        "X has not " + pool.window().rank() + " spatial axes");
    return WindowType.forward(x, x.dim(1), pool.window(), pool.ceilMode());
  }

  private TensorType alongFloat(int axis) {
    requireAxis(axis, only().rank());
    require(only().element().isFloat(), "needs floats");
    return only();
  }

  private TensorType normalize(Op.Normalize normalize) {
    requireAxes(normalize.axes(), only().rank());
    require(only().element().isFloat(), "needs floats");
    return only();
  }

  private TensorType scan(int axis) {
    requireNumber(only());
    requireAxis(axis, only().rank());
    return only();
  }

  private List<TensorType> topK(Op.TopK top) {
    requireNumber(only());
    requireAxis(top.axis(), only().rank());
    Affine extent = only().dim(top.axis());
    require(extent.isConstant(), "rows of " + extent + " elements have no fixed length");
    require(extent.constant() <= Integer.MAX_VALUE, extent + " elements of a row are too many");
    require(
        top.k() >= 0 && top.k() <= extent.constant(),
        "k is %d, and axis %d has %d elements".formatted(top.k(), top.axis(), extent.constant()));
    require(!top.parts().isEmpty(), "gives nothing");
    List<Affine> shape = replaced(only().shape(), top.axis(), Affine.of(top.k()));
    return top.parts().stream().map(part -> topK(part, shape)).toList();
  }

  private TensorType topK(Op.TopK.Part part, List<Affine> shape) {
    return switch (part) {
      case VALUES -> only().withShape(shape);
      case INDICES -> new TensorType(ElementType.I64, shape);
    };
  }

  private TensorType chosen(long k) {
    int count = operands.size();
    require(count == 3 || count == 4, "takes 3 or 4 operands, not " + count);
    require(operands.stream().allMatch(x -> x.element() == ElementType.F32), "needs 32-bit floats");
    TensorType scores = operands.getFirst();
    require(scores.rank() == 3, "scores must be [B, C, S]");
    List<Affine> boxes = List.of(scores.dim(0), scores.dim(2), Affine.of(4));
    require(operands.get(1).shape().equals(boxes), "boxes must be " + text(boxes));
    require(
        operands.subList(2, count).stream().allMatch(x -> x.rank() == 0),
        "an overlap and a score must be one number each");
    Affine extent = scores.dim(2);
    require(extent.isConstant(), extent + " boxes have no fixed number");
    require(extent.constant() <= Integer.MAX_VALUE, extent + " boxes are too many");
    require(k >= 0, "k is " + k);
    return new TensorType(ElementType.I64, replaced(scores.shape(), 2, Affine.of(k)));
  }

  private TensorType trees(TreeEnsemble trees) {
    requireCount(5);
    TensorType x = operands.getFirst();
    require(
        x.element() == ElementType.F32 || x.element() == ElementType.F64,
        "needs floats of 32 or 64 bits");
    require(x.rank() == 2 && x.dim(1).isConstant(), "X must be rows of a fixed length");
    requireType(TreeEnsemble.NODES, ElementType.I32, 2);
    requireType(TreeEnsemble.ROOTS, ElementType.I32, 1);
    requireType(TreeEnsemble.TARGETS, ElementType.I32, 1);
    requireType(TreeEnsemble.WEIGHTS, x.element(), 1);
    require(
        operands.get(TreeEnsemble.NODES).dim(1).equals(Affine.of(TreeEnsemble.WORDS)),
        "a node has " + TreeEnsemble.WORDS + " words");
    require(
        operands
            .get(TreeEnsemble.TARGETS)
            .shape()
            .equals(operands.get(TreeEnsemble.WEIGHTS).shape()),
        "there are not as many targets as weights");
    require(trees.depth() >= 0, "the depth is " + trees.depth());
    require(
        trees.outputs() >= 1 && trees.outputs() <= Integer.MAX_VALUE,
        "has " + trees.outputs() + " outputs");
    return x.withShape(List.of(x.dim(0), Affine.of(trees.outputs())));
  }

  private void requireType(int operand, ElementType element, int rank) {
    TensorType type = operands.get(operand);
    require(
        type.element() == element && type.rank() == rank && type.isStatic(),
        "operand %d must be %s of %d axes of fixed sizes".formatted(operand, element, rank));
  }

  private TensorType only() {
    requireCount(1);
    return operands.getFirst();
  }

  private void requireCount(int count) {
    require(operands.size() == count, () -> "takes " + count + " operands, not " + operands.size());
  }

  /* Two of the same numbers, or bytes and signed bytes. */
  private void requireFactors() {
    if (!areBytes()) {
      requireSameNumbers();
    }
  }

  private boolean areBytes() {
    return Op.Contraction.areBytes(operands.get(0).element(), operands.get(1).element());
  }

  /* The left factor in the type of the sums. */
  private TensorType products() {
    TensorType left = operands.getFirst();
    return areBytes() ? new TensorType(ElementType.I32, left.shape()) : left;
  }

  private void requireSameNumbers() {
    operands.forEach(this::requireNumber);
    require(
        operands.stream().map(TensorType::element).distinct().count() == 1, "element types differ");
  }

  private void requireNumber(TensorType type) {
    require(type.element() != ElementType.BOOL, "does not take bool");
  }

  private void requireAxes(List<Integer> axes, int rank) {
    axes.forEach(axis -> requireAxis(axis, rank));
    require(axes.stream().distinct().count() == axes.size(), () -> "axes " + axes + " repeat");
  }

  private void requireAxis(int axis, int rank) {
    require(axis >= 0 && axis < rank, () -> "axis " + axis + " is outside [0, " + (rank - 1) + "]");
  }

  private void require(boolean ok, String reason) {
    if (!ok) {
      throw wrong(reason);
    }
  }

  /* With a text that is made where it is needed: all nodes are checked several times a load. */
  private void require(boolean ok, Supplier<String> reason) {
    if (!ok) {
      throw wrong(reason.get());
    }
  }

  private ShapeException wrong(String reason) {
    return ShapeException.of(OpNames.of(op), operands, reason);
  }

  public static List<Affine> replaced(List<Affine> shape, int axis, Affine extent) {
    List<Affine> result = new ArrayList<>(shape);
    result.set(axis, extent);
    return result;
  }

  private static String text(List<Affine> shape) {
    return shape.toString().replace(" ", "");
  }
}
