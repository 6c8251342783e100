package io.miniinference.ops.draft;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.type.ExprType;
import io.miniinference.ir.type.OpType;
import io.miniinference.ir.type.Shapes;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// The tensor algebra in which rules are written: each method adds a core node to the graph, or
/// gives a constant where the operands are small constants, and returns the result.
public class Emitter {
  /// Most operands of one Concat.
  private static final int MOST_PARTS = 256;

  private final Draft draft;
  private final String node;
  private final String onnxOp;

  public Emitter(Draft draft, String node, String onnxOp) {
    this.draft = draft;
    this.node = node;
    this.onnxOp = onnxOp;
  }

  public Emitter(Emitter other) {
    this(other.draft, other.node, other.onnxOp);
  }

  public final Draft draft() {
    return draft;
  }

  /// What is known of the values of the draft.
  public final Facts facts() {
    return draft.facts();
  }

  /// The result of an operator that has one.
  ///
  /// @throws LoweringFault if the operands do not fit while the batch is a symbol, but would where
  ///   it is fixed
  public final Value emit(Op op, Value... operands) {
    List<Value> inputs =
        op instanceof Op.Gather gather
            ? new CountedIndices(this, gather.selection(), operands[0]).of(gather, operands[1])
            : List.of(operands);
    TensorType type = types(op, inputs).getFirst();
    return draft.add(Node.of(node, onnxOp, op, inputs, draft.fresh(node, type)));
  }

  private static List<TensorType> types(Op op, List<Value> operands) {
    return FittingBatch.types(op, operands.stream().map(Value::type).toList());
  }

  /// The results of an operator without bodies.
  public final List<Value> emitAll(Op op, Value... operands) {
    List<Value> inputs = List.of(operands);
    List<Value> outputs = types(op, inputs).stream().map(type -> draft.fresh(node, type)).toList();
    return draft.addAll(new Node(node, onnxOp, op, null, inputs.size(), inputs, outputs));
  }

  /// The results of an operator with bodies.
  public final List<Value> emit(Op.Control op, List<Value> operands) {
    Node template =
        Node.of(node, onnxOp, op, operands, draft.fresh(node, TensorType.of(ElementType.BOOL)));
    return draft.add(template, OpType.outputs(template));
  }

  /// Writes what belongs to the same ONNX node into the draft of a body.
  public final Emitter into(Draft body) {
    return new Emitter(body, node, onnxOp);
  }

  /// A value under another name: a view of it, or the same constant once more.
  public final Value alias(Value value, String name) {
    Tensor tensor = facts().tensor(value);
    if (tensor != null) {
      Value same = draft.initializer(name, tensor);
      facts().codeAs(same, value);
      return same;
    }
    var renamed = new Value(name, value.type());
    facts().codeAs(renamed, value);
    Op same = new Op.View(new Movement.Reshape(value.type().shape()));
    draft.nodes().add(Node.of(node, onnxOp, same, List.of(value), renamed));
    facts().counted(value).ifPresent(axis -> facts().count(renamed, axis));
    return renamed;
  }

  // Counted axes.

  /// The counted axis of a value, if it is this one.
  public final Optional<CountedAxis> countedAt(Value x, int axis) {
    return facts().counted(x).filter(it -> it.axis() == axis);
  }

  /// A value with filler as a part of it, as long as it may be at most.
  public final Value whole(Value x) {
    return facts().isCounted(x) ? whole(new Op.View(new Movement.Reshape(x.type().shape())), x) : x;
  }

  /// A value as long as it may be at most, with `filler` behind what is there.
  public final Value whole(Value x, Expr filler) {
    Optional<CountedAxis> counted = facts().counted(x);
    if (counted.isEmpty()) {
      return x;
    }
    Expr filled = counted.get().filled(filler);
    return whole(new Op.Elementwise(filled, x.type()), x, counted.get().count());
  }

  /// The operand of what joins elements along axes: what is joined with `filler` is as if it were
  /// not there.
  public final Value joined(Value x, List<Integer> axes, Expr filler) {
    boolean isJoined = axes.stream().anyMatch(axis -> countedAt(x, axis).isPresent());
    return isJoined ? whole(x, filler) : x;
  }

  private Value whole(Op op, Value... operands) {
    Value result = draft.fresh(node, operands[0].type());
    return draft.addWhole(Node.of(node, onnxOp, op, List.of(operands), result));
  }

  /// A value, an axis of which is as long as a count says.
  ///
  /// @param whole as long as it may be at most
  public final Value counted(Value whole, int axis, Value count) {
    Value result =
        draft.isRecent(whole)
            ? whole
            : whole(new Op.View(new Movement.Reshape(whole.type().shape())), whole);
    facts().count(result, new CountedAxis(axis, count));
    return result;
  }

  // Elementwise.

  /// `expr` over the broadcast of the operands.
  public final Value map(Expr expr, Value... operands) {
    boolean areCounted = Arrays.stream(operands).anyMatch(facts()::isCounted);
    List<Affine> shape = List.of();
    for (Value operand : operands) {
      List<Affine> next = operand.type().shape();
      shape = // the most there may be is not what there is
          areCounted
              ? Shapes.broadcast(shape, next).orElseThrow(CountedAxes::joins)
              : broadcast(shape, next);
    }
    return compute(expr, shape, operands);
  }

