package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.integers;
import static io.miniinference.ops.TestModel.reals;
import static io.miniinference.ops.TestModel.strings;
import static io.miniinference.ops.TestModel.tensor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TreeEnsemble;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Forests as files have them: what each version writes, and lists that make no trees.
class ForestsTest {
  private static Graph imported(TestModel model) {
    return Importer.importModel(model.read(), ImportOptions.defaults());
  }

  private static TreeEnsemble only(Graph graph) {
    return graph.nodes().stream()
        .filter(node -> node.op() instanceof TreeEnsemble)
        .map(node -> (TreeEnsemble) node.op())
        .findFirst()
        .orElseThrow();
  }

  private static float[] run(TestModel model, float... row) {
    Graph graph = imported(model);
    return Interpreter.run(graph, List.of(Tensor.of(row, 1, row.length))).getFirst().floats();
  }

  private static void refuses(TestModel model, String why) {
    assertThatThrownBy(() -> imported(model)).hasMessageContaining(why);
  }

  @Test
  void aBranchGoesOneWayOrTheOther() {
    assertThat(run(ForestFile.stump().model(), 0, 0.5f, 0)).containsExactly(3);
    assertThat(run(ForestFile.stump().model(), 0, 0.51f, 0)).containsExactly(5);
  }

  @Test
  void rowsAreApartSoThatCallersMayShareABatch() {
    assertThat(imported(ForestFile.stump().model()).isBatchable()).isTrue();
  }

  @Test
  void theDepthIsThatOfTheLongestWay() {
    ForestFile file = ForestFile.stump();
    file.branch(1, 0, 0, 1, 2).leaf(1, 1, 1).branch(1, 2, 0, 3, 4).leaf(1, 3, 1).leaf(1, 4, 1);
    assertThat(only(imported(file.model())).depth()).isEqualTo(2);
    assertThat(only(imported(new ForestFile().leaf(0, 0, 7).model())).depth()).isZero();
    assertThat(run(new ForestFile().leaf(0, 0, 7).model(), 1, 2, 3)).containsExactly(7);
  }

  @Test
  void treesAndNodesMayBeInAnyOrder() {
    ForestFile file = new ForestFile();
    file.leaf(9, 70, 3).leaf(-4, 1, 100).leaf(9, -2, 5).branch(9, 8, 2, -2, 70);
    assertThat(run(file.model(), 0, 0, 1)).containsExactly(103);
    assertThat(run(file.model(), 0, 0, 0)).containsExactly(105);
  }

  @Test
  void aNodeThatSeveralLeadToIsThereForEach() {
    ForestFile file = new ForestFile();
    file.branch(0, 0, 0, 1, 2).branch(0, 1, 1, 3, 4).branch(0, 2, 2, 3, 4);
    file.leaf(0, 3, 1).leaf(0, 4, 2);
    assertThat(run(file.model(), 0, 1, 0)).containsExactly(2);
    assertThat(run(file.model(), 1, 1, 0)).containsExactly(1);
  }

  @Test
  void waysThatLeadBackAreRefused() {
    ForestFile loop = new ForestFile();
    loop.branch(0, 0, 0, 1, 2).branch(0, 1, 0, 3, 2).branch(0, 3, 0, 1, 2).leaf(0, 2, 1);
    refuses(loop.model(), "has nodes that lead back to themselves");
    ForestFile ring = new ForestFile().branch(0, 0, 0, 1, 1).branch(0, 1, 0, 0, 0);
    refuses(ring.model(), "has a tree without a root");
    refuses(new ForestFile().branch(0, 0, 0, 0, 0).model(), "has a tree without a root");
  }

  @Test
  void namesMustBeThoseOfNodes() {
    refuses(ForestFile.stump().branch(1, 0, 0, 1, 2).model(), "leads to node 1, and there is none");
    refuses(ForestFile.stump().leaf(0, 1, 1).model(), "has node 1 of tree 0 twice");
    refuses(
        ForestFile.stump().model(integers("target_nodeids", 1, 9)),
        "gives a weight to node 9 of tree 0, and there is none");
    refuses(ForestFile.stump().model(integers("target_ids", 0, 1)), "has a leaf of output 1, of 1");
    refuses(
        ForestFile.stump().model(strings("nodes_modes", List.of("LEAF", "BRANCH", "LEAF"))),
        "has a node of mode 'BRANCH'");
  }

