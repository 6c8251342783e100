package io.miniinference.ops.node;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.onnx.Quote;
import io.miniinference.ops.draft.CountedAxes;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.PlannedSizes;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.draft.Structure;
import io.miniinference.ops.draft.SymbolicTensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One ONNX node before its rule: inputs, attributes, and the algebra to answer in.
public final class OpContext extends Emitter {
  private final List<Optional<Value>> inputs;
  private final Attributes attributes;
  private final Scope scope;

  /// What surrounds a node.
  ///
  /// @param opset version of the node's operator set
  /// @param outputs how many outputs the node names, trailing unnamed ones left out
  /// @param options how the model is imported
  /// @param constants reads tensor attributes
  /// @param bodies imports graph attributes
  record Scope(
      long opset, int outputs, ImportOptions options, ConstantReader constants, Bodies bodies) {}

  OpContext(Emitter emitter, List<Optional<Value>> inputs, Attributes attributes, Scope scope) {
    super(emitter);
    this.inputs = List.copyOf(inputs);
    this.attributes = attributes;
    this.scope = scope;
  }

  /// The same node with other inputs.
  public OpContext with(List<Optional<Value>> others) {
    return new OpContext(this, others, attributes, scope);
  }

  // Inputs.

  public int inputs() {
    return inputs.size();
  }

  public boolean has(int i) {
    return i < inputs.size() && inputs.get(i).isPresent();
  }

  public Value in(int i) {
    return optional(i).orElseThrow(() -> LoweringFault.of("needs input " + i));
  }

  public Optional<Value> optional(int i) {
    return i < inputs.size() ? inputs.get(i) : Optional.empty();
  }

  /// All inputs, none of which may be absent.
  public Value[] all() {
    Value[] values = new Value[inputs.size()];
    Arrays.setAll(values, this::in);
    return values;
  }

  public TensorType type(int i) {
    return in(i).type();
  }

  public int rank(int i) {
    return type(i).rank();
  }

  public ElementType element(int i) {
    return type(i).element();
  }

  /// The type whose codes an input holds; empty if it holds numbers.
  public Optional<CodedType> coded(int i) {
    return facts().coded(in(i));
  }

  public long opset() {
    return scope.opset();
  }

  /// How many outputs the node names, trailing unnamed ones left out.
  public int outputs() {
    return scope.outputs();
  }

  public long maxFoldedBytes() {
    return scope.options().maxFoldedBytes();
  }

  /// Whether results may have sizes that only the device can tell.
  public boolean countsSizes() {
    return scope.options().countsSizes() && !draft().isBody();
  }

  /// The tensors of an input that is a list; empty if it is none.
  public Optional<List<Value>> elements(int i) {
    return optional(i)
        .flatMap(draft()::structure)
        .map(it -> it instanceof Structure.Sequence(List<Value> elements) ? elements : null);
  }

  // Inputs that must be known at load.

  /// The elements of an integer input, which may depend on the batch symbol.
  public List<Affine> sizes(int i) {
    Value value = in(i);
    requireWhole(value);
    facts().consult(value);
    return facts().known(value).map(SymbolicTensor::values).orElseThrow(() -> unknown(value, i));
  }

  /* What is planned at its largest says nothing about sizes. */
  private void requireWhole(Value value) {
    if (facts().isCounted(value) || facts().isPlanned(value)) {
      throw CountedAxes.joins();
    }
    facts()
        .coded(value)
        .ifPresent(type -> {
          throw LoweringFault.of(
              "takes %s for numbers, which holds values of type %s"
                  .formatted(Quote.of(value.name()), type.name()));
        });
  }

  /// What is known of an integer input that follows from the size of a counted axis; empty if it
  /// does not.
  public Optional<PlannedSizes> planned(int i) {
    return optional(i).flatMap(facts()::planned);
  }

  private LoweringFault unknown(Value value, int i) {
    String name = "input %d %s".formatted(i, Quote.of(value.name()));
    if (facts().isFailed(value)) {
      return LoweringFault.failed(name + " is not known, since what it follows from fails");
    }
    return facts().followsFromBatch(value)
        ? LoweringFault.specialisable(
            name + " follows from the batch size, but is no multiple of it; fix the batch")
        : LoweringFault.ofData(name);
  }

