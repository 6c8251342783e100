package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.strings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.miniinference.interp.Interpreter;
import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import io.miniinference.strings.StringTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Strings are codes behind the import: what moves and compares them works, what would compute on
/// codes is refused.
class StringsTest {
  /// The outputs of a model, strings as such.
  private static List<Tensor> run(TestModel model, Map<String, Tensor> inputs) {
    return run(Importer.importWithValues(model.read(), ImportOptions.defaults()), inputs);
  }

  private static List<Tensor> run(Importer.Imported imported, Map<String, Tensor> inputs) {
    GraphCheck.check(imported.graph());
    var table = new StringTable(imported.codes().dictionary());
    List<Tensor> given = new ArrayList<>();
    imported.graph().inputs().forEach(i -> given.add(inputs.get(i.name()).codedIn(table)));
    List<Tensor> results = Interpreter.run(imported.graph(), given);
    List<Tensor> outputs = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      Tensor result = results.get(i);
      boolean coded = imported.codes().of(imported.graph().outputs().get(i).name()).isPresent();
      outputs.add(
          coded ? new Tensor(result.element(), result.shape(), result.data(), table) : result);
    }
    return outputs;
  }

  @Test
  void whatMovesElementsMovesStrings() {
    TestModel model =
        TestModel.opset(17)
            .strings("x", "2", "3")
            .texts("pad", "–")
            .constant("two", 2)
            .constant("pads", 0, 1, 0, 0)
            .constant("rows", 1, 0)
            .constant("flat", -1)
            .node("Identity", "x", "same")
            .node("Transpose", "same", "t")
            .node("Gather", "x rows", "gathered")
            .node("Reshape", "t flat", "joined")
            .node("Concat", "x gathered", "both", attribute("axis", 0))
            .node("Split", "x", "left right", attribute("axis", 1), attribute("num_outputs", 2))
            .node("Pad", "x pads pad", "padded")
            .output("joined")
            .output("both")
            .output("padded");
    List<Tensor> results =
        run(model, Map.of("x", Tensor.of(new String[] {"a", "b", "", "é", "a", "c"}, 2, 3)));
    assertThat(results.get(0).strings()).containsExactly("a", "é", "b", "a", "", "c");
    assertThat(results.get(1).strings())
        .containsExactly("a", "b", "", "é", "a", "c", "é", "a", "c", "a", "b", "");
    assertThat(results.get(2).strings()).containsExactly("–", "a", "b", "", "–", "é", "a", "c");
  }

  @Test
  void whatIsPaddedWithoutAValueIsEmpty() {
    TestModel model =
        TestModel.opset(17)
            .strings("x", "2")
            .texts("unused", "first")
            .constant("pads", 1, 1)
            .node("Pad", "x pads", "y")
            .output("y");
    assertThat(run(model, Map.of("x", Tensor.of("a", "b"))).getFirst().strings())
        .containsExactly("", "a", "b", "");
  }

  @Test
  void equalStringsAreEqualWhetherTheModelKnowsThemOrNot() {
    TestModel model =
        TestModel.opset(17)
            .strings("x", "N")
            .strings("y", "N")
            .texts("yes", "yes")
            .texts("no", "no")
            .node("Equal", "x y", "same")
            .node("Equal", "x yes", "agrees")
            .node("Where", "same x no", "chosen")
            .output("same")
            .output("agrees")
            .output("chosen");
    List<Tensor> results =
        run(
            model,
            Map.of(
                "x", Tensor.of("yes", "new", "other", "no"),
                "y", Tensor.of("yes", "new", "else", "yes")));
    assertThat(results.get(0).booleans()).containsExactly(true, true, false, false);
    assertThat(results.get(1).booleans()).containsExactly(true, false, false, false);
    assertThat(results.get(2).strings()).containsExactly("yes", "new", "no", "no");
  }

  @Test
  void bodiesCarryStrings() {
    TestModel then = TestModel.body().node("Identity", "x", "a").output("a");
    TestModel otherwise = TestModel.body().node("Identity", "word", "b").output("b");
    TestModel iteration =
        TestModel.body()
            .input("i", DataType.UNDEFINED)
            .input("goes", DataType.UNDEFINED)
            .input("carried", DataType.UNDEFINED)
            .node("Identity", "goes", "on")
            .node("Concat", "carried last", "turned", attribute("axis", 0))
            .node("Slice", "turned one three", "next")
            .output("on")
            .output("next")
            .output("carried");
    TestModel model =
        TestModel.opset(17)
            .strings("x", "2")
            .input("c", DataType.BOOL)
            .texts("word", "one", "two")
            .texts("last", "z")
            .constant("one", 1)
            .constant("three", 3)
            .node(
                "If",
                "c",
                "chosen",
                attribute("then_branch", then),
                attribute("else_branch", otherwise))
            .node("Loop", "three - x", "left rows", attribute("body", iteration))
            .output("chosen")
            .output("left")
            .output("rows");
    List<Tensor> results =
        run(model, Map.of("x", Tensor.of("p", "q"), "c", Tensor.of(new boolean[] {false})));
    assertThat(results.get(0).strings()).containsExactly("one", "two");
    assertThat(results.get(1).strings()).containsExactly("z", "z");
    assertThat(results.get(2).strings()).containsExactly("p", "q", "q", "z", "z", "z");
  }

  @Test
  void constantsOfNodesAreStrings() {
    TensorProto value =
        TensorProto.newBuilder()
            .setDataType(DataType.STRING.getNumber())
            .addDims(1)
            .addStringData(ByteString.copyFromUtf8("full"))
            .build();
    TestModel model =
        TestModel.opset(17)
            .constant("shape", 2)
            .node("Constant", "", "a", attribute("value_string", "alone"))
            .node("Constant", "", "b", strings("value_strings", List.of("first", "second")))
            .node("ConstantOfShape", "shape", "c", TestModel.tensor("value", value))
            .output("a")
            .output("b")
            .output("c");
    List<Tensor> results = run(model, Map.of());
    assertThat(results.get(0).shape()).isEmpty();
    assertThat(results.get(0).strings()).containsExactly("alone");
    assertThat(results.get(1).strings()).containsExactly("first", "second");
    assertThat(results.get(2).strings()).containsExactly("full", "full");
  }

  @Test
  void conditionsOnGivenStringsDecideShapes() {
    TestModel small = TestModel.body().node("Identity", "word", "a").output("a");
    TestModel large =
        TestModel.body().node("Concat", "word word", "b", attribute("axis", 0)).output("b");
    TestModel model =
        TestModel.opset(17)
            .strings("x")
            .texts("word", "w")
            .texts("scalar", new long[0], "small")
            .node("Equal", "x scalar", "c")
            .node("If", "c", "y", attribute("then_branch", small), attribute("else_branch", large))
            .output("y");
    Tensor other = Tensor.of(new String[] {"never seen"}, new long[0]);
    var imported =
        Importer.importWithValues(
            model.read(), ImportOptions.defaults().withInputValues(Map.of("x", other)));
    assertThat(imported.specialisedOn()).containsExactly("x");
    assertThat(run(imported, Map.of("x", other)).getFirst().strings()).containsExactly("w", "w");
  }

  @ParameterizedTest
  @CsvSource({"Add,x x", "Less,x x", "Neg,x", "Relu,x", "ReduceMax,x", "TopK,x one", "Gather,x x"})
  void whatComputesOnStringsIsRefused(String op, String inputs) {
    TestModel model =
        TestModel.opset(17).strings("x", "3").constant("one", 1).node(op, inputs, "y").output("y");
    assertThatThrownBy(() -> Importer.importModel(model.read(), ImportOptions.defaults()))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("node '#0' (%s)", op)
        .hasMessageContaining("STRING");
  }

  @Test
  void stringsAndNumbersDoNotMix() {
    TestModel model =
        TestModel.opset(17)
            .strings("x", "3")
            .input("n", DataType.INT32, "3")
            .texts("sizes", "1", "3")
            .node("Concat", "x n", "a", attribute("axis", 0))
            .node("Where", "c x n", "b")
            .input("c", DataType.BOOL, "3")
            .node("Equal", "x n", "d")
            .node("Reshape", "n sizes", "e")
            .node("Cast", "x", "f", attribute("to", 6))
            .node("Cast", "n", "g", attribute("to", 8))
            .output("a");
    assertThatThrownBy(() -> Importer.importModel(model.read(), ImportOptions.defaults()))
        .hasMessageContaining("(Concat): mixes values of type STRING")
        .hasMessageContaining("(Where): mixes values of type STRING")
        .hasMessageContaining("(Equal): computes on values of type STRING")
        .hasMessageContaining("(Reshape): takes 'sizes' for numbers")
        .hasMessageContaining("(Cast): casts STRING to numbers")
        .hasMessageContaining("(Cast): casts i32 to STRING");
  }

  @Test
  void inputsAndOutputsAreDeclaredAsStrings() {
    TestModel model =
        TestModel.opset(17)
            .strings("x", "N", "2")
            .node("Shape", "x", "size")
            .node("Identity", "x", "y")
            .output("y")
            .output("size");
    var imported = Importer.importWithValues(model.read(), ImportOptions.defaults());
    assertThat(imported.codes().types())
        .containsOnly(Map.entry("x", CodedType.STRING), Map.entry("y", CodedType.STRING));
    assertThat(imported.codes().inputs(imported.graph()).getFirst())
        .hasToString("string[N,2]")
        .matches(spec -> spec.v2Name().equals("BYTES"))
        .matches(spec -> spec.element() == ElementType.I32);
    assertThat(DeclaredTypes.of(model.read(), Map.of()).inputs().getFirst())
        .hasToString("string[N,2]");
  }

  @Test
  void scatteredStringsReplaceOthers() {
    TestModel model =
        TestModel.opset(17)
            .strings("x", "3")
            .constant("places", 2, 0)
            .texts("new", "n", "m")
            .node("ScatterElements", "x places new", "y", attribute("axis", 0))
            .node("Tile", "y twice", "z")
            .constant("twice", 2)
            .node("Unsqueeze", "z axis", "u")
            .constant("axis", 0)
            .node("Squeeze", "u axis", "s")
            .output("s");
    assertThat(run(model, Map.of("x", Tensor.of("a", "b", "c"))).getFirst().strings())
        .containsExactly("m", "b", "n", "m", "b", "n");
  }
}