  /// `expr` at each index of `shape`.
  public final Value compute(Expr expr, List<Affine> shape, Value... operands) {
    List<ElementType> elements = Arrays.stream(operands).map(v -> v.type().element()).toList();
    var type = new TensorType(ExprType.of(expr, elements), shape);
    return emit(new Op.Elementwise(expr, type), operands);
  }

  /// `x + added` in the shape of `x`, to which `added` broadcasts.
  public final Value plus(Value x, Value added) {
    return compute(Exprs.add(Exprs.arg(0), Exprs.arg(1)), x.type().shape(), x, added);
  }

  public final List<Affine> broadcast(List<Affine> a, List<Affine> b) {
    return Shapes.broadcast(a, b)
        .orElseThrow(() -> {
          String what = "shapes %s and %s do not broadcast".formatted(a, b);
          boolean dynamic =
              a.stream().anyMatch(d -> !d.isConstant())
                  || b.stream().anyMatch(d -> !d.isConstant());
          return dynamic
              ? LoweringFault.specialisable(what + " at every batch size")
              : LoweringFault.of(what);
        });
  }

  public final Value cast(Value x, ElementType to) {
    return x.type().element() == to ? x : map(Exprs.cast(to, Ex.x()), x);
  }

  public final Value add(Value a, Value b) {
    return map(Exprs.add(Exprs.arg(0), Exprs.arg(1)), a, b);
  }

  public final Value sub(Value a, Value b) {
    return map(Exprs.sub(Exprs.arg(0), Exprs.arg(1)), a, b);
  }

  public final Value mul(Value a, Value b) {
    return map(Exprs.mul(Exprs.arg(0), Exprs.arg(1)), a, b);
  }

  // Lists.

  /// A list of tensors of one element type.
  ///
  /// @throws LoweringFault if there are other types among them, or lists
  public final Value list(List<Value> elements) {
    for (Value element : elements) {
      draft
          .structure(element)
          .ifPresent(it -> {
            throw LoweringFault.of(
                "puts %s into a list, which holds tensors alone".formatted(it.what()));
          });
      Value first = elements.getFirst();
      if (element.type().element() != first.type().element()
          || !facts().coded(element).equals(facts().coded(first))) {
        throw LoweringFault.of(
            "makes a list of %s and %s, which must have one element type"
                .formatted(typeName(first), typeName(element)));
      }
    }
    return structure(new Structure.Sequence(elements));
  }

  private String typeName(Value value) {
    return facts().coded(value).map(CodedType::toString).orElse(value.type().toString());
  }

  public final Value structure(Structure structure) {
    return draft.structure(node, structure);
  }

  // Constants.

  public final Value constant(Tensor tensor) {
    return draft.constant(node, tensor);
  }

  public final Value scalar(ElementType type, double value) {
    return constant(SmallTensors.of(type, new long[0], value));
  }

  /// A constant of codes.
  public final Value constant(Tensor codes, CodedType type) {
    Value value = constant(codes);
    facts().code(value, type);
    return value;
  }

  // Codes.

  /// The codes of a value as the numbers that they are, to compute with.
  public final Value numbers(Value codes) {
    return facts().coded(codes).isPresent() ? asNumbers(codes) : codes;
  }

  private Value asNumbers(Value codes) {
    Tensor tensor = facts().tensor(codes);
    if (tensor != null) {
      return constant(tensor);
    }
    Value numbers = draft.fresh(node, codes.type());
    Op same = new Op.View(new Movement.Reshape(codes.type().shape()));
    return draft.addUncoded(Node.of(node, onnxOp, same, List.of(codes), numbers));
  }

  /// Numbers as the codes that they are of a type.
  public final Value codes(Value numbers, CodedType type) {
    Tensor tensor = facts().tensor(numbers);
    if (tensor != null) {
      return constant(tensor, type);
    }
    Op same = new Op.View(new Movement.Reshape(numbers.type().shape()));
    Value codes = emit(same, numbers);
    facts().code(codes, type);
    return codes;
  }

  /// `value` everywhere in `shape`; not stored.
  public final Value fill(Expr value, List<Affine> shape) {
    return compute(value, shape);
  }

  // Movement.

  public final Value reshape(Value x, List<Affine> shape) {
    return x.type().shape().equals(shape) ? x : emit(new Op.View(new Movement.Reshape(shape)), x);
  }

  /// As [#reshape], in a shape that a rule makes of that of `x`.
  public final Value reshape(Value x, UnaryOperator<List<Affine>> rule) {
    return CountedShapes.laidOut(this, x, rule);
  }

  public final Value reshape(Value x, long... shape) {
    return reshape(x, Arrays.stream(shape).mapToObj(Affine::of).toList());
  }

  public final Value transpose(Value x, List<Integer> permutation) {
    boolean same = permutation.equals(IntStream.range(0, x.type().rank()).boxed().toList());
    return same ? x : emit(new Op.View(new Movement.Transpose(permutation)), x);
  }

