package io.miniinference.bench.contrib;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A model with numbers, inputs and shapes changed at random: it is imported, or refused as a model
/// should be.
final class Mutants {
  private static final int COUNT = 40;
  private static final long[] NUMBERS = {
    0, 1, -1, 2, 3, 7, -7, 64, 1 << 20, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE
  };

  private final Random random;

  private Mutants(long seed) {
    this.random = new Random(seed);
  }

  static void hold(byte[] model) {
    for (int seed = 0; seed < COUNT; seed++) {
      byte[] mutant = new Mutants(seed).mutated(model);
      try {
        Peers.imported(mutant);
      } catch (ModelException e) {
        assertThat(e.problems()).as("mutant %d", seed).isNotEmpty();
      }
    }
  }

  private byte[] mutated(byte[] model) {
    try {
      ModelProto.Builder mutant = ModelProto.parseFrom(model).toBuilder();
      GraphProto.Builder graph = mutant.getGraphBuilder();
      List<String> names = new ArrayList<>();
      graph.getInputList().forEach(input -> names.add(input.getName()));
      graph.getInitializerList().forEach(tensor -> names.add(tensor.getName()));
      graph.getNodeBuilderList().forEach(node -> mutate(node, names));
      graph.getInputBuilderList().forEach(this::mutate);
      return mutant.build().toByteArray();
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private void mutate(NodeProto.Builder node, List<String> names) {
    for (AttributeProto.Builder attribute : node.getAttributeBuilderList()) {
      if (random.nextInt(3) == 0) {
        mutate(attribute);
      }
    }
    if (node.getAttributeCount() > 0 && random.nextInt(8) == 0) {
      node.removeAttribute(random.nextInt(node.getAttributeCount()));
    }
    for (int i = 0; i < node.getInputCount(); i++) {
      if (random.nextInt(8) == 0) {
        boolean none = random.nextInt(3) == 0;
        node.setInput(i, none ? "" : names.get(random.nextInt(names.size())));
      }
    }
  }

  private void mutate(AttributeProto.Builder attribute) {
    long number = NUMBERS[random.nextInt(NUMBERS.length)];
    attribute.setI(number).setF(number);
    if (attribute.getIntsCount() > 0 && random.nextBoolean()) {
      attribute.setInts(random.nextInt(attribute.getIntsCount()), number);
    } else {
      attribute.clearInts();
    }
    if (random.nextInt(8) == 0) {
      attribute.setType(AttributeProto.AttributeType.STRING);
    }
  }

  private void mutate(ValueInfoProto.Builder input) {
    if (random.nextInt(4) != 0) {
      return;
    }
    TypeProto.Tensor.Builder type = input.getTypeBuilder().getTensorTypeBuilder();
    int dims = type.getShape().getDimCount();
    if (dims > 0 && random.nextBoolean()) {
      type.getShapeBuilder().getDimBuilder(random.nextInt(dims)).setDimValue(random.nextInt(9));
    } else if (dims > 0 && random.nextBoolean()) {
      type.getShapeBuilder().getDimBuilder(0).setDimParam("N");
    } else if (random.nextBoolean()) {
      type.getShapeBuilder().addDimBuilder().setDimValue(1);
    } else {
      type.setElemType(1 + random.nextInt(12));
    }
  }
}
