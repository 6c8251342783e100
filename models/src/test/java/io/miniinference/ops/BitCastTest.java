package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Numbers of the same bits in another type.
class BitCastTest {
  private static final int PATTERNS = 1 << Short.SIZE;

  private static TestModel model(DataType from, DataType to, String... dims) {
    return TestModel.opset(26)
        .input("x", from, dims)
        .node("BitCast", "x", "y", attribute("to", to.getNumber()))
        .output("y");
  }

  private static Graph imported(TestModel model) {
    return Importer.importModel(model.read(), ImportOptions.defaults());
  }

  private static Tensor cast(DataType from, DataType to, Tensor x) {
    String size = Long.toString(x.elements());
    return Interpreter.run(imported(model(from, to, size)), List.of(x)).getFirst();
  }

  /// All of 16 bits, less those that are no numbers, of which there are many of one meaning.
  private static short[] patterns(int infinity) {
    short[] patterns = new short[PATTERNS];
    for (int i = 0; i < PATTERNS; i++) {
      patterns[i] = (short) ((i & 0x7fff) > infinity ? 0 : i);
    }
    return patterns;
  }

  @ParameterizedTest
  @CsvSource({"FLOAT16, F16, 0x7c00", "BFLOAT16, BF16, 0x7f80"})
  void halfNumbersOfAllBitsHaveThem(DataType type, ElementType element, String infinity) {
    short[] patterns = patterns(Integer.decode(infinity));
    Tensor whole =
        new Tensor(ElementType.U16, new long[] {PATTERNS}, MemorySegment.ofArray(patterns));
    Tensor half = cast(DataType.UINT16, type, whole);
    assertThat(half.element()).isEqualTo(element);
    assertThat(half.data().mismatch(whole.data())).isEqualTo(-1);
    assertThat(cast(type, DataType.UINT16, half).data().mismatch(whole.data())).isEqualTo(-1);
  }

  @Test
  void integersWrapAndBooleansAreBytes() {
    byte[] bytes = {0, 1, -1, -128, 127};
    Tensor x = new Tensor(ElementType.I8, new long[] {5}, MemorySegment.ofArray(bytes));
    assertThat(cast(DataType.INT8, DataType.UINT8, x).ints()).containsExactly(0, 1, 255, 128, 127);
    Tensor truths = Tensor.of(new boolean[] {true, false}, 2);
    assertThat(cast(DataType.BOOL, DataType.INT8, truths).ints()).containsExactly(1, 0);
    assertThat(cast(DataType.INT8, DataType.BOOL, x).booleans())
        .containsExactly(false, true, true, true, true);
  }

  @Test
  void shapesStay() {
    assertThat(
            imported(model(DataType.DOUBLE, DataType.UINT64, "N", "0", "3"))
                .outputs()
                .getFirst()
                .type())
        .hasToString("u64[N,0,3]");
  }

  @Test
  void anotherWidthIsRefused() {
    assertThatThrownBy(() -> imported(model(DataType.INT32, DataType.DOUBLE, "2")))
        .hasMessageContaining("takes the bits of i32 for f64, which has another width");
  }
}
