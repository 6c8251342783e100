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
import java.util.List;
import java.util.stream.Collectors;

/// Inputs and outputs of a model as its file declares them, for models whose sizes are known only
/// with a request. Each dimension that is open reads `N` here, whatever its symbol.
public final class DeclaredTypes {
  private DeclaredTypes() {}

  /// What a request gives: the inputs that name no initializer.
  public static List<Value> inputs(OnnxModel model) {
    var initialized =
        model.graph().getInitializerList().stream()
            .map(TensorProto::getName)
            .collect(Collectors.toSet());
    return values(
        model.graph().getInputList().stream()
            .filter(input -> !initialized.contains(input.getName()))
            .toList());
  }

  /// What a request gets; an output without a declared shape has rank 0 here.
  public static List<Value> outputs(OnnxModel model) {
    return values(model.graph().getOutputList());
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
    return dim.hasDimValue() && dim.getDimValue() >= 0 ? Affine.of(dim.getDimValue()) : Affine.N;
  }
}
