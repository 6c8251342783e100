package io.miniinference.ops;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorShapeProto.Dimension;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/// Inputs and outputs of a model as its file declares them, for models whose sizes are known only
/// with a request. Each dimension that is open reads `N` here, whatever its symbol.
public final class DeclaredTypes {
  private DeclaredTypes() {}

  /// What a request gives: the inputs that name no initializer.
  public static List<Value> inputs(OnnxModel model) {
    return values(requested(model));
  }

  private static List<ValueInfoProto> requested(OnnxModel model) {
    var initialized =
        model.graph().getInitializerList().stream()
            .map(TensorProto::getName)
            .collect(Collectors.toSet());
    return model.graph().getInputList().stream()
        .filter(input -> !initialized.contains(input.getName()))
        .toList();
  }

  /// What a request gets; an output without a declared shape has rank 0 here.
  public static List<Value> outputs(OnnxModel model) {
    return values(model.graph().getOutputList());
  }

  /// The sizes that a request gives to what is open.
  ///
  /// @param others sizes besides the batch, by symbol
  public record Sizes(long batch, Map<String, Long> others) {}

  /// Whether a symbol that stands on axis 0 of inputs is the batch.
  public static boolean hasBatch(OnnxModel model) {
    return batch(model).isPresent();
  }

  /// The inputs with the batch on axis 0.
  public static List<String> byRows(OnnxModel model) {
    Optional<String> batch = batch(model);
    return requested(model).stream()
        .filter(input -> batch.isPresent() && batch.equals(leading(input)))
        .map(ValueInfoProto::getName)
        .toList();
  }

  /// What a request's shapes give to what is open; empty if no batch can be told.
  ///
  /// @param shapes of the ranks of [#inputs]
  /// @return sizes that fit those shapes wherever a symbol stands, unless the request contradicts
  ///   itself
  public static Optional<Sizes> sizes(OnnxModel model, List<long[]> shapes) {
    return batch(model).map(batch -> sizes(model, batch, shapes));
  }

  private static Sizes sizes(OnnxModel model, String batch, List<long[]> shapes) {
    Map<String, Long> sizes = new HashMap<>();
    List<ValueInfoProto> inputs = requested(model);
    for (int i = 0; i < inputs.size(); i++) {
      List<Dimension> dims = dims(inputs.get(i));
      for (int axis = 0; axis < dims.size(); axis++) {
        if (isOpen(dims.get(axis))) {
          sizes.put(symbol(inputs.get(i), axis), shapes.get(i)[axis]);
        }
      }
    }
    long rows = Objects.requireNonNull(sizes.remove(batch));
    return new Sizes(rows, sizes);
  }

  private static Optional<String> batch(OnnxModel model) {
    return InputTypes.batch(
        requested(model).stream()
            .flatMap(input -> leading(input).stream())
            .collect(Collectors.toSet()));
  }

  /* The symbol on axis 0. */
  private static Optional<String> leading(ValueInfoProto input) {
    return !dims(input).isEmpty() && isOpen(dims(input).getFirst())
        ? Optional.of(symbol(input, 0))
        : Optional.empty();
  }

  private static List<Dimension> dims(ValueInfoProto input) {
    return input.getType().getTensorType().getShape().getDimList();
  }

  private static String symbol(ValueInfoProto input, int axis) {
    return InputTypes.symbol(dims(input).get(axis), input.getName(), axis);
  }

  private static List<Value> values(List<ValueInfoProto> infos) {
    List<Value> values = new ArrayList<>();
    for (ValueInfoProto info : infos) {
      TypeProto.Tensor tensor = info.getType().getTensorType();
      ElementType element = ElementType.ofOnnx(tensor.getElemType()).orElse(ElementType.F32);
      List<Affine> shape = tensor.getShape().getDimList().stream().map(DeclaredTypes::dim).toList();
      values.add(new Value(info.getName(), new TensorType(element, shape)));
    }
    return values;
  }

  private static Affine dim(Dimension dim) {
    return isOpen(dim) ? Affine.N : Affine.of(dim.getDimValue());
  }

  private static boolean isOpen(Dimension dim) {
    return !dim.hasDimValue() || dim.getDimValue() < 0;
  }
}