  /// The elements of an integer input, which must not depend on the batch symbol.
  public long[] ints(int i) {
    List<Affine> sizes = sizes(i);
    if (!sizes.stream().allMatch(Affine::isConstant)) {
      throw LoweringFault.specialisable(
          "input %d %s is %s, which depends on the batch size; fix the batch"
              .formatted(i, Quote.of(in(i).name()), sizes));
    }
    return sizes.stream().mapToLong(Affine::constant).toArray();
  }

  /// The only element of an integer input.
  public long int1(int i) {
    requireOne(i);
    return ints(i)[0];
  }

  /// The only element of an integer input, which may depend on the batch symbol.
  public Affine size1(int i) {
    requireOne(i);
    return sizes(i).getFirst();
  }

  /// The only element of a float input that is constant or given.
  public double real1(int i) {
    requireOne(i);
    return reals(i)[0];
  }

  /// An input of one element, without its axes.
  public Value single(int i) {
    requireOne(i);
    return reshape(in(i));
  }

  private void requireOne(int i) {
    if (!type(i).elements().equals(Affine.ONE)) {
      throw LoweringFault.of(
          "input %d %s must have one element, is %s".formatted(i, Quote.of(in(i).name()), type(i)));
    }
  }

  /// Refuses an input of fewer axes.
  public void requireRank(int i, int least) {
    requireRank(i, least, Integer.MAX_VALUE);
  }

  /// Refuses an input of fewer or more axes.
  public void requireRank(int i, int least, int most) {
    if (rank(i) < least || rank(i) > most) {
      throw LoweringFault.of("input %d cannot have %d axes: %s".formatted(i, rank(i), type(i)));
    }
  }

  /// The tensor of a constant input, or of one whose value is given.
  public Tensor tensor(int i) {
    requireWhole(in(i));
    facts().consult(in(i));
    Tensor tensor = facts().constantOrGiven(in(i));
    if (tensor == null) {
      throw unknown(in(i), i);
    }
    return tensor;
  }

  @Nullable Tensor constant(int i) {
    return has(i) ? facts().tensor(in(i)) : null;
  }

  /// The elements of a float input that is constant or given.
  public double[] reals(int i) {
    return SmallTensors.reals(tensor(i));
  }

  // Attributes.

  public boolean hasAttr(String name) {
    return attributes.has(name);
  }

  public long attrInt(String name) {
    return attributes.integer(name);
  }

  public boolean attrBool(String name) {
    return attributes.integer(name) != 0;
  }

  public float attrFloat(String name) {
    return attributes.real(name);
  }

  public String attrString(String name) {
    return attributes.string(name);
  }

  /// The list, or an empty one.
  public long[] attrInts(String name) {
    return attributes.integers(name);
  }

  public Attributes attributes() {
    return attributes;
  }

  public ConstantReader constants() {
    return scope.constants();
  }

  public Bodies bodies() {
    return scope.bodies();
  }

  /// The attribute, one of `allowed`.
  public String attrOneOf(String name, String... allowed) {
    String value = attributes.string(name);
    if (!Arrays.asList(allowed).contains(value)) {
      throw LoweringFault.of(
          "has attribute %s = %s, which is not supported; supported are %s"
              .formatted(Quote.of(name), Quote.of(value), Arrays.toString(allowed)));
    }
    return value;
  }

  /// The element type that an attribute names by its number.
  public ElementType attrType(String name) {
    return elementType(attributes.integer(name));
  }

  public static ElementType elementType(long number) {
    return ElementType.ofOnnx((int) number)
        .orElseThrow(() -> LoweringFault.of("uses type " + ElementTypes.unsupported((int) number)));
  }

  // Axes.

  /// An axis of `[-rank, rank-1]` as one of `[0, rank-1]`.
  public static int axis(long axis, int rank) {
    if (axis < -rank || axis >= rank) {
      throw LoweringFault.of("axis %d is outside [%d, %d]".formatted(axis, -rank, rank - 1));
    }
    return (int) (axis < 0 ? axis + rank : axis);
  }

  /// Axes in ascending order, none twice.
  public static List<Integer> axes(long[] axes, int rank) {
    var result = new ArrayList<Integer>();
    for (long axis : axes) {
      result.add(axis(axis, rank));
    }
    if (result.stream().distinct().count() != result.size()) {
      throw LoweringFault.of("names an axis twice: " + Arrays.toString(axes));
    }
    return result.stream().sorted().toList();
  }

  public int attrAxis(String name, int rank) {
    return axis(attrInt(name), rank);
  }

  public LoweringFault unsupported(String what) {
    return LoweringFault.of(what + " is not supported");
  }
}
