package io.miniinference.ops;

import io.miniinference.onnx.wire.TensorShapeProto.Dimension;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The names of the dimensions of an input, or of an output.
///
/// A dimension has the name that the file gives it, or `input[axis]` if it gives none. Some
/// exporters give each open dimension the batch's name, so that a sentence's length is said to be
/// the number of sentences. A later dimension of the batch's name is therefore another size,
/// `batch[axis]`, one and the same for all inputs. Under any other name such a shape is a square.
record InputSymbols(String input, List<Dimension> dims) {
  private static final Pattern BATCH = Pattern.compile("N|(?i:batch)\\w*");

  static InputSymbols of(ValueInfoProto input) {
    return new InputSymbols(
        input.getName(), input.getType().getTensorType().getShape().getDimList());
  }

  private List<String> names() {
    return IntStream.range(0, dims.size()).mapToObj(this::name).toList();
  }

  /// Names of the dimensions that the file leaves open.
  List<String> open() {
    return IntStream.range(0, dims.size())
        .filter(axis -> !isDeclared(axis))
        .mapToObj(this::name)
        .toList();
  }

  /// What the file has where a name stands for a dimension that is not open.
  Map<String, Long> declared() {
    return IntStream.range(0, dims.size())
        .filter(this::isDeclared)
        .boxed()
        .collect(Collectors.toMap(this::name, axis -> dims.get(axis).getDimValue(), (a, _) -> a));
  }

  String name(int axis) {
    String name = dims.get(axis).getDimParam();
    if (name.isEmpty()) {
      return input + "[" + axis + "]";
    }
    return axis > 0 && isNamedBatch(name) && repeatsFirst(axis) ? name + "[" + axis + "]" : name;
  }

  /// The size that the file declares, or that is given for the name; empty for an open dimension.
  Optional<Long> size(int axis, Map<String, Long> given) {
    return isDeclared(axis)
        ? Optional.of(dims.get(axis).getDimValue())
        : Optional.ofNullable(given.get(name(axis)));
  }

  private boolean isDeclared(int axis) {
    return dims.get(axis).hasDimValue() && dims.get(axis).getDimValue() >= 0;
  }

  private boolean repeatsFirst(int axis) {
    return dims.get(axis).getDimParam().equals(dims.getFirst().getDimParam());
  }

  /// The batch among the open dimensions on axis 0 of inputs: the only one, or the only one that
  /// has a batch's name. The side of a square is none.
  static Optional<String> batch(List<InputSymbols> inputs, Map<String, Long> given) {
    Set<String> leading = new LinkedHashSet<>();
    for (InputSymbols input : inputs) {
      if (!input.dims.isEmpty() && input.size(0, given).isEmpty()) {
        leading.add(input.name(0));
      }
    }
    inputs.stream().filter(InputSymbols::isSquare).forEach(it -> leading.remove(it.name(0)));
    List<String> candidates =
        leading.size() == 1
            ? List.copyOf(leading)
            : leading.stream().filter(InputSymbols::isNamedBatch).toList();
    return candidates.size() == 1 ? Optional.of(candidates.getFirst()) : Optional.empty();
  }

  private boolean isSquare() {
    return dims.size() > 1 && names().lastIndexOf(name(0)) > 0;
  }

  static boolean isNamedBatch(String name) {
    return BATCH.matcher(name).matches();
  }
}