  @ParameterizedTest
  @CsvSource({
    "3, rows have 3",
    "-1, compares feature -1",
    "4294967296, a number is too large for 32 bits"
  })
  void featuresMustBeThoseOfARow(long feature, String why) {
    refuses(ForestFile.stump().model(integers("nodes_featureids", feature, 0, 0)), why);
  }

  @Test
  void listsBesideEachOtherAreOfOneLength() {
    refuses(
        ForestFile.stump().model(integers("nodes_truenodeids", 1)),
        "has 1 elements in 'nodes_truenodeids', and 3 in 'nodes_nodeids'");
    refuses(ForestFile.stump().model(reals("target_weights", List.of())), "'target_weights'");
    refuses(ForestFile.stump().model(integers("nodes_nodeids")), "'nodes_nodeids'");
    refuses(
        ForestFile.stump().model(reals("base_values", List.of(1f, 2f))),
        "has 2 base values for 1 outputs");
    refuses(ForestFile.stump().model(attribute("n_targets", 0)), "has a leaf of output 0, of 0");
  }

  @Test
  void aDeepTreeTakesNoStackAndManyNodesNoLongTime() {
    int depth = 100_000;
    ForestFile chain = new ForestFile();
    for (int i = 0; i < depth; i++) {
      chain.branch(0, 2L * i, 0, 2L * i + 1, 2L * i + 2).leaf(0, 2L * i + 1, i);
    }
    chain.leaf(0, 2L * depth, -1);
    Graph graph = assertTimeout(Duration.ofSeconds(20), () -> imported(chain.model()));
    assertThat(only(graph).depth()).isEqualTo(depth);
  }

  /* The stump as a classifier, of which the label is asked. */
  private static TestModel classifier(DataType type, AttributeProto... own) {
    AttributeProto[] attributes =
        Stream.concat(Arrays.stream(ForestFile.stump().attributes()), Arrays.stream(own))
            .filter(it -> !it.getName().equals("n_targets"))
            .map(it -> it.toBuilder().setName(it.getName().replace("target_", "class_")).build())
            .collect(Collectors.toMap(AttributeProto::getName, it -> it, (given, it) -> it))
            .values()
            .toArray(AttributeProto[]::new);
    return TestModel.opset(17)
        .input("x", type, "N", "3")
        .node("ai.onnx.ml.TreeEnsembleClassifier", "x", "label scores", attributes)
        .output("label");
  }

  @ParameterizedTest
  @CsvSource({"NONE, 4, 9", "LOGISTIC, 9, 9"})
  void aLogisticScoreSpeaksForTheSecondClassAboveZero(String transform, long first, long second) {
    TestModel model =
        classifier(
            DataType.FLOAT,
            integers("classlabels_int64s", 4, 9),
            reals("target_weights", List.of(0.25f, 0.75f)),
            attribute("post_transform", transform));
    Tensor rows = Tensor.of(new float[] {0, 0.5f, 0, 0, 0.6f, 0}, 2, 3);
    assertThat(Interpreter.run(imported(model), List.of(rows)).getFirst().longs())
        .containsExactly(first, second);
  }

  @Test
  void labelsAreOfSumsThatAreNotYetNarrowed() {
    TensorProto weights =
        TensorProto.newBuilder()
            .setDataType(DataType.DOUBLE.getNumber())
            .addDims(2)
            .addDoubleData(1)
            .addDoubleData(1 + 1e-12)
            .build();
    TestModel model =
        classifier(
            DataType.DOUBLE,
            integers("classlabels_int64s", 4, 9),
            integers("target_ids", 0, 1),
            integers("target_nodeids", 1, 1),
            tensor("target_weights_as_tensor", weights));
    Tensor row = Tensor.of(new double[3], 1, 3);
    assertThat(Interpreter.run(imported(model), List.of(row)).getFirst().longs())
        .containsExactly(9);
  }

