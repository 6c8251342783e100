package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.sparse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.AttributeProto.AttributeType;
import io.miniinference.onnx.wire.SparseTensorProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SparseConstantsTest {
  private static final List<Long> DIMS = List.of(2L, 3L);
  private static final List<Float> VALUES = List.of(1f, 2f, 3f);

  @Test
  void aPlaceIsOneNumberOfTheWholeTensor() {
    assertThat(added(sparse("w", DIMS, VALUES, 1, 3, 5))).containsExactly(10, 11, 10, 12, 10, 13);
  }

  @Test
  void orOneNumberForEachAxis() {
    assertThat(added(sparse("w", DIMS, VALUES, 0, 1, 1, 0, 1, 2)))
        .containsExactly(10, 11, 10, 12, 10, 13);
  }

  @Test
  void noValueIsAllZeros() {
    assertThat(added(sparse("w", DIMS, List.of()))).containsExactly(10, 10, 10, 10, 10, 10);
  }

  @Test
  void aConstantMayBeSparse() {
    var value =
        AttributeProto.newBuilder()
            .setName("sparse_value")
            .setType(AttributeType.SPARSE_TENSOR)
            .setSparseTensor(sparse("", DIMS, VALUES, 1, 3, 5))
            .build();
    TestModel model = model().node("Constant", "", "w", value).node("Add", "x w", "y").output("y");
    assertThat(run(model)).containsExactly(10, 11, 10, 12, 10, 13);
  }

  @Test
  void aBodyHasItsOwn() {
    TestModel branch =
        TestModel.body()
            .sparse(sparse("w", DIMS, VALUES, 1, 3, 5))
            .node("Add", "x w", "z")
            .output("z");
    TestModel model =
        model()
            .input("c", DataType.BOOL)
            .node(
                "If", "c", "y", attribute("then_branch", branch), attribute("else_branch", branch))
            .output("y");
    assertThat(run(model, Tensor.of(new boolean[] {true}))).containsExactly(10, 11, 10, 12, 10, 13);
  }

  @Test
  void anInputOfItsNameIsNoneOfRequests() {
    TestModel model = summed(sparse("w", DIMS, VALUES, 1, 3, 5)).floats("w", "2", "3");
    assertThat(imported(model).inputs()).singleElement().extracting("name").isEqualTo("x");
    assertThat(model.read().requested()).singleElement().extracting("name").isEqualTo("x");
  }

  @Test
  void betweenStringsAreEmptyOnes() {
    var texts =
        TensorProto.newBuilder()
            .setName("w")
            .setDataType(DataType.STRING.getNumber())
            .addDims(1)
            .addStringData(ByteString.copyFromUtf8("a"));
    SparseTensorProto words =
        sparse("w", List.of(2L), List.of(0f), 1).toBuilder().setValues(texts).build();
    TestModel model =
        TestModel.opset(19).strings("x", "2").sparse(words).node("Equal", "x w", "y").output("y");
    var imported = Importer.importWithValues(model.read(), ImportOptions.defaults());
    int a = imported.codes().dictionary().code("a".getBytes(StandardCharsets.UTF_8));
    List<Tensor> given = List.of(Tensor.of(new int[] {0, a}, 2));
    assertThat(Interpreter.run(imported.graph(), given).getFirst().booleans())
        .containsExactly(true, true);
  }

  @Test
  void aPlaceOutsideIsRefused() {
    assertRefused(sparse("w", DIMS, VALUES, 1, 3, 6), "index 6 of value 2 outside [0, 5]");
    assertRefused(sparse("w", DIMS, VALUES, -1, 3, 5), "index -1 of value 0 outside [0, 5]");
    assertRefused(sparse("w", DIMS, VALUES, 0, 1, 0, 3, 1, 2), "index 3 of value 1 outside [0, 2]");
    assertRefused(sparse("w", List.of(0L, 3L), List.of(1f), 0), "outside [0, -1]");
  }

  @Test
  void soAreIndicesOfAnotherShape() {
    assertRefused(
        sparse("w", DIMS, VALUES, 1, 3, 5).toBuilder()
            .setIndices(sparse("", DIMS, List.of(1f), 1).getIndices())
            .build(),
        "3 values and indices of i64[1]; they are i64[3] or i64[3,2]");
    assertRefused(
        sparse("w", DIMS, VALUES, 1, 3, 5).toBuilder()
            .setIndices(sparse("", DIMS, VALUES, 1, 3, 5).getValues())
            .build(),
        "indices of f32[3]");
  }

  @Test
  void aFewBytesCannotTakeAnyMemory() {
    assertRefused(
        sparse("w", List.of(1L << 40), VALUES, 1, 3, 5), "takes 4,398,046,511,104 bytes as f32");
    assertRefused(sparse("w", List.of(1L << 40, 1L << 40), VALUES, 1, 3, 5), "too large to count");
    assertRefused(sparse("w", List.of(-1L, 6L), VALUES, 1, 3, 5), "negative");
  }

  @Test
  void allOfAModelTogetherAreBounded() {
    TestModel model = summed(sparse("w", DIMS, VALUES, 1, 3, 5));
    model.sparse(sparse("v", DIMS, VALUES, 1, 3, 5));
    ImportOptions enough = ImportOptions.defaults().withMaxFoldedBytes(48);
    ImportOptions less = ImportOptions.defaults().withMaxFoldedBytes(47);
    assertThat(Importer.importModel(model.read(), enough).nodes()).isNotEmpty();
    assertThatThrownBy(() -> Importer.importModel(model.read(), less))
        .hasMessageContaining("initializer 'v': is sparse, and takes 24 bytes as f32[2, 3]")
        .hasMessageContaining("beside 24 bytes of others, the limit is 47");
  }

  private static void assertRefused(SparseTensorProto tensor, String what) {
    assertThatThrownBy(() -> imported(summed(tensor)))
        .hasMessageContaining("initializer 'w': is sparse, ")
        .hasMessageContaining(what);
  }

  private static TestModel model() {
    return TestModel.opset(17).floats("x", "2", "3");
  }

  private static TestModel summed(SparseTensorProto tensor) {
    return model().sparse(tensor).node("Add", "x w", "y").output("y");
  }

  private static float[] added(SparseTensorProto tensor) {
    return run(summed(tensor));
  }

  private static float[] run(TestModel model, Tensor... others) {
    float[] tens = new float[6];
    Arrays.fill(tens, 10);
    List<Tensor> given = new ArrayList<>(List.of(Tensor.of(tens, 2, 3)));
    given.addAll(List.of(others));
    return Interpreter.run(imported(model), given).getFirst().floats();
  }

  private static Graph imported(TestModel model) {
    return Importer.importModel(model.read(), ImportOptions.defaults());
  }
}
