package io.miniinference.engine;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.Model;
import io.miniinference.signature.TensorSpec;
import io.miniinference.strings.StringTable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/// Turns tensors by name into a request, and says which name or type is not the model's.
final class NamedTensors {
  private NamedTensors() {}

  /// @param strings those of the request
  /// @throws InvalidRequestException if an input is missing, unknown, or of another element type
  static InferenceRequest request(Model model, Map<String, Tensor> tensors, StringTable strings) {
    Objects.requireNonNull(tensors, "inputs");
    requireKnown(model, tensors);
    List<Tensor> inOrder =
        model.inputs().stream().map(v -> tensor(model, v, tensors).codedIn(strings)).toList();
    return new InferenceRequest(
            inOrder.stream().map(Tensor::shape).toList(),
            (input, staging) -> staging.copyFrom(inOrder.get(input).data()))
        .withStrings(strings);
  }

  private static void requireKnown(Model model, Map<String, Tensor> tensors) {
    for (String name : tensors.keySet()) {
      if (model.inputs().stream().noneMatch(input -> input.name().equals(name))) {
        throw new InvalidRequestException(
            "model '%s' has no input '%s'; it takes %s"
                .formatted(model.name(), name, text(model.inputs())));
      }
    }
  }

  private static Tensor tensor(Model model, TensorSpec input, Map<String, Tensor> tensors) {
    Tensor tensor = tensors.get(input.name());
    if (tensor == null) {
      throw new InvalidRequestException(
          "input '%s' is missing: model '%s' takes %s"
              .formatted(input.name(), model.name(), text(model.inputs())));
    }
    if (tensor.element() != input.element() || tensor.isOfStrings() != input.isOfStrings()) {
      throw new InvalidRequestException(
          "input '%s' of model '%s' is %s, got %s: make it %s"
              .formatted(input.name(), model.name(), input, tensor, making(input)));
    }
    return tensor;
  }

  /* What an application makes elements of that type of. */
  private static String making(TensorSpec input) {
    if (input.isOfStrings()) {
      return "of a String[]";
    }
    ElementType element = input.element();
    return switch (element) {
      case F32 -> "of a float[]";
      case F64 -> "of a double[]";
      case I64 -> "of a long[]";
      case I32 -> "of an int[]";
      case BOOL -> "of a boolean[]";
      case F16, BF16, I8, I16, U8, U16, U32, U64 ->
          "of its bytes by of(ElementType." + element.name() + ", …)";
    };
  }

  /// The name of the one input or output.
  ///
  /// @param role `input` or `output`
  /// @throws InvalidRequestException if there are more
  static String only(Model model, String role, List<TensorSpec> values) {
    if (values.size() != 1) {
      throw new InvalidRequestException(
          "model '%s' has %d %ss: name them, which are %s"
              .formatted(model.name(), values.size(), role, text(values)));
    }
    return values.getFirst().name();
  }

  /// Names and types, as messages show them.
  static String text(List<TensorSpec> values) {
    return values.stream()
        .map(v -> "'" + v.name() + "' (" + v + ")")
        .collect(Collectors.joining(", "));
  }
}
