package io.miniinference.runtime.strings;

import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.TensorShapeProto.Dimension;
import io.miniinference.runtime.InvalidRequestException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/// A node that gives strings another shape, or takes columns of them, ahead of nodes that look into
/// them.
///
/// @param numbers a shape, axes or columns, as the operator has it; empty for one without
record HostMove(NodeProto node, List<Long> numbers) {
  /// Most axes of a shape.
  private static final int MOST_AXES = 64;

  private static final Set<String> VIEWS =
      Set.of("Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze");

  HostMove {
    numbers = List.copyOf(numbers);
  }

  /// The node, if it is one.
  ///
  /// @param constants integers of the model by name, if a name is that of a constant
  static Optional<HostMove> of(NodeProto node, Function<String, Optional<List<Long>>> constants) {
    if (!(isView(node) || isColumns(node)) || node.getOutputCount() != 1) {
      return Optional.empty();
    }
    if (node.getInputCount() == 2 && !node.getInput(1).isEmpty()) {
      return constants
          .apply(node.getInput(1))
          .filter(numbers -> isColumns(node) || numbers.size() <= MOST_AXES)
          .map(numbers -> new HostMove(node, numbers));
    }
    boolean needsNumbers = node.getOpType().equals("Reshape") || isColumns(node);
    return Optional.of(ofAttribute(node))
        .filter(numbers -> !needsNumbers && numbers.size() <= MOST_AXES)
        .map(numbers -> new HostMove(node, numbers));
  }

  private static boolean isView(NodeProto node) {
    boolean isOnnx = node.getDomain().isEmpty() || node.getDomain().equals("ai.onnx");
    return isOnnx && VIEWS.contains(node.getOpType());
  }

  private static boolean isColumns(NodeProto node) {
    return node.getDomain().equals("ai.onnx.ml")
        && node.getOpType().equals("ArrayFeatureExtractor");
  }

  /* Axes of operators before their version 13; the axis of a Flatten is 1 unless told otherwise. */
  private static List<Long> ofAttribute(NodeProto node) {
    if (node.getOpType().equals("Flatten")) {
      return List.of(attribute(node, "axis").map(AttributeProto::getI).orElse(1L));
    }
    return attribute(node, "axes").map(AttributeProto::getIntsList).orElse(List.of());
  }

  private static Optional<AttributeProto> attribute(NodeProto node, String name) {
    return node.getAttributeList().stream().filter(it -> it.getName().equals(name)).findFirst();
  }

  String operand() {
    return node.getInput(0);
  }

  String result() {
    return node.getOutput(0);
  }

  /// The shape of the result.
  Declared shape(Declared operand) {
    return new Declared(operand.dims().map(this::moved));
  }

  /// What it does.
  StringStep.Work work() {
    return (operands, table, budget) -> {
      Tensor x = operands.getFirst();
      long[] shape = shape(x);
      budget.codes(shape, table);
      return List.of(StringTensors.of(codes(x, shape), shape, table));
    };
  }

  private long[] shape(Tensor x) {
    List<Long> sizes = Arrays.stream(x.shape()).boxed().toList();
    List<Dimension> moved = moved(Declared.of(sizes).dims().orElseThrow());
    if (moved.stream().anyMatch(dim -> !dim.hasDimValue() || dim.getDimValue() < 0)) {
      throw fault(x);
    }
    return moved.stream().mapToLong(Dimension::getDimValue).toArray();
  }

  private int[] codes(Tensor x, long[] shape) {
    int[] codes = StringTensors.codes(x);
    if (!isColumns(node)) {
      if (StringTensors.count(shape) != codes.length) {
        throw fault(x);
      }
      return codes;
    }
    if (x.shape().length == 0) {
      throw fault(x);
    }
    int width = Math.toIntExact(x.shape()[x.shape().length - 1]);
    int[] taken = new int[StringTensors.count(shape)];
    for (int i = 0; i < taken.length; i++) {
      long column = numbers.get(i % numbers.size());
      if (column < 0 || column >= width) {
        throw fault(x);
      }
      taken[i] = codes[i / numbers.size() * width + (int) column];
    }
    return taken;
  }

  private InvalidRequestException fault(Tensor x) {
    return new InvalidRequestException(
        "node '%s' (%s) of %s takes no strings of shape %s"
            .formatted(
                node.getName().isEmpty() ? result() : node.getName(),
                node.getOpType(),
                numbers,
                Arrays.toString(x.shape())));
  }

