package io.miniinference.pass.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.pass.FusionOptions;
import io.miniinference.pass.FusionTarget;
import io.miniinference.pass.Passes;
import io.miniinference.pass.pipeline.Pipeline;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Products of quantised numbers are products of bytes where a target has those, and their results
/// are the same to the last bit.
final class ByteProductsTest {
  private static final FusionTarget OF_BYTES =
      new FusionTarget() {
        @Override
        public boolean fuses(Node merged, Graph graph) {
          return true;
        }

        @Override
        public boolean multipliesBytes() {
          return true;
        }

        @Override
        public boolean sumsBytes(Node product) {
          return true;
        }
      };

  private static final String MATRICES =
      """
      graph "g" {
        input %q: XTYPE[3,4]
        input %zero: XTYPE[ROWS]
        const %w: i8[4,2] = [1, -2, 127, -128, 0, 5, 77, -60]
        %x: i32[3,4] = elementwise(%q, %zero) { i32(a0) - i32(a1) }
        %wide: i32[4,2] = elementwise(%w) { i32(a0) }
        %y: i32[3,2] = matmul(%x, %wide)
        output %y
      }
      """;

  private static final String IMAGES =
      """
      graph "g" {
        input %q: XTYPE[2,2,4,5]
        const %zero: XTYPE[] = [ZERO]
        const %w: i8[3,2,1,1] = [1, -2, 127, -128, 0, 5]
        %x: i32[2,2,4,5] = elementwise(%q, %zero) { i32(a0) - i32(a1) }
        %wide: i32[3,2,1,1] = elementwise(%w) { i32(a0) }
        %y: i32[2,3,ROWS,5] = conv(%x, %wide) {kernel=[1,1]PADS}
        output %y
      }
      """;

  private static final String DEQUANTISED =
      """
      graph "g" {
        input %q: u8[3,4]
        const %zero: u8[] = [117]
        const %scale: f32[] = [0.25]
        const %w: i8[4,2] = [1, -2, 127, -128, 0, 5, 77, -60]
        const %scales: f32[2] = [0.5, 0.125]
        %x: f32[3,4] = elementwise(%q, %zero, %scale) { (f32(a0) - f32(a1)) * a2 }
        %real: f32[4,2] = elementwise(%w, %scales) { f32(a0) * a1 }
        %y: f32[3,2] = matmul(%x, %real)
        output %y
      }
      """;

  private static Graph passed(Graph graph, FusionTarget target) {
    return Pipeline.standard(Passes::evaluate, 1 << 20, FusionOptions.of(target)).apply(graph);
  }

  private static boolean isOfBytes(Graph graph) {
    return graph.nodes().stream().anyMatch(Op.Contraction::isOfBytes);
  }

  /* Whether it is a product of bytes then, which gives what the product gave. */
  private static boolean becomesBytes(String text) {
    Graph graph = GraphCheck.check(GraphText.parse(text));
    Graph passed = passed(graph, OF_BYTES);
    List<Tensor> inputs = new ArrayList<>();
    for (Value input : graph.inputs()) {
      Tensor tensor = Interpreter.allocate(input.type().element(), input.type().shapeAt(1));
      byte[] bytes = new byte[(int) tensor.data().byteSize()];
      new Random(4).nextBytes(bytes);
      tensor.data().copyFrom(MemorySegment.ofArray(bytes));
      inputs.add(tensor);
    }
    Tensor expected = Interpreter.run(graph, inputs).getFirst();
    Tensor got = Interpreter.run(passed, inputs).getFirst();
    assertThat(got.data().mismatch(expected.data())).isEqualTo(-1);
    return isOfBytes(passed);
  }

  private static String text(String template, String type, String rows) {
    return template.replace("XTYPE", type).replace("ROWS", rows);
  }

  @ParameterizedTest
  @ValueSource(strings = {"u8", "i8"})
  void zeroPointsComeOffBehindTheProduct(String type) {
    assertThat(becomesBytes(text(MATRICES, type, ""))).isTrue();
    assertThat(becomesBytes(text(MATRICES, type, "3,1"))).as("one of each row").isTrue();
    assertThat(becomesBytes(text(MATRICES, type, "4"))).as("several in a sum").isFalse();
  }

  @Test
  void paddingIsTheZeroPointOrThereIsNone() {
    String padded = text(IMAGES, "u8", "6").replace("PADS", ", padsBegin=[1,0], padsEnd=[1,0]");
    String whole = text(IMAGES, "u8", "4").replace("PADS", "");
    String signed = text(IMAGES, "i8", "6").replace("PADS", ", padsBegin=[1,0], padsEnd=[1,0]");
    assertThat(becomesBytes(whole.replace("ZERO", "9"))).isTrue();
    assertThat(becomesBytes(padded.replace("ZERO", "0"))).isTrue();
    assertThat(becomesBytes(padded.replace("ZERO", "9"))).isFalse();
    assertThat(becomesBytes(signed.replace("ZERO", "-128"))).isTrue();
    assertThat(becomesBytes(signed.replace("ZERO", "0"))).isFalse();
  }

  @Test
  void floatsThatStandForBytesAreMultipliedAsBytes() {
    assertThat(becomesBytes(DEQUANTISED)).isTrue();
    assertThat(becomesBytes(DEQUANTISED.replace("f32[] = [0.25]", "f32[4] = [0.25, 1, 2, 4]")))
        .as("scales that differ along the sum")
        .isFalse();
  }

  @Test
  void weightsBeyondAByteStayFloats() {
    String wide = MATRICES.replace("%w: i8[4,2]", "%w: i16[4,2]").replace("-128", "-129");
    assertThat(becomesBytes(text(wide, "u8", ""))).isFalse();
  }

  @Test
  void aTargetWithoutSuchSumsKeepsWhatItHad() {
    Graph graph = GraphCheck.check(GraphText.parse(text(MATRICES, "u8", "")));
    assertThat(isOfBytes(passed(graph, (_, _) -> true))).isFalse();
    assertThat(passed(graph, (_, _) -> true).nodes())
        .extracting(node -> node.output().type().element())
        .contains(ElementType.F32);
  }
}