  public final Value expand(Value x, List<Affine> shape) {
    return x.type().shape().equals(shape) ? x : emit(new Op.View(new Movement.Expand(shape)), x);
  }

  /// A contiguous part along one axis.
  public final Value slice(Value x, int axis, Affine start, Affine extent) {
    int rank = x.type().rank();
    var starts = new ArrayList<Affine>();
    var extents = new ArrayList<Affine>();
    for (int i = 0; i < rank; i++) {
      starts.add(i == axis ? start : Affine.ZERO);
      extents.add(i == axis ? extent : x.type().dim(i));
    }
    return slice(x, starts, Collections.nCopies(rank, 1L), extents);
  }

  /// Parts of these sizes along one axis, one behind the other.
  public final List<Value> parts(Value x, int axis, List<Affine> sizes) {
    List<Value> parts = new ArrayList<>();
    Affine start = Affine.ZERO;
    for (Affine size : sizes) {
      parts.add(slice(x, axis, start, size));
      start = start.plus(size);
    }
    return parts;
  }

  public final Value slice(Value x, List<Affine> starts, List<Long> steps, List<Affine> extents) {
    boolean whole =
        extents.equals(x.type().shape())
            && starts.stream().allMatch(Affine::isZero)
            && steps.stream().allMatch(s -> s == 1);
    return whole ? x : emit(new Op.View(new Movement.Slice(starts, steps, extents)), x);
  }

  /// As above, of an axis of which only the device can tell how long it is: what there is of it
  /// between two places.
  ///
  /// @param ends of each axis, counted from its end where they are negative
  public final Value slice(
      Value x,
      List<Affine> starts,
      List<Long> steps,
      List<Affine> extents,
      Map<Integer, Affine> ends) {
    Movement.Slice part = new Movement.Slice(starts, steps, extents);
    return facts()
        .counted(x)
        .flatMap(it -> Optional.ofNullable(ends.get(it.axis())))
        .map(end -> CountedShapes.part(this, x, part, end))
        .orElseGet(() -> slice(x, starts, steps, extents));
  }

  /// The parts one after the other along an axis; of very many parts first some beside each other
  /// are joined, since what looks at a node looks at each operand beside each other.
  public final Value concat(int axis, List<Value> parts) {
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    if (parts.size() <= MOST_PARTS) {
      return emit(new Op.Concat(axis), parts.toArray(Value[]::new));
    }
    List<Value> joined = new ArrayList<>();
    for (int i = 0; i < parts.size(); i += MOST_PARTS) {
      joined.add(concat(axis, parts.subList(i, Math.min(parts.size(), i + MOST_PARTS))));
    }
    return concat(axis, joined);
  }

  /// `x` with axes of extent 1 put in before axis `at`.
  public final Value unsqueeze(Value x, int at, int count) {
    var shape = new ArrayList<>(x.type().shape());
    for (int i = 0; i < count; i++) {
      shape.add(at, Affine.ONE);
    }
    return reshape(x, shape);
  }

  /// A per-channel vector `[C]` as it broadcasts to `[N, C, …]` of `rank` axes.
  public final Value perChannel(Value vector, int rank) {
    return unsqueeze(vector, vector.type().rank(), Math.max(0, rank - 2));
  }

  // The rest.

  /// The rows of a table that positions name.
  public final Value rows(Value table, Value positions) {
    return emit(new Op.Gather(new Selection.Slices(0)), table, positions);
  }

  /// Rows of integers, each brought to the place that is said for it.
  ///
  /// @param rows `I64[n, …]`
  /// @param places `I64`, each of `n` once
  public final Value placed(Value rows, Value places) {
    List<Affine> shape = rows.type().shape();
    return emit(
        new Op.Scatter(new Selection.Tuples(0), Op.ScatterKind.REPLACE),
        fill(Exprs.const_(0), shape),
        reshape(places, List.of(shape.getFirst(), Affine.ONE)),
        rows);
  }

  public final Value reduce(
      Op.ReduceKind kind, List<Integer> axes, boolean keep, Expr map, Value x) {
    return emit(new Op.Reduce(kind, axes, keep, map), x);
  }

  /// The product of two matrices or stacks of them, turned if it says so. What is filler along the
  /// sums of both adds nothing to them.
  public final Value matMul(Value a, Value b, boolean transposeA, boolean transposeB) {
    Op product = new Op.MatMul(transposeA, transposeB);
    Optional<CountedAxis> ofA = countedAt(a, a.type().rank() - (transposeA ? 2 : 1));
    Optional<CountedAxis> ofB = countedAt(b, b.type().rank() - (transposeB ? 1 : 2));
    boolean areOfOneLength =
        ofA.isPresent() && ofA.map(CountedAxis::count).equals(ofB.map(CountedAxis::count));
    return areOfOneLength
        ? emit(product, filledWithZeros(a), filledWithZeros(b))
        : emit(product, a, b);
  }

  private Value filledWithZeros(Value x) {
    return whole(x, Exprs.const_(x.type().element(), 0.0));
  }
}
