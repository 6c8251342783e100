package io.miniinference.ops.draft;

import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What is given of the inputs of the one request that a graph is built for.
///
/// The batch of the graph may be open all the same: what is given has the rows of that request.
///
/// @param values of inputs, each of the input's shape at that batch size
/// @param batch rows of the request; 1 if no input that is given has the batch
public record GivenInputs(Map<Value, Tensor> values, long batch) {
  static final GivenInputs NONE = new GivenInputs(Map.of(), 1);

  /// Those of the right types, and of one batch size.
  public static GivenInputs of(List<Value> inputs, Map<String, Tensor> tensors) {
    Map<Value, Tensor> values = new LinkedHashMap<>();
    for (Value input : inputs) {
      Tensor tensor = tensors.get(input.name());
      if (tensor != null && tensor.shape().length == input.type().rank()) {
        values.put(input, tensor);
      }
    }
    long batch = batch(values);
    values.entrySet().removeIf(given -> !fits(given.getKey().type(), given.getValue(), batch));
    return new GivenInputs(values, batch);
  }

  /// Whether one of the inputs of these names has the batch.
  boolean anyHasBatch(Set<String> names) {
    return values.keySet().stream()
        .anyMatch(input -> !input.type().isStatic() && names.contains(input.name()));
  }

  private static long batch(Map<Value, Tensor> values) {
    return values.entrySet().stream()
        .filter(given -> given.getKey().type().shape().contains(Affine.N))
        .mapToLong(
            given -> given.getValue().shape()[given.getKey().type().shape().indexOf(Affine.N)])
        .findFirst()
        .orElse(1);
  }

  private static boolean fits(TensorType type, Tensor tensor, long batch) {
    return tensor.element() == type.element() && Arrays.equals(tensor.shape(), type.shapeAt(batch));
  }
}
