package io.miniinference.ops;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// Inputs and outputs of a model as its file declares them, for models whose sizes are known only
/// with a request. The batch is the symbol that it is in an import.
public final class DeclaredTypes {
  private final Map<String, Long> given;
  private final Optional<String> batch;
  private final List<TensorSpec> inputs;
  private final List<TensorSpec> outputs;

  private DeclaredTypes(OnnxModel model, Map<String, Long> given) {
    this.given = given;
    List<ValueInfoProto> requested = model.requested();
    batch = InputSymbols.batch(requested.stream().map(InputSymbols::of).toList(), given);
    inputs = specs(requested);
    outputs = specs(model.answered());
  }

  /// What a file declares.
  ///
  /// @param given sizes of symbols that were fixed at load
  public static DeclaredTypes of(OnnxModel model, Map<String, Long> given) {
    return new DeclaredTypes(model, given);
  }

  /// What a request gives: the inputs that name no initializer.
  public List<TensorSpec> inputs() {
    return inputs;
  }

  /// What a request gets.
  public List<TensorSpec> outputs() {
    return outputs;
  }

  /// The symbol of the batch; empty if none stands on axis 0 of inputs, or several do and none has
  /// its name.
  public Optional<String> batch() {
    return batch;
  }

  /// The symbols of all dimensions of inputs that the file leaves open, the batch's among them.
  public Set<String> symbols() {
    Set<String> symbols = new TreeSet<>();
    batch.ifPresent(symbols::add);
    inputs.stream()
        .flatMap(input -> input.dims().stream())
        .filter(Dimension.Open.class::isInstance)
        .forEach(dim -> symbols.add(((Dimension.Open) dim).symbol()));
    return symbols;
  }

  /// Whether the batch's symbol has the name of a batch, and is not merely the only one on axis 0.
  public boolean hasNamedBatch() {
    return batch.map(InputSymbols::isNamedBatch).orElse(false);
  }

  private List<TensorSpec> specs(List<ValueInfoProto> infos) {
    return infos.stream().map(this::spec).toList();
  }

  private TensorSpec spec(ValueInfoProto info) {
    TypeProto.Tensor tensor = info.getType().getTensorType();
    Optional<CodedType> coded = CodedType.ofOnnx(tensor.getElemType());
    ElementType element = ElementType.ofOnnx(tensor.getElemType()).orElse(ElementType.F32);
    return TensorSpec.of(
        info.getName(),
        coded.map(CodedType::element).orElse(element),
        coded,
        tensor.hasShape() ? dims(InputSymbols.of(info)) : List.of(new Dimension.Rest()));
  }

  private List<Dimension> dims(InputSymbols symbols) {
    return IntStream.range(0, symbols.dims().size())
        .mapToObj(axis -> dimension(symbols, axis))
        .toList();
  }

  private Dimension dimension(InputSymbols symbols, int axis) {
    Optional<Long> fixed = symbols.size(axis, given);
    if (fixed.isPresent()) {
      return new Dimension.Fixed(fixed.get());
    }
    String name = symbols.name(axis);
    boolean isBatch = batch.isPresent() && batch.get().equals(name);
    return isBatch ? new Dimension.Batch(1) : new Dimension.Open(name);
  }
}
