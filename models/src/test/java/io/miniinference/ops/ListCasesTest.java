package io.miniinference.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.tensor.OnnxTensor;
import io.miniinference.onnx.tensor.OnnxValue;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorShapeProto;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import io.miniinference.ops.node.ImportOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The standard's own tests of lists, which take and give lists: here each of their tensors is an
/// input or output by itself, and the list is made of them, or taken apart, by a node.
@Tag("data")
class ListCasesTest {

  @Test
  void theStandardsTestsOfListsPass() {
    Map<String, String> wrong = new TreeMap<>();
    int count = 0;
    try (var cases = new NodeCases(Path.of(System.getProperty("mie.data")))) {
      for (NodeCases.Case test : cases.index()) {
        GraphProto graph = cases.proto(test.name()).getGraph();
        if (isOfLists(graph)) {
          count++;
          new Taken(cases, test).difference().ifPresent(what -> wrong.put(test.name(), what));
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(count).isGreaterThanOrEqualTo(16);
  }

  private static boolean isOfLists(GraphProto graph) {
    List<TypeProto> types =
        Stream.concat(graph.getInputList().stream(), graph.getOutputList().stream())
            .map(ValueInfoProto::getType)
            .toList();
    return types.stream().anyMatch(TypeProto::hasSequenceType)
        && types.stream().noneMatch(TypeProto::hasOptionalType);
  }

  /// A case with its lists taken apart.
  private static final class Taken {
    private final NodeCases cases;
    private final NodeCases.Case test;
    private final GraphProto original;
    private final GraphProto.Builder graph;
    private final List<NodeProto> ahead = new ArrayList<>();
    private final Map<String, Tensor> inputs = new LinkedHashMap<>();
    private final List<Tensor> expected = new ArrayList<>();

    Taken(NodeCases cases, NodeCases.Case test) {
      this.cases = cases;
      this.test = test;
      original = cases.proto(test.name()).getGraph();
      graph = original.toBuilder().clearInput().clearOutput().clearNode();
    }

    Optional<String> difference() {
      for (int i = 0; i < original.getInputCount(); i++) {
        takeInput(original.getInput(i), cases.value(test, "input", i, original.getInput(i)));
      }
      graph.addAllNode(ahead).addAllNode(original.getNodeList());
      for (int i = 0; i < original.getOutputCount(); i++) {
        takeOutput(original.getOutput(i), cases.value(test, "output", i, original.getOutput(i)));
      }
      List<Tensor> results = Interpreter.run(imported(), List.copyOf(inputs.values()));
      for (int i = 0; i < results.size(); i++) {
        var wrong = test.tolerance().difference(results.get(i), expected.get(i));
        if (wrong.isPresent()) {
          return wrong;
        }
      }
      return Optional.empty();
    }

    private Graph imported() {
      ModelProto model = cases.proto(test.name()).toBuilder().setGraph(graph).build();
      OnnxModel read =
          OnnxReader.read(
              test.name(), ByteBuffer.wrap(model.toByteArray()), null, ReadLimits.defaults());
      return GraphCheck.check(
          Importer.importModel(read, ImportOptions.defaults().withInputValues(inputs)));
    }

    private void takeInput(ValueInfoProto input, OnnxValue value) {
      if (value instanceof OnnxValue.Sequence list) {
        List<String> names = new ArrayList<>();
        for (OnnxValue element : list.elements()) {
          names.add(input.getName() + "." + names.size());
          addInput(names.getLast(), (OnnxTensor) element);
        }
        String op = names.isEmpty() ? "SequenceEmpty" : "SequenceConstruct";
        ahead.add(node(op, names, input.getName()));
      } else {
        addInput(input.getName(), (OnnxTensor) value);
      }
    }

    private void addInput(String name, OnnxTensor tensor) {
      var shape = TensorShapeProto.newBuilder();
      for (long dim : tensor.dims()) {
        shape.addDimBuilder().setDimValue(dim);
      }
      var type = TypeProto.Tensor.newBuilder().setElemType(tensor.type().number()).setShape(shape);
      graph.addInput(
          ValueInfoProto.newBuilder()
              .setName(name)
              .setType(TypeProto.newBuilder().setTensorType(type)));
      inputs.put(name, NodeCases.tensor(tensor));
    }

    private void takeOutput(ValueInfoProto output, OnnxValue value) {
      if (value instanceof OnnxValue.Sequence list) {
        String name = output.getName();
        for (int i = 0; i < list.elements().size(); i++) {
          addPlace(name + ".place" + i, i);
          graph.addNode(node("SequenceAt", List.of(name, name + ".place" + i), name + "." + i));
          addOutput(name + "." + i, NodeCases.tensor((OnnxTensor) list.elements().get(i)));
        }
        graph.addNode(node("SequenceLength", List.of(name), name + ".length"));
        addOutput(name + ".length", Tensor.of(new long[] {list.elements().size()}));
      } else {
        addOutput(output.getName(), NodeCases.tensor((OnnxTensor) value));
      }
    }

    private void addOutput(String name, Tensor value) {
      graph.addOutput(ValueInfoProto.newBuilder().setName(name));
      expected.add(value);
    }

    private void addPlace(String name, long place) {
      graph.addInitializer(
          TensorProto.newBuilder()
              .setName(name)
              .setDataType(TensorProto.DataType.INT64.getNumber())
              .addInt64Data(place));
    }

    private static NodeProto node(String op, List<String> inputs, String output) {
      return NodeProto.newBuilder().setOpType(op).addAllInput(inputs).addOutput(output).build();
    }
  }
}