  @Test
  void outputsAndEntriesAreBounded() {
    refuses(
        ForestFile.stump().model(attribute("n_targets", 1_000_001)),
        "has 1,000,001 outputs, of 1 to 1,000,000");
    int entries = 20_000;
    long[] ones = new long[entries];
    Arrays.fill(ones, 1);
    refuses(
        ForestFile.stump()
            .model(
                attribute("n_targets", 1_000_000),
                integers("target_ids", new long[entries]),
                integers("target_treeids", new long[entries]),
                integers("target_nodeids", ones),
                reals("target_weights", Collections.nCopies(entries, 1f))),
        "has up to 20,000 entries in the leaves of a row for 1,000,000 outputs");
  }

  @Test
  void oneBaseValueIsThatOfAllTargets() {
    AttributeProto[] two = {attribute("n_targets", 2), reals("base_values", List.of(0.5f))};
    assertThat(run(ForestFile.stump().model(two), 0, 0, 0)).containsExactly(3.5f, 0.5f);
  }

  /* The leaf of either way is of one of two classes. */
  @Test
  void classesMayBeStrings() {
    TestModel model =
        classifier(
            DataType.FLOAT,
            integers("target_ids", 0, 1),
            strings("classlabels_strings", List.of("cat", "dog")));
    Tensor rows = Tensor.of(new float[] {0, 0.5f, 0, 0, 0.6f, 0, 0, -1, 0}, 3, 3);
    assertThat(StringRun.run(model, Map.of("x", rows)).getFirst().strings())
        .containsExactly("cat", "dog", "cat");
  }

  private static TensorProto of(TensorProto.DataType type, double... values) {
    TensorProto.Builder tensor =
        TensorProto.newBuilder().setDataType(type.getNumber()).addDims(values.length);
    for (double value : values) {
      if (type == TensorProto.DataType.UINT8) {
        tensor.addInt32Data((int) value);
      } else {
        tensor.addFloatData((float) value);
      }
    }
    return tensor.build();
  }

  /* Feature 0 is one of 1, 2.5 and 7; then feature 1 equals 4. */
  private static TestModel sets(double... members) {
    return TestModel.opset(17)
        .ml(5)
        .floats("x", "N", "2")
        .node(
            "ai.onnx.ml.TreeEnsemble",
            "x",
            "y",
            attribute("n_targets", 1),
            integers("tree_roots", 0),
            integers("nodes_featureids", 0, 1),
            tensor("nodes_modes", of(TensorProto.DataType.UINT8, 6, 4)),
            tensor("nodes_splits", of(TensorProto.DataType.FLOAT, 0, 4)),
            tensor("membership_values", of(TensorProto.DataType.FLOAT, members)),
            integers("nodes_truenodeids", 1, 0),
            integers("nodes_trueleafs", 0, 1),
            integers("nodes_falsenodeids", 2, 1),
            integers("nodes_falseleafs", 1, 1),
            integers("leaf_targetids", 0, 0, 0),
            tensor("leaf_weights", of(TensorProto.DataType.FLOAT, 10, 20, 30)))
        .output("y");
  }

  @ParameterizedTest
  @CsvSource({"1, 4, 10", "2.5, 4, 10", "7, 3, 20", "7, 4.0000005, 20", "3, 4, 30", "NaN, 4, 30"})
  void branchesAskForMembersOfSets(float first, float second, float expected) {
    assertThat(run(sets(7, 1, 2.5, 1, Double.NaN), first, second)).containsExactly(expected);
  }

  @Test
  void eachBranchThatAsksForASetHasOne() {
    refuses(sets(), "has fewer sets in 'membership_values'");
  }

  @Test
  void aThousandTreesOfAThousandNodesAreImported() {
    ForestFile forest = new ForestFile();
    for (int tree = 0; tree < 1_000; tree++) {
      for (int node = 0; node < 499; node++) {
        forest.branch(tree, node, node % 3, 2L * node + 1, 2L * node + 2);
      }
      for (int node = 499; node < 999; node++) {
        forest.leaf(tree, node, 1);
      }
    }
    TestModel model = forest.model();
    Graph graph = assertTimeout(Duration.ofSeconds(20), () -> imported(model));
    float[] rows = new float[3];
    Tensor x = Tensor.of(rows, 1, 3);
    assertThat(Interpreter.run(graph, List.of(x)).getFirst().floats()).containsExactly(1_000);
    assertThat(only(graph).depth()).isEqualTo(9);
  }
}
