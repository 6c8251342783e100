package io.miniinference.ops.node;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.Problem;
import io.miniinference.onnx.Quote;
import io.miniinference.onnx.tensor.OnnxTensor;
import io.miniinference.onnx.tensor.TensorReader;
import io.miniinference.onnx.wire.SparseTensorProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.strings.Dictionary;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Tensor messages of a model to tensors of core IR.
public final class ConstantReader {
  /// Most elements of a constant of which several share a byte.
  private static final long MOST_PACKED = 1L << 30;

  private final TensorReader reader;
  private final ReadConstants known;
  private final Dictionary dictionary;
  private final SparseConstants sparse;

  /// @param known of the model
  /// @param dictionary of the model
  /// @param maxSpreadBytes most that sparse constants of the model may take as dense tensors
  public ConstantReader(
      TensorReader reader, ReadConstants known, Dictionary dictionary, long maxSpreadBytes) {
    this.reader = reader;
    this.known = known;
    this.dictionary = dictionary;
    this.sparse = new SparseConstants(this::readNow, maxSpreadBytes);
  }

  /// The codes of the model's strings.
  public Dictionary dictionary() {
    return dictionary;
  }

  /// The type of a message's elements, if core IR has them as codes.
  public static Optional<CodedType> coded(TensorProto proto) {
    return CodedType.ofOnnx(proto.getDataType());
  }

  /// The elements of a message, or the codes of them ([#coded]).
  ///
  /// @throws LoweringFault if the message is faulty, or of a type that core IR does not have
  public Tensor read(TensorProto proto) {
    return known.of(proto, () -> readNow(proto));
  }

  /// The elements of a sparse message, those between its values included.
  ///
  /// @throws LoweringFault as [#read(TensorProto)] does, and if the dense tensor would be too large
  public Tensor read(SparseTensorProto proto) {
    return known.of(proto, () -> sparse.dense(proto));
  }

  private Tensor readNow(TensorProto proto) {
    Optional<CodedType> coded = coded(proto);
    ElementType type =
        coded
            .map(CodedType::element)
            .or(() -> ElementType.ofOnnx(proto.getDataType()))
            .orElseThrow(() ->
                LoweringFault.of(
                    "has elements of type " + ElementTypes.unsupported(proto.getDataType())));
    try {
      OnnxTensor tensor = reader.read(proto);
      requireUnpackable(tensor);
      return coded.filter(CodedType.STRING::equals).isPresent()
          ? strings(tensor.strings(), tensor.dims())
          : new Tensor(type, tensor.dims(), tensor.unpacked());
    } catch (ModelException e) {
      throw LoweringFault.of(
          e.problems().stream().map(Problem::what).collect(Collectors.joining("; ")));
    }
  }

  /* Packed elements are spread to one a byte. */
  private static void requireUnpackable(OnnxTensor tensor) {
    if (tensor.type().packed() && tensor.elements() > MOST_PACKED) {
      throw LoweringFault.of(
          "has %,d elements of type %s, more than %,d"
              .formatted(tensor.elements(), tensor.type(), MOST_PACKED));
    }
  }

  /// The codes of strings that the file has.
  public Tensor strings(List<String> strings, long... shape) {
    return SmallTensors.of(
        CodedType.STRING.element(), shape, strings.stream().mapToLong(this::code).toArray());
  }

  /// The code of a string that the file has.
  ///
  /// @throws LoweringFault if it was not UTF-8 in the file
  public int code(String string) {
    int code = dictionary.code(string.getBytes(StandardCharsets.UTF_8));
    if (code < 0) {
      throw LoweringFault.of("has a string that is not UTF-8: " + Quote.of(string));
    }
    return code;
  }
}
