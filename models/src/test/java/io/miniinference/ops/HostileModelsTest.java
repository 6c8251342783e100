package io.miniinference.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorShapeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import io.miniinference.ops.node.ImportOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The models of the standard's operator tests with numbers, inputs and shapes changed at random:
/// each is imported, or refused as a model should be.
@Tag("data")
class HostileModelsTest {
  private static final long SEED = 20_261_120;
  private static final int MUTANTS = 3;
  private static final long[] NUMBERS = {
    0, 1, -1, 2, 3, 7, -7, 64, 1 << 20, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE
  };

  private final Random random = new Random(SEED);

  @Test
  void aMutatedModelIsImportedOrRefusedWithProblems() {
    List<String> escaped = new ArrayList<>();
    try (var cases = new NodeCases(Path.of(System.getProperty("mie.data")))) {
      for (NodeCases.Case test : cases.index()) {
        for (int k = 0; k < MUTANTS; k++) {
          attempt(test.name() + " mutant " + k, cases.proto(test.name()), escaped);
        }
      }
    }
    assertThat(escaped).as("seed %d", SEED).isEmpty();
  }

  private void attempt(String name, ModelProto original, List<String> escaped) {
    ModelProto mutant = original.toBuilder().setGraph(mutated(original.getGraph())).build();
    try {
      OnnxModel model =
          OnnxReader.read(name, ByteBuffer.wrap(mutant.toByteArray()), null, ReadLimits.defaults());
      Importer.importModel(model, ImportOptions.defaults());
    } catch (ModelException e) {
      assertThat(e.problems()).isNotEmpty();
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      escaped.add(name + ": " + e + " at " + e.getStackTrace()[0]);
    }
  }

  private GraphProto mutated(GraphProto graph) {
    var builder = graph.toBuilder().clearNode().clearInput().clearInitializer();
    graph.getNodeList().forEach(node -> builder.addNode(mutated(node, graph)));
    graph.getInputList().forEach(input -> keepOrPin(input, builder));
    graph.getInitializerList().forEach(tensor -> builder.addInitializer(mutated(tensor)));
    return builder.build();
  }

  private NodeProto mutated(NodeProto node, GraphProto graph) {
    var builder = node.toBuilder();
    for (AttributeProto.Builder attribute : builder.getAttributeBuilderList()) {
      mutate(attribute);
    }
    for (int i = 0; i < node.getInputCount(); i++) {
      if (random.nextInt(8) == 0) {
        boolean none = random.nextInt(3) == 0 || graph.getInputCount() == 0;
        builder.setInput(
            i, none ? "" : graph.getInput(random.nextInt(graph.getInputCount())).getName());
      }
    }
    return builder.build();
  }

  private void mutate(AttributeProto.Builder attribute) {
    if (random.nextInt(3) > 0) {
      return;
    }
    if (attribute.hasI()) {
      attribute.setI(number());
    } else if (attribute.hasF()) {
      attribute.setF(number());
    } else if (attribute.getIntsCount() > 0) {
      int at = random.nextInt(attribute.getIntsCount());
      if (random.nextBoolean()) {
        attribute.setInts(at, number());
      } else {
        attribute.clearInts().addInts(number());
      }
    }
  }

  private long number() {
    return NUMBERS[random.nextInt(NUMBERS.length)];
  }

  /// A small integer input becomes a constant, so that what reads it as a shape is reached.
  private void keepOrPin(ValueInfoProto input, GraphProto.Builder graph) {
    var type = input.getType().getTensorType();
    boolean vector = type.getShape().getDimCount() <= 1;
    boolean integer = type.getElemType() == TensorProto.DataType.INT64.getNumber();
    if (!vector || !integer || random.nextInt(4) == 0) {
      graph.addInput(reshaped(input));
      return;
    }
    long count = type.getShape().getDimCount() == 0 ? 1 : type.getShape().getDim(0).getDimValue();
    var tensor = TensorProto.newBuilder().setName(input.getName()).setDataType(type.getElemType());
    type.getShape().getDimList().forEach(dim -> tensor.addDims(dim.getDimValue()));
    for (long i = 0; i < count; i++) {
      tensor.addInt64Data(number());
    }
    graph.addInitializer(tensor);
  }

  private ValueInfoProto reshaped(ValueInfoProto input) {
    var builder = input.toBuilder();
    if (!input.getType().hasTensorType()) {
      return input;
    }
    TensorShapeProto.Builder shape =
        builder.getTypeBuilder().getTensorTypeBuilder().getShapeBuilder();
    for (int axis = 0; axis < shape.getDimCount(); axis++) {
      if (random.nextInt(6) == 0) {
        shape.getDimBuilder(axis).setDimValue(Math.abs(number() % 5));
      } else if (axis == 0 && random.nextInt(3) == 0) {
        shape.getDimBuilder(axis).setDimParam("N");
      }
    }
    if (random.nextInt(10) == 0 && shape.getDimCount() > 0) {
      shape.removeDim(shape.getDimCount() - 1);
    }
    return builder.build();
  }

  private TensorProto mutated(TensorProto tensor) {
    var builder = tensor.toBuilder();
    for (int i = 0; i < tensor.getInt64DataCount(); i++) {
      if (random.nextInt(4) == 0) {
        builder.setInt64Data(i, number());
      }
    }
    return builder.build();
  }
}