  private List<Dimension> moved(List<Dimension> dims) {
    return switch (node.getOpType()) {
      case "Identity" -> dims;
      case "Reshape" -> reshaped(dims);
      case "Flatten" -> flattened(dims);
      case "Squeeze" -> squeezed(dims);
      case "Unsqueeze" -> unsqueezed(dims);
      default -> columns(dims);
    };
  }

  private List<Dimension> reshaped(List<Dimension> dims) {
    List<Dimension> shape = new ArrayList<>();
    for (int axis = 0; axis < numbers.size(); axis++) {
      long size = numbers.get(axis);
      boolean isOwn = size == 0 && !allowsZero() && axis < dims.size();
      shape.add(isOwn ? dims.get(axis) : Declared.size(size));
    }
    int open = numbers.indexOf(-1L);
    if (open >= 0) {
      List<Dimension> rest = new ArrayList<>(shape);
      rest.remove(open);
      shape.set(open, quotient(dims, rest, open));
    }
    return shape;
  }

  private boolean allowsZero() {
    return attribute(node, "allowzero").map(AttributeProto::getI).orElse(0L) != 0;
  }

  /* What is left of a shape without the sizes of another; one that nobody knows if that is open. */
  private Dimension quotient(List<Dimension> dims, List<Dimension> others, int axis) {
    List<Dimension> left = new ArrayList<>(dims);
    others.forEach(left::remove);
    List<Dimension> more = new ArrayList<>(others);
    dims.forEach(more::remove);
    Dimension own = product(left, axis);
    Dimension divisor = product(more, axis);
    boolean isKnown = own.hasDimValue() && divisor.hasDimValue();
    if (Declared.isOne(divisor)) {
      return own;
    }
    if (isKnown && divisor.getDimValue() > 0 && own.getDimValue() % divisor.getDimValue() == 0) {
      return Declared.size(own.getDimValue() / divisor.getDimValue());
    }
    return isKnown ? Declared.size(-1) : symbol(axis);
  }

  private List<Dimension> flattened(List<Dimension> dims) {
    int axis = axis(numbers.getFirst(), dims.size());
    return List.of(product(dims.subList(0, axis), 0), product(dims.subList(axis, dims.size()), 1));
  }

  private List<Dimension> squeezed(List<Dimension> dims) {
    List<Integer> axes = numbers.stream().map(it -> axis(it, dims.size())).toList();
    return IntStream.range(0, dims.size())
        .filter(axis -> axes.isEmpty() ? !Declared.isOne(dims.get(axis)) : !axes.contains(axis))
        .mapToObj(dims::get)
        .toList();
  }

  private List<Dimension> unsqueezed(List<Dimension> dims) {
    int rank = dims.size() + numbers.size();
    List<Integer> axes = numbers.stream().map(it -> axis(it, rank)).toList();
    List<Dimension> shape = new ArrayList<>();
    int next = 0;
    for (int axis = 0; axis < rank; axis++) {
      boolean isNew = axes.contains(axis) || next == dims.size();
      shape.add(isNew ? Declared.size(1) : dims.get(next++));
    }
    return shape;
  }

  private List<Dimension> columns(List<Dimension> dims) {
    List<Dimension> shape = new ArrayList<>(dims.isEmpty() ? List.of() : dims);
    if (shape.size() < 2) {
      shape.addFirst(Declared.size(1));
    }
    shape.set(shape.size() - 1, Declared.size(numbers.size()));
    return shape;
  }

  private static int axis(long axis, int rank) {
    return (int) Math.clamp(axis < 0 ? axis + rank : axis, 0, rank);
  }

  private Dimension product(List<Dimension> dims, int axis) {
    List<Dimension> open = dims.stream().filter(dim -> !dim.hasDimValue()).toList();
    long known = 1;
    for (Dimension dim : dims) {
      known = dim.hasDimValue() ? StringTensors.times(known, dim.getDimValue()) : known;
    }
    if (open.isEmpty()) {
      return Declared.size(known);
    }
    return known == 1 && open.size() == 1 ? open.getFirst() : symbol(axis);
  }

  private Dimension symbol(int axis) {
    return Declared.symbol(result(), axis);
  }
}
