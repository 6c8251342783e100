package io.miniinference.onnx;

import static io.miniinference.onnx.Wire.body;
import static io.miniinference.onnx.Wire.call;
import static io.miniinference.onnx.Wire.function;
import static io.miniinference.onnx.Wire.graph;
import static io.miniinference.onnx.Wire.inlined;
import static io.miniinference.onnx.Wire.model;
import static io.miniinference.onnx.Wire.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.NodeProto;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeOrderTest {
  private static List<String> outputs(List<NodeProto> nodes) {
    return nodes.stream().map(node -> node.getOutput(0)).toList();
  }

  @Test
  void aGraphInOrderStaysTheSameObject() {
    GraphProto branch = graph(node("Neg", "a", "y"));
    GraphProto graph = graph(node("Relu", "x", "a"), node("If", "a", "y", body("then", branch)));

    assertThat(NodeOrder.of(graph)).isSameAs(graph);
  }

  @Test
  void constantsBehindTheirReadersComeFirst() {
    GraphProto graph = NodeOrder.of(graph(node("Add", "x c", "y"), node("Constant", "", "c")));

    assertThat(outputs(graph.getNodeList())).containsExactly("c", "y");
    assertThat(graph.getInputList()).hasSize(1);
  }

  @Test
  void whatMayComeInAnyOrderKeepsTheFiles() {
    GraphProto graph =
        graph(
            node("Relu", "x", "e"),
            node("Add", "c d", "y"),
            node("Neg", "x", "d"),
            node("Abs", "x", "c"));

    assertThat(outputs(NodeOrder.of(graph).getNodeList())).containsExactly("e", "d", "c", "y");
  }

  @Test
  void aNodeComesBehindWhatItsBodiesRead() {
    GraphProto inner = graph(node("Neg", "m", "y"), node("Relu", "late", "m"));
    NodeProto branch = node("If", "x", "y", body("then", inner));
    GraphProto ordered = NodeOrder.of(graph(branch, node("Abs", "x", "late")));

    assertThat(outputs(ordered.getNodeList())).containsExactly("late", "y");
    assertThat(outputs(ordered.getNode(1).getAttribute(0).getG().getNodeList()))
        .containsExactly("m", "y");
  }

  @Test
  void aNameThatABodyMakesItselfIsNoneOfTheGraphAround() {
    GraphProto inner = graph(node("Relu", "x", "m"), node("Neg", "m", "y"));
    GraphProto graph = graph(node("If", "x", "z", body("then", inner)), node("Abs", "z", "m"));

    assertThat(NodeOrder.of(graph)).isSameAs(graph);
  }

  @Test
  void whatIsInACycleOrBehindOneComesLast() {
    GraphProto graph =
        graph(
            node("Neg", "b", "behind"),
            node("Add", "x b", "a"),
            node("Relu", "a", "b"),
            node("Abs", "own", "own"),
            node("Exp", "x", "free"));

    assertThat(outputs(NodeOrder.of(graph).getNodeList()))
        .containsExactly("free", "behind", "a", "b", "own");
  }

  @Test
  void functionsAreSortedToo() {
    var shuffled = function("F", "a", "r", node("Neg", "t", "r"), node("Relu", "a", "t")).build();

    OnnxGraph graph = inlined(model(graph(call("F", "x", "y")), shuffled).build());

    assertThat(graph.nodes()).extracting(OnnxNode::opType).containsExactly("Relu", "Neg");
  }

  @Test
  void aLongChainInAnyOrderIsSortedInTime() {
    Random random = new Random(5);
    List<NodeProto> nodes =
        new ArrayList<>(
            IntStream.range(0, 100_000)
                .mapToObj(i -> node("Relu", i == 0 ? "x" : "v" + (i - 1), "v" + i))
                .toList());
    List<String> inOrder = outputs(nodes);
    Collections.shuffle(nodes, random);

    assertThat(outputs(NodeOrder.of(nodes))).isEqualTo(inOrder);
  }

  @Test
  void omittedInputsAndOutputsOrderNothing() {
    GraphProto graph = graph(node("Clip", "x - m", "y -"), node("LSTM", "x - w", "- h"));

    assertThat(NodeOrder.of(graph)).isSameAs(graph);
  }
}
