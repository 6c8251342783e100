package io.miniinference.ops;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.onnx.Quote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One ONNX node before its rule: inputs, attributes, and the algebra to answer in.
final class OpContext extends Emitter {
  private final List<Optional<Value>> inputs;
  private final Attributes attributes;
  private final Scope scope;

  /// What surrounds a node.
  ///
  /// @param opset version of the node's operator set
  /// @param outputs how many outputs the node names, trailing unnamed ones left out
  /// @param maxFoldedBytes largest constant that may be computed
  /// @param constants reads tensor attributes
  /// @param bodies imports graph attributes
  record Scope(
      long opset, int outputs, long maxFoldedBytes, ConstantReader constants, Bodies bodies) {}

  OpContext(Emitter emitter, List<Optional<Value>> inputs, Attributes attributes, Scope scope) {
    super(emitter);
    this.inputs = List.copyOf(inputs);
    this.attributes = attributes;
    this.scope = scope;
  }

  // Inputs.

  int inputs() {
    return inputs.size();
  }

  boolean has(int i) {
    return i < inputs.size() && inputs.get(i).isPresent();
  }

  Value in(int i) {
    return optional(i).orElseThrow(() -> LoweringFault.of("needs input " + i));
  }

  Optional<Value> optional(int i) {
    return i < inputs.size() ? inputs.get(i) : Optional.empty();
  }

  /// All inputs, none of which may be absent.
  Value[] all() {
    Value[] values = new Value[inputs.size()];
    Arrays.setAll(values, this::in);
    return values;
  }

  TensorType type(int i) {
    return in(i).type();
  }

  int rank(int i) {
    return type(i).rank();
  }

  ElementType element(int i) {
    return type(i).element();
  }

  long opset() {
    return scope.opset();
  }

  /// How many outputs the node names, trailing unnamed ones left out.
  int outputs() {
    return scope.outputs();
  }

  long maxFoldedBytes() {
    return scope.maxFoldedBytes();
  }

  // Inputs that must be known at load.

  /// The elements of an integer input, which may depend on the batch symbol.
  List<Affine> sizes(int i) {
    Value value = in(i);
    draft().consult(value);
    return draft().known(value).map(SymbolicTensor::values).orElseThrow(() -> unknown(value, i));
  }

  private LoweringFault unknown(Value value, int i) {
    String name = "input %d %s".formatted(i, Quote.of(value.name()));
    if (draft().isFailed(value)) {
      return LoweringFault.failed(name + " is not known, since what it follows from fails");
    }
    return draft().followsFromBatch(value)
        ? LoweringFault.specialisable(
            name + " follows from the batch size, but is no multiple of it; fix the batch")
        : LoweringFault.specialisable(
            name + " must be known at load, but depends on data; give a data set with its values");
  }

  /// The elements of an integer input, which must not depend on the batch symbol.
  long[] ints(int i) {
    List<Affine> sizes = sizes(i);
    if (!sizes.stream().allMatch(Affine::isConstant)) {
      throw LoweringFault.specialisable(
          "input %d %s is %s, which depends on the batch size; fix the batch"
              .formatted(i, Quote.of(in(i).name()), sizes));
    }
    return sizes.stream().mapToLong(Affine::constant).toArray();
  }

  /// The only element of an integer input.
  long int1(int i) {
    requireOne(i);
    return ints(i)[0];
  }

  /// The only element of an integer input, which may depend on the batch symbol.
  Affine size1(int i) {
    requireOne(i);
    return sizes(i).getFirst();
  }

  /// The only element of a float input that is constant or given.
  double real1(int i) {
    requireOne(i);
    return reals(i)[0];
  }

  private void requireOne(int i) {
    if (!type(i).elements().equals(Affine.ONE)) {
      throw LoweringFault.of(
          "input %d %s must have one element, is %s".formatted(i, Quote.of(in(i).name()), type(i)));
    }
  }

  /// Refuses an input of fewer axes.
  void requireRank(int i, int least) {
    requireRank(i, least, Integer.MAX_VALUE);
  }

  /// Refuses an input of fewer or more axes.
  void requireRank(int i, int least, int most) {
    if (rank(i) < least || rank(i) > most) {
      throw LoweringFault.of("input %d cannot have %d axes: %s".formatted(i, rank(i), type(i)));
    }
  }

  /// The tensor of a constant input, or of one whose value is given.
  Tensor tensor(int i) {
    draft().consult(in(i));
    Tensor tensor = draft().constantOrGiven(in(i));
    if (tensor == null) {
      throw unknown(in(i), i);
    }
    return tensor;
  }

  @Nullable Tensor constant(int i) {
    return has(i) ? draft().tensor(in(i)) : null;
  }

  /// The elements of a float input that is constant or given.
  double[] reals(int i) {
    return SmallTensors.reals(tensor(i));
  }

  // Attributes.

  boolean hasAttr(String name) {
    return attributes.has(name);
  }

  long attrInt(String name) {
    return attributes.integer(name);
  }

  boolean attrBool(String name) {
    return attributes.integer(name) != 0;
  }

  float attrFloat(String name) {
    return attributes.real(name);
  }

  String attrString(String name) {
    return attributes.string(name);
  }

  /// The list, or an empty one.
  long[] attrInts(String name) {
    return attributes.integers(name);
  }

  Attributes attributes() {
    return attributes;
  }

  ConstantReader constants() {
    return scope.constants();
  }

  Bodies bodies() {
    return scope.bodies();
  }

  /// The attribute, one of `allowed`.
  String attrOneOf(String name, String... allowed) {
    String value = attributes.string(name);
    if (!Arrays.asList(allowed).contains(value)) {
      throw LoweringFault.of(
          "has attribute %s = %s, which is not supported; supported are %s"
              .formatted(Quote.of(name), Quote.of(value), Arrays.toString(allowed)));
    }
    return value;
  }

  /// The element type that an attribute names by its number.
  ElementType attrType(String name) {
    return elementType(attributes.integer(name));
  }

  static ElementType elementType(long number) {
    return ElementType.ofOnnx((int) number)
        .orElseThrow(() -> LoweringFault.of("uses type " + ElementTypes.unsupported((int) number)));
  }

  // Axes.

  /// An axis of `[-rank, rank-1]` as one of `[0, rank-1]`.
  static int axis(long axis, int rank) {
    if (axis < -rank || axis >= rank) {
      throw LoweringFault.of("axis %d is outside [%d, %d]".formatted(axis, -rank, rank - 1));
    }
    return (int) (axis < 0 ? axis + rank : axis);
  }

  /// Axes in ascending order, none twice.
  static List<Integer> axes(long[] axes, int rank) {
    var result = new ArrayList<Integer>();
    for (long axis : axes) {
      result.add(axis(axis, rank));
    }
    if (result.stream().distinct().count() != result.size()) {
      throw LoweringFault.of("names an axis twice: " + Arrays.toString(axes));
    }
    return result.stream().sorted().toList();
  }

  int attrAxis(String name, int rank) {
    return axis(attrInt(name), rank);
  }

  LoweringFault unsupported(String what) {
    return LoweringFault.of(what + " is not supported");
  }
}
