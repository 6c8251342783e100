package io.miniinference.onnx.inline;

import static io.miniinference.onnx.Wire.body;
import static io.miniinference.onnx.Wire.call;
import static io.miniinference.onnx.Wire.function;
import static io.miniinference.onnx.Wire.graph;
import static io.miniinference.onnx.Wire.inlined;
import static io.miniinference.onnx.Wire.integer;
import static io.miniinference.onnx.Wire.model;
import static io.miniinference.onnx.Wire.node;
import static io.miniinference.onnx.Wire.opset;
import static io.miniinference.onnx.Wire.reference;
import static io.miniinference.onnx.Wire.value;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxGraph;
import io.miniinference.onnx.OnnxNode;
import io.miniinference.onnx.Wire;
import io.miniinference.onnx.tensor.OnnxType;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.AttributeProto.AttributeType;
import io.miniinference.onnx.wire.FunctionProto;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.NodeProto;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FunctionInlinerTest {
  private static final FunctionProto SQUARE_PLUS =
      function("F", "a b", "r", node("Mul", "a a", "t"), node("Add", "t b", "r")).build();

  /// Nodes as text, `outputs = Op@opset(inputs)`.
  private static List<String> text(OnnxGraph graph) {
    return graph.nodes().stream().map(FunctionInlinerTest::text).toList();
  }

  private static String text(OnnxNode node) {
    return "%s = %s@%d(%s)"
        .formatted(
            String.join(",", node.outputs()),
            node.opType(),
            node.opset(),
            String.join(",", node.inputs()));
  }

  private static AttributeProto attribute(OnnxNode node, String name) {
    return requireNonNull(node.attributes().get(name));
  }

  private static OnnxGraph inside(OnnxNode node, String name) {
    return requireNonNull(node.bodies().get(name));
  }

  @Test
  void aModelWithoutFunctionsStaysAsItIs() {
    OnnxGraph graph = inlined(model(graph(node("Relu", "x", "y", integer("k", 3)))).build());

    assertThat(text(graph)).containsExactly("y = Relu@17(x)");
    assertThat(attribute(graph.nodes().getFirst(), "k").getI()).isEqualTo(3);
    assertThat(graph.inputs()).extracting(v -> v.getName()).containsExactly("x");
  }

  @Test
  void aCallBecomesTheFunctionsNodesAtTheFunctionsOpset() {
    var main = graph(call("F", "x x", "h"), node("Relu", "h", "y"));

    OnnxGraph graph = inlined(model(main, SQUARE_PLUS).build());

    assertThat(text(graph))
        .containsExactly("call/t = Mul@18(x,x)", "h = Add@18(call/t,x)", "y = Relu@17(h)");
  }

  @Test
  void everyCallHasItsOwnNames() {
    var main =
        graph(node("Relu", "x", "call/t"), call("F", "x x", "h"), call("F", "h call/t", "y"));

    assertThat(text(inlined(model(main, SQUARE_PLUS).build())))
        .containsExactly(
            "call/t = Relu@17(x)",
            "call/t#2 = Mul@18(x,x)",
            "h = Add@18(call/t#2,x)",
            "call/t#3 = Mul@18(h,h)",
            "y = Add@18(call/t#3,call/t)");
  }

  @Test
  void omittedInputsAndOutputsStayOmittedOrGetAName() {
    var clip = function("C", "a lo hi", "r s", node("Clip", "a lo hi", "r"), node("Neg", "r", "s"));
    var main = graph(call("C", "x - x", "- y"), call("C", "y", "z"));

    assertThat(text(inlined(model(main, clip.build()).build())))
        .containsExactly(
            "call/r = Clip@18(x,,x)",
            "y = Neg@18(call/r)",
            "z = Clip@18(y,,)",
            "call/s = Neg@18(z)");
  }

  @Test
  void anInputThatIsAlsoAnOutputIsCopied() {
    var pass = function("P", "a", "a r", node("Neg", "a", "r")).build();

    assertThat(text(inlined(model(graph(call("P", "x", "y z")), pass).build())))
        .containsExactly("z = Neg@18(x)", "y = Identity@18(x)");
  }

  @Test
  void attributesComeFromTheCallElseTheDefaultElseNowhere() {
    var cat =
        function(
                "C",
                "a",
                "r",
                node(
                    "Op",
                    "a",
                    "r",
                    reference("axis", "dim", AttributeType.INT),
                    reference("keep", "keep", AttributeType.INT),
                    reference("gone", "gone", AttributeType.INT)))
            .addAttribute("dim")
            .addAttribute("gone")
            .addAttributeProto(integer("keep", 7));

    OnnxNode node =
        inlined(model(graph(call("C", "x", "y", integer("dim", 2))), cat.build()).build())
            .nodes()
            .getFirst();

    assertThat(node.attributes()).containsOnlyKeys("axis", "keep");
    assertThat(attribute(node, "axis").getI()).isEqualTo(2);
    assertThat(attribute(node, "axis").getName()).isEqualTo("axis");
    assertThat(attribute(node, "keep").getI()).isEqualTo(7);
  }

  @Test
  void functionsCallFunctionsAndPassAttributesOn() {
    var inner =
        function("I", "a", "r", node("Op", "a", "r", reference("k", "p", AttributeType.INT)))
            .addAttribute("p");
    var outer =
        function(
                "O",
                "a",
                "r",
                call("I", "a", "t", reference("p", "q", AttributeType.INT)),
                node("Relu", "t", "r"))
            .addAttribute("q");
    var main = graph(call("O", "x", "y", integer("q", 5)));

    OnnxGraph graph = inlined(model(main, inner.build(), outer.build()).build());

    assertThat(text(graph)).containsExactly("call/t = Op@18(x)", "y = Relu@18(call/t)");
    assertThat(attribute(graph.nodes().getFirst(), "k").getI()).isEqualTo(5);
  }

  @Test
  void callsInBodiesAreExpandedThere() {
    GraphProto branch = graph(call("F", "x x", "b")).toBuilder().clearInput().build();
    var main = graph(node("If", "x", "y", body("then_branch", branch)));

    OnnxNode node = inlined(model(main, SQUARE_PLUS).build()).nodes().getFirst();

    assertThat(node.attributes()).isEmpty();
    assertThat(text(inside(node, "then_branch")))
        .containsExactly("call/t = Mul@18(x,x)", "b = Add@18(call/t,x)");
  }

  @Test
  void bodiesInFunctionsAreRenamedAndSeeTheFunctionsValuesAndAttributes() {
    GraphProto branch =
        GraphProto.newBuilder()
            .addInitializer(Wire.raw(OnnxType.FLOAT, 4))
            .addNode(node("Op", "a w", "b", reference("k", "p", AttributeType.INT)))
            .addOutput(value("b"))
            .build();
    var function =
        function("B", "a", "r", node("If", "a", "r", body("then_branch", branch)))
            .addAttribute("p");
    var main = graph(call("B", "x", "y", integer("p", 1)), call("B", "y", "z", integer("p", 2)));

    List<OnnxNode> nodes = inlined(model(main, function.build()).build()).nodes();

    OnnxGraph second = inside(nodes.get(1), "then_branch");
    assertThat(text(inside(nodes.get(0), "then_branch")))
        .containsExactly("call/b = Op@18(x,call/w)");
    assertThat(text(second)).containsExactly("call/b#2 = Op@18(y,call/w#2)");
    assertThat(second.outputs().getFirst().getName()).isEqualTo("call/b#2");
    assertThat(second.initializers().getFirst().getName()).isEqualTo("call/w#2");
    assertThat(attribute(second.nodes().getFirst(), "k").getI()).isEqualTo(2);
  }

  @Test
  void aBodyPassedAsAnAttributeKeepsItsOwnSurroundings() {
    var function =
        function("B", "a", "r", node("If", "a", "r", reference("then", "p", AttributeType.GRAPH)))
            .addAttribute("p");
    GraphProto passed = graph(node("Neg", "h", "b")).toBuilder().clearInput().build();
    var main = graph(node("Relu", "x", "h"), call("B", "x", "y", body("p", passed)));

    OnnxNode node = inlined(model(main, function.build()).build()).nodes().get(1);

    assertThat(text(inside(node, "then"))).containsExactly("call/b = Neg@17(h)");
  }

  @Test
  void overloadsAreToldApart() {
    var one = function("F", "a", "r", node("Neg", "a", "r")).setOverload("one").build();
    NodeProto call = call("F", "x", "y").toBuilder().setOverload("one").build();
    NodeProto other = call("F", "x", "z").toBuilder().setOverload("two").build();

    assertThat(text(inlined(model(graph(call), one, SQUARE_PLUS).build())))
        .containsExactly("y = Neg@18(x)");
    assertThatThrownBy(() -> inlined(model(graph(other), one).build()))
        .hasMessageContaining("node 'call' (my.F): calls overload 'two' of a function that");
  }

  @Test
  void recursionIsRefusedWithItsPath() {
    var direct = function("R", "a", "r", call("R", "a", "r")).build();
    var first =
        function("A", "a", "r", node("If", "a", "r", body("b", graph(call("B", "a", "t")))))
            .build();
    var second = function("B", "a", "r", call("A", "a", "r")).build();

    assertThatThrownBy(() -> inlined(model(graph(), direct, first, second).build()))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("function 'my.R': calls itself: 'my.R' -> 'my.R'")
        .hasMessageContaining("function 'my.A': calls itself: 'my.A' -> 'my.B' -> 'my.A'");
  }

  @Test
  void chainsOfCallsAreBounded() {
    FunctionProto[] chain =
        IntStream.range(0, 20_000)
            .mapToObj(i -> function("F" + i, "a", "r", call("F" + (i + 1), "a", "r")).build())
            .toArray(FunctionProto[]::new);

    assertThatThrownBy(() -> inlined(model(graph(call("F0", "x", "y")), chain).build()))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("called through more than 100 functions");
  }

  @Test
  void expansionIsBounded() {
    FunctionProto[] doubling =
        IntStream.range(0, 40)
            .mapToObj(i ->
                function(
                        "F" + i,
                        "a",
                        "r",
                        call("F" + (i + 1), "a", "t"),
                        call("F" + (i + 1), "t", "r"))
                    .build())
            .toArray(FunctionProto[]::new);

    assertThatThrownBy(() -> inlined(model(graph(call("F0", "x", "y")), doubling).build()))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("has more than 10000 nodes after its functions are expanded");
  }

  @Test
  void allThatIsWrongWithCallsIsReportedTogether() {
    var foreign = node("Gelu", "x", "g").toBuilder().setDomain("com.other").build();
    var strange = AttributeProto.newBuilder().setName("s").build();
    var undefined = function("U", "a", "r", node("Add", "a nowhere", "r")).build();
    var main =
        graph(
            call("F", "x x x", "h", integer("k", 1)),
            foreign,
            node("Relu", "x", "y", strange, reference("r", "q", AttributeType.INT)),
            call("U", "x", "u"));

    assertThatThrownBy(() -> inlined(model(main, SQUARE_PLUS, undefined).build()))
        .hasMessage(
            """
            6 problems in 'm.onnx' (opset 17):
            - node 'call' (my.F): has 3 inputs, its function 2
            - node 'call' (my.F): gives attribute 'k', which function 'my.F' does not have
            - node 'g' (com.other.Gelu): is of domain 'com.other', which opset_import does not have
            - node 'y' (Relu): attribute 's' has neither type nor value
            - node 'y' (Relu): attribute 'r' refers to 'q', but only functions have attributes
            - function 'my.U', node 'r' (Add): uses 'nowhere', which the function does not define\
            """);
  }

  @Test
  void operatorsThatFusionsPutInNeedNoImport() {
    var fused = node("Gelu", "x", "y").toBuilder().setDomain("com.microsoft").build();

    assertThat(text(inlined(model(graph(fused)).build()))).containsExactly("y = Gelu@1(x)");
  }

  @Test
  void anAttributeOfTheWrongTypeIsRefused() {
    var function =
        function("F", "a", "r", node("Op", "a", "r", reference("k", "k", AttributeType.FLOAT)))
            .addAttribute("k")
            .build();

    assertThatThrownBy(
            () -> inlined(model(graph(call("F", "x", "y", integer("k", 1))), function).build()))
        .hasMessageContaining("attribute 'k' is declared FLOAT, the call gives INT");
  }

  @Test
  void attributeTypesThatOldFilesLeaveOutAreFilledIn() {
    var untyped = AttributeProto.newBuilder().setName("ks").addInts(3).build();

    OnnxNode node = inlined(model(graph(node("Op", "x", "y", untyped))).build()).nodes().getFirst();

    assertThat(attribute(node, "ks").getType()).isEqualTo(AttributeType.INTS);
  }

  @Test
  void functionsMayImportDomainsThatTheModelDoesNot() {
    var extra =
        function("E", "a", "r", node("Op", "a", "r").toBuilder().setDomain("extra").build())
            .addOpsetImport(opset("extra", 4))
            .build();

    assertThat(text(inlined(model(graph(call("E", "x", "y")), extra).build())))
        .containsExactly("y = Op@4(x)");
  }

  @Test
  void longNamesAreShortened() {
    var longName = "n".repeat(5000);
    var call = call("F", "x x", "y").toBuilder().setName(longName).build();

    OnnxNode first = inlined(model(graph(call), SQUARE_PLUS).build()).nodes().getFirst();

    assertThat(first.outputs().getFirst()).hasSizeLessThan(300).endsWith("nnn/t");
  }
}
