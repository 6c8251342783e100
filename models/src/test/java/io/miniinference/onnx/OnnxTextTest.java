package io.miniinference.onnx;

import static io.miniinference.onnx.Wire.body;
import static io.miniinference.onnx.Wire.graph;
import static io.miniinference.onnx.Wire.integer;
import static io.miniinference.onnx.Wire.model;
import static io.miniinference.onnx.Wire.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.TensorShapeProto;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.util.List;
import org.junit.jupiter.api.Test;

class OnnxTextTest {
  @Test
  void aGraphIsOneLineANodeWithBodiesIndented() {
    var shape = TensorShapeProto.newBuilder();
    shape.addDimBuilder().setDimParam("N");
    shape.addDimBuilder().setDimValue(3);
    shape.addDimBuilder();
    var type = TypeProto.Tensor.newBuilder().setElemType(1).setShape(shape);
    var input = ValueInfoProto.newBuilder().setName("a").setType(typeOf(type));
    var longs = AttributeProto.newBuilder().setName("k");
    for (int i = 0; i < 10; i++) {
      longs.addInts(i);
    }
    GraphProto graph =
        graph(
                node("Clip", "x - w", "h", integer("axis", 1), longs.build()),
                node("If", "h", "y", body("then_branch", graph(node("Neg", "h", "b")))))
            .toBuilder()
            .addInput(input)
            .addInitializer(Wire.raw(OnnxType.INT8, 6, 2, 3))
            .build();

    assertThat(OnnxText.of(Wire.inlined(model(graph).build())))
        .isEqualTo(
            """
            graph g(x, a: FLOAT[N,3,?]) -> (y)
              w: INT8[2,3]
              h = Clip@17(x, -, w) axis=1 k=[0,1,2,3,4,5,6,7,… 10]
              y = If@17(h)
                then_branch = graph g(x) -> (y)
                  b = Neg@17(h)
            """);
  }

  @Test
  void everyKindOfTypeHasAText() {
    var sequence = TypeProto.Sequence.newBuilder().setElemType(typeOf(unranked()));
    var optional = TypeProto.Optional.newBuilder().setElemType(typeOf(unranked()));
    var types =
        List.of(
            TypeProto.newBuilder().setSequenceType(sequence).build(),
            TypeProto.newBuilder().setOptionalType(optional).build(),
            TypeProto.getDefaultInstance());
    var attributes =
        types.stream()
            .map(type -> AttributeProto.newBuilder().setName("t" + types.indexOf(type)).setTp(type))
            .map(a -> a.setType(AttributeProto.AttributeType.TYPE_PROTO).build())
            .toArray(AttributeProto[]::new);

    assertThat(OnnxText.of(Wire.inlined(model(graph(node("Op", "x", "y", attributes))).build())))
        .endsWith("y = Op@17(x) t0=seq(INT64[*]) t1=optional(INT64[*]) t2=?\n");
  }

  private static TypeProto.Tensor.Builder unranked() {
    return TypeProto.Tensor.newBuilder().setElemType(OnnxType.INT64.number());
  }

  private static TypeProto typeOf(TypeProto.Tensor.Builder tensor) {
    return TypeProto.newBuilder().setTensorType(tensor).build();
  }
}
