package io.miniinference.ops;

import com.google.protobuf.ByteString;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxFunction;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.Problem;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.strings.Dictionary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;

/// The strings of a model that may be elements of its tensors: all string tensors of the file, and
/// attributes that are lists of strings or name one.
///
/// It depends on nothing but the file, so that all imports of a model have the same codes.
public final class ModelStrings {
  /// Most strings that a model may have. Each takes some 200 bytes of the heap besides its own.
  private static final int MOST = 1 << 20;

  /// Attributes that are one element.
  private static final Set<String> ELEMENTS = Set.of("value_string", "default_string");

  /// What `ai.onnx.ml` gives for keys that an encoder does not have, where its file says nothing.
  private static final String UNUSED = "_Unused";

  private final OnnxModel model;
  private final Set<ByteString> strings = new LinkedHashSet<>();
  private final Deque<GraphProto> graphs = new ArrayDeque<>();

  private ModelStrings(OnnxModel model) {
    this.model = model;
  }

  /// The dictionary of a model.
  ///
  /// @throws ModelException if it has too many strings
  public static Dictionary of(OnnxModel model) {
    var all = new ModelStrings(model);
    all.collect();
    return Dictionary.of(all.strings.stream().map(ByteString::toByteArray)::iterator);
  }

  private void collect() {
    graphs.add(model.graph());
    for (OnnxFunction function : model.functions()) {
      function.nodes().forEach(this::add);
      function.defaults().values().forEach(this::add);
    }
    while (!graphs.isEmpty()) {
      GraphProto graph = graphs.remove();
      graph.getInitializerList().forEach(this::add);
      graph.getSparseInitializerList().forEach(tensor -> add(tensor.getValues()));
      graph.getNodeList().forEach(this::add);
    }
  }

  private void add(NodeProto node) {
    if (node.getDomain().equals("ai.onnx.ml")) {
      add(ByteString.copyFrom(UNUSED, StandardCharsets.UTF_8));
    }
    node.getAttributeList().forEach(this::add);
  }

  private void add(AttributeProto attribute) {
    if (attribute.hasG()) {
      graphs.add(attribute.getG());
    }
    graphs.addAll(attribute.getGraphsList());
    if (attribute.hasT()) {
      add(attribute.getT());
    }
    if (attribute.hasSparseTensor()) {
      add(attribute.getSparseTensor().getValues());
    }
    if (attribute.hasS() && ELEMENTS.contains(attribute.getName())) {
      add(attribute.getS());
    }
    attribute.getStringsList().forEach(this::add);
  }

  private void add(TensorProto tensor) {
    if (tensor.getDataType() == DataType.STRING.getNumber()) {
      tensor.getStringDataList().forEach(this::add);
    }
  }

  private void add(ByteString string) {
    strings.add(string);
    if (strings.size() > MOST) {
      throw new ModelException(
          model.name(), Problem.of("has more than %,d different strings".formatted(MOST)));
    }
  }
}
