package io.miniinference.service.inference;

import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.catalog.ServedModel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// What a model demands of a request's names, types and shapes. The messages begin as Triton's do,
/// since clients look for them. For one request.
final class RequestRules {
  private final ServedModel served;
  private final Set<String> seen = new HashSet<>();
  private @Nullable Long batch;

  RequestRules(ServedModel served) {
    this.served = served;
  }

  /// The type of an input, once its header is known to fit.
  TensorType checkInput(String name, String datatype, long[] shape) {
    TensorType type = declared(name);
    if (!seen.add(name)) {
      throw invalid("input '%s' already exists in request".formatted(name));
    }
    if (!type.element().v2Name().equals(datatype)) {
      throw invalid(
          "inference input '%s' data-type is '%s', but model '%s' expects '%s'"
              .formatted(name, datatype, served.name(), type.element().v2Name()));
    }
    checkShape(name, type, shape);
    return type;
  }

  /// The inputs in the model's order, none missing.
  List<InputTensor> complete(Map<String, InputTensor> found) {
    List<String> missing =
        inputs().stream().map(Value::name).filter(name -> !found.containsKey(name)).toList();
    if (!missing.isEmpty()) {
      throw invalid(
          "expected %d inputs but got %d inputs for model '%s'. Missing required input(s) %s"
              .formatted(inputs().size(), found.size(), served.name(), quoted(missing)));
    }
    List<InputTensor> ordered = new ArrayList<>();
    inputs().forEach(input -> ordered.add(found.get(input.name())));
    return ordered;
  }

  /// Positions of the outputs asked for; all if none are named.
  List<Integer> outputs(List<String> names) {
    List<String> all = served.model().outputs().stream().map(Value::name).toList();
    List<Integer> positions = new ArrayList<>();
    for (String name : names.isEmpty() ? all : names) {
      int position = all.indexOf(name);
      if (position < 0) {
        throw invalid(
            "unexpected inference output '%s' for model '%s'; its outputs are %s"
                .formatted(name, served.name(), quoted(all)));
      }
      if (positions.contains(position)) {
        throw invalid("output '%s' already requested".formatted(name));
      }
      positions.add(position);
    }
    return positions;
  }

  private List<Value> inputs() {
    return served.model().inputs();
  }

  private TensorType declared(String name) {
    return inputs().stream()
        .filter(input -> input.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            invalid(
                "unexpected inference input '%s' for model '%s'; its inputs are %s"
                    .formatted(name, served.name(), quoted(names(inputs())))))
        .type();
  }

  private void checkShape(String name, TensorType type, long[] shape) {
    OptionalLong n = shape.length == type.rank() ? batchOf(type, shape) : OptionalLong.empty();
    if (n.isEmpty()) {
      throw invalid(
          "unexpected shape for input '%s' for model '%s'. Expected %s, got %s"
              .formatted(name, served.name(), expected(type), text(shape)));
    }
    if (!type.isStatic()) {
      checkBatch(name, n.getAsLong());
    }
  }

  private void checkBatch(String name, long n) {
    if (n > served.model().maxBatch()) {
      throw invalid(
          "inference request batch-size must be <= %d for '%s'"
              .formatted(served.model().maxBatch(), served.name()));
    }
    if (batch != null && batch != n) {
      throw invalid(
          "input '%s' batch size does not match other inputs for '%s': %d and %d"
              .formatted(name, served.name(), n, batch));
    }
    batch = n;
  }

  /// The batch at which the type has this shape (0 for a type without a batch), or none.
  private static OptionalLong batchOf(TensorType type, long[] shape) {
    long n = 0;
    for (int axis = 0; axis < shape.length; axis++) {
      Affine dim = type.dim(axis);
      if (!dim.isConstant() && shape[axis] % dim.perBatch() == 0) {
        n = shape[axis] / dim.perBatch();
        break;
      }
    }
    for (int axis = 0; axis < shape.length; axis++) {
      Affine dim = type.dim(axis);
      boolean fits =
          dim.isConstant() ? dim.asConstant() == shape[axis] : multiple(dim, n) == shape[axis];
      if (!fits) {
        return OptionalLong.empty();
      }
    }
    return OptionalLong.of(n);
  }

  private static long multiple(Affine dim, long n) {
    return n > Long.MAX_VALUE / dim.perBatch() ? -1 : n * dim.perBatch();
  }

  private static String expected(TensorType type) {
    return text(V2Shapes.of(type));
  }

  private static String text(long[] shape) {
    return LongStream.of(shape).mapToObj(Long::toString).collect(Collectors.joining(",", "[", "]"));
  }

  private static List<String> names(List<Value> values) {
    return values.stream().map(Value::name).toList();
  }

  private static String quoted(List<String> names) {
    return names.stream().collect(Collectors.joining("', '", "'", "'"));
  }

  private static InvalidRequestException invalid(String message) {
    return new InvalidRequestException(message);
  }
}
