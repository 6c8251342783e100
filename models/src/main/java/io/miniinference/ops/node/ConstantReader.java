package io.miniinference.ops.node;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.Problem;
import io.miniinference.onnx.tensor.OnnxTensor;
import io.miniinference.onnx.tensor.TensorReader;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.ops.draft.LoweringFault;
import java.util.stream.Collectors;

/// Tensor messages of a model to tensors of core IR.
public final class ConstantReader {
  private final TensorReader reader;
  private final ReadConstants known;

  /// @param known of the model
  public ConstantReader(TensorReader reader, ReadConstants known) {
    this.reader = reader;
    this.known = known;
  }

  /// @throws LoweringFault if the message is faulty, or of a type that core IR does not have
  public Tensor read(TensorProto proto) {
    return known.of(proto, () -> readNow(proto));
  }

  private Tensor readNow(TensorProto proto) {
    ElementType type =
        ElementType.ofOnnx(proto.getDataType())
            .orElseThrow(() ->
                LoweringFault.of(
                    "has elements of type " + ElementTypes.unsupported(proto.getDataType())));
    try {
      OnnxTensor tensor = reader.read(proto);
      return new Tensor(type, tensor.dims(), tensor.data());
    } catch (ModelException e) {
      throw LoweringFault.of(
          e.problems().stream().map(Problem::what).collect(Collectors.joining("; ")));
    }
  }
}
