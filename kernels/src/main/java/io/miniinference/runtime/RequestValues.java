package io.miniinference.runtime;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Tensor;
import io.miniinference.signature.TensorSpec;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A request whose small inputs are read before it runs, since sizes may follow from them.
final class RequestValues {
  /// Most elements of an input that may decide over a size: shapes, counts and conditions have few.
  private static final long MOST_ELEMENTS = 4096;

  private final InferenceRequest request;
  private final RequestShape shape;
  private final List<TensorSpec> inputs;
  private final Map<Integer, Tensor> small = new HashMap<>();

  /// @throws InvalidRequestException if the request's shapes do not fit the signature
  RequestValues(Signature signature, InferenceRequest request) {
    shape = signature.check(request.shapes());
    inputs = signature.inputs();
    this.request = request;
    for (int i = 0; i < inputs.size(); i++) {
      if (isSmall(request.shapes().get(i))) {
        small.put(i, read(i));
      }
    }
  }

  private static boolean isSmall(long[] shape) {
    long elements = 1;
    for (long extent : shape) {
      if (extent < 0 || extent > MOST_ELEMENTS) {
        return false;
      }
      elements *= extent;
      if (elements > MOST_ELEMENTS) {
        return false;
      }
    }
    return true;
  }

  private Tensor read(int input) {
    Tensor tensor = Interpreter.allocate(inputs.get(input).element(), request.shapes().get(input));
    request.writer().write(input, tensor.data());
    return tensor;
  }

  /// The request, each of whose inputs is still written once.
  InferenceRequest request() {
    return new InferenceRequest(
        request.shapes(),
        (input, staging) -> {
          Tensor known = small.get(input);
          if (known == null) {
            request.writer().write(input, staging);
          } else {
            staging.copyFrom(known.data());
          }
        },
        request.deadlineNanos());
  }

  /// The sizes of what is open.
  RequestShape shape() {
    return shape;
  }

  /// Whether an input is small.
  boolean has(String name) {
    return small.keySet().stream().anyMatch(input -> inputs.get(input).name().equals(name));
  }

  /// The small inputs by name.
  Map<String, Tensor> values() {
    Map<String, Tensor> values = new HashMap<>();
    small.forEach((input, tensor) -> values.put(inputs.get(input).name(), tensor));
    return values;
  }

  /// What tells apart the values of some inputs; empty for none. An input that is not small counts
  /// for nothing: no size follows from it.
  String key(Collection<String> names) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      Tensor tensor = small.get(i);
      if (tensor != null && names.contains(inputs.get(i).name())) {
        parts.add(inputs.get(i).name() + "=" + text(tensor));
      }
    }
    return String.join(",", parts);
  }

  private static String text(Tensor tensor) {
    return Base64.getEncoder().encodeToString(tensor.data().toArray(ValueLayout.JAVA_BYTE));
  }
}
