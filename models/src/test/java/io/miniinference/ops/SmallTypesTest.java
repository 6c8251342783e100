package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.miniinference.interp.Interpreter;
import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.node.ImportOptions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Elements of 8 bits and fewer, which are codes behind the import.
class SmallTypesTest {
  private static final int CODES = 256;

  private static Graph imported(TestModel model) {
    return Importer.importModel(model.read(), ImportOptions.defaults());
  }

  private static Tensor run(TestModel model, Tensor... inputs) {
    return Interpreter.run(imported(model), List.of(inputs)).getFirst();
  }

  private static DataType onnx(CodedType type) {
    return DataType.forNumber(type.onnx());
  }

  private static Tensor codes(CodedType type, int... codes) {
    byte[] bytes = new byte[codes.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) codes[i];
    }
    return new Tensor(type.element(), new long[] {bytes.length}, MemorySegment.ofArray(bytes));
  }

  private static int[] unsigned(Tensor codes) {
    byte[] bytes = codes.data().toArray(ValueLayout.JAVA_BYTE);
    int[] values = new int[bytes.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = Byte.toUnsignedInt(bytes[i]);
    }
    return values;
  }

  private static Tensor cast(DataType from, DataType to, Tensor x, AttributeProto... others) {
    AttributeProto[] attributes = new AttributeProto[others.length + 1];
    System.arraycopy(others, 0, attributes, 1, others.length);
    attributes[0] = attribute("to", to.getNumber());
    return run(
        TestModel.opset(24)
            .input("x", from, Long.toString(x.elements()))
            .node("Cast", "x", "y", attributes)
            .output("y"),
        x);
  }

  private static float[] numbers(CodedType type) {
    int[] all = new int[CODES];
    for (int i = 0; i < CODES; i++) {
      all[i] = i;
    }
    return cast(onnx(type), DataType.FLOAT, codes(type, all)).floats();
  }

  private static int[] encoded(CodedType type, float[] x, AttributeProto... attributes) {
    return unsigned(cast(DataType.FLOAT, onnx(type), Tensor.of(x, x.length), attributes));
  }

  /// Of the tables of the standard.
  @ParameterizedTest
  @CsvSource({
    "FLOAT8E4M3FN, 0x01, 0x1p-9",
    "FLOAT8E4M3FN, 0x08, 0x1p-6",
    "FLOAT8E4M3FN, 0x7e, 448",
    "FLOAT8E4M3FN, 0xff, NaN",
    "FLOAT8E4M3FNUZ, 0x01, 0x1p-10",
    "FLOAT8E4M3FNUZ, 0x08, 0x1p-7",
    "FLOAT8E4M3FNUZ, 0xff, -240",
    "FLOAT8E4M3FNUZ, 0x80, NaN",
    "FLOAT8E5M2, 0x01, 0x1p-16",
    "FLOAT8E5M2, 0x84, -0x1p-14",
    "FLOAT8E5M2, 0x7b, 57344",
    "FLOAT8E5M2, 0xfc, -Infinity",
    "FLOAT8E5M2, 0x7d, NaN",
    "FLOAT8E5M2FNUZ, 0x01, 0x1p-17",
    "FLOAT8E5M2FNUZ, 0x7f, 57344",
    "FLOAT8E5M2FNUZ, 0x80, NaN",
    "FLOAT4E2M1, 0x01, 0.5",
    "FLOAT4E2M1, 0x0d, -3",
    "FLOAT4E2M1, 0x17, 6",
    "FLOAT8E8M0, 0x00, 0x1p-127",
    "FLOAT8E8M0, 0xfe, 0x1p127",
    "FLOAT8E8M0, 0xff, NaN"
  })
  void codesStandForTheNumbersOfTheStandard(CodedType type, String code, float value) {
    assertThat(Float.compare(numbers(type)[Integer.decode(code)], value)).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = CodedType.class,
      names = {"FLOAT8.*", "FLOAT4.*"},
      mode = EnumSource.Mode.MATCH_ANY)
  void numbersOfAFormatHaveTheirCodes(CodedType type) {
    float[] numbers = numbers(type);
    int[] codes = encoded(type, numbers);
    for (int code = 0; code < CODES; code++) {
      boolean isFinite = Float.isFinite(numbers[code]);
      int own = type == CodedType.FLOAT4E2M1 ? code & 0xf : code;
      if (isFinite) {
        assertThat(codes[code]).as("%s %x", type, code).isEqualTo(own);
      }
    }
  }

  /// From the smallest number to the largest: what is between two goes to the nearer one, and from
  /// the middle to that of even code.
  @ParameterizedTest
  @EnumSource(
      value = CodedType.class,
      names = {"FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ", "FLOAT4E2M1"})
  void whatIsBetweenGoesToTheNearest(CodedType type) {
    float[] numbers = numbers(type);
    int sign = type == CodedType.FLOAT4E2M1 ? 8 : 128;
    int largest = sign - 1;
    while (!Float.isFinite(numbers[largest])) {
      largest--;
    }
    float[] x = new float[3 * largest];
    int[] expected = new int[3 * largest];
    for (int code = 0; code < largest; code++) {
      float middle = (numbers[code] + numbers[code + 1]) / 2;
      x[3 * code] = Math.nextDown(middle);
      x[3 * code + 1] = middle;
      x[3 * code + 2] = Math.nextUp(middle);
      expected[3 * code] = code;
      expected[3 * code + 1] = code % 2 == 0 ? code : code + 1;
      expected[3 * code + 2] = code + 1;
    }
    assertThat(encoded(type, x)).containsExactly(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "FLOAT8E4M3FN, 448, 464, 464.1, 7e, 7f, 7f, ff",
    "FLOAT8E4M3FNUZ, 240, 247.9, 248, 7f, 80, 80, 80",
    "FLOAT8E5M2, 57344, 61439, 61440, 7b, 7c, 7e, fc",
    "FLOAT8E5M2FNUZ, 57344, 61439, 61440, 7f, 80, 80, 80"
  })
  void whatIsOutOfRangeSaturatesOrDoesNot(
      CodedType type,
      float largest,
      float nearly,
      float beyond,
      String most,
      String infinity,
      String nan,
      String negative) {
    float inf = Float.POSITIVE_INFINITY;
    float[] x = {largest, nearly, beyond, inf, Float.NaN, -inf};
    int max = Integer.parseInt(most, 16);
    int none = Integer.parseInt(nan, 16);
    int above = Integer.parseInt(infinity, 16);
    assertThat(encoded(type, x)).containsExactly(max, max, max, max, none, max | 0x80);
    assertThat(encoded(type, x, attribute("saturate", 0)))
        .containsExactly(max, max, above, above, none, Integer.parseInt(negative, 16));
  }

  @ParameterizedTest
  @CsvSource({"up, 128 128 127 0 254", "down, 127 127 127 0 254", "nearest, 128 127 127 0 254"})
  void powersOfTwoAreRoundedAsAsked(String mode, String expected) {
    float[] x = {1.5f, 1.4f, 1, 0, Float.MAX_VALUE};
    int[] codes = encoded(CodedType.FLOAT8E8M0, x, attribute("round_mode", mode));
    assertThat("%d %d %d %d %d".formatted(codes[0], codes[1], codes[2], codes[3], codes[4]))
        .isEqualTo(expected);
    assertThatThrownBy(() -> encoded(CodedType.FLOAT8E8M0, x, attribute("round_mode", "odd")))
        .hasMessageContaining("'round_mode' = 'odd'; supported are up, down and nearest");
  }

  /// 1 + 2^-4 is between two numbers; a little more than it is not, but is once it is a float.
  @Test
  void doublesAreRoundedOnce() {
    double[] x = {1 + 0x1p-4, 1 + 0x1p-4 + 0x1p-40};
    Tensor y = cast(DataType.DOUBLE, DataType.FLOAT8E4M3FN, Tensor.of(x, 2));
    assertThat(unsigned(y)).containsExactly(0x38, 0x39);
  }

  @ParameterizedTest
  @CsvSource({"INT4, -8 7 -8 -1 0", "UINT4, 8 7 8 15 0", "INT2, 0 -1 0 -1 0", "UINT2, 0 3 0 3 0"})
  void integersDropHigherBits(CodedType type, String expected) {
    float[] x = {8.9f, 7.5f, -8, -1, 0.9f};
    int[] y = cast(DataType.FLOAT, onnx(type), Tensor.of(x, x.length)).ints();
    assertThat("%d %d %d %d %d".formatted(y[0], y[1], y[2], y[3], y[4])).isEqualTo(expected);
  }

  private static TestModel quantized(DataType type) {
    return TestModel.opset(21)
        .floats("x", "N", "2")
        .floats("s")
        .node("QuantizeLinear", "x s", "q", attribute("output_dtype", type.getNumber()))
        .node("DequantizeLinear", "q s", "y")
        .output("y");
  }

  @ParameterizedTest
  @CsvSource({
    "INT4, 3.5 -4",
    "UINT4, 4 0",
    "INT2, 0.5 -1",
    "FLOAT4E2M1, 3 -3",
    "FLOAT8E5M2, 4 -10"
  })
  void quantisedNumbersSaturate(DataType type, String expected) {
    Graph graph = imported(quantized(type));
    assertThat(graph.outputs().getFirst().type()).hasToString("f32[N,2]");
    Tensor x = Tensor.of(new float[] {4, -10}, 1, 2);
    Tensor scale = Tensor.of(new float[] {0.5f});
    float[] y = Interpreter.run(graph, List.of(x, scale)).getFirst().floats();
    assertThat("%s %s".formatted(text(y[0]), text(y[1]))).isEqualTo(expected);
  }

  private static String text(float value) {
    return value == (int) value ? Integer.toString((int) value) : Float.toString(value);
  }

  private static TensorProto packed(DataType type, byte... bytes) {
    return TensorProto.newBuilder()
        .setDataType(type.getNumber())
        .addDims(4)
        .addDims(2)
        .setRawData(ByteString.copyFrom(bytes))
        .build();
  }

  private static TestModel product(TensorProto weights) {
    return TestModel.opset(21)
        .floats("x", "N", "4")
        .halves("scales", 2)
        .node("Constant", "", "w", TestModel.tensor("value", weights))
        .node("DequantizeLinear", "w scales", "d")
        .node("MatMul", "x d", "y")
        .output("y");
  }

  @Test
  void weightsOfFourBitsAreThoseOfEight() {
    TensorProto four = packed(DataType.INT4, (byte) 0x8f, (byte) 0x21, (byte) 0x70, (byte) 0xc4);
    TensorProto eight =
        packed(
            DataType.INT8,
            (byte) -1,
            (byte) -8,
            (byte) 1,
            (byte) 2,
            (byte) 0,
            (byte) 7,
            (byte) 4,
            (byte) -4);
    String ofFour = imported(product(four)).toString();
    String name =
        "#1/1"; // of the codes as numbers, which are the file's own where they have 8 bits
    assertThat(ofFour.replace(name, "w")).isEqualTo(imported(product(eight)).toString());
    Tensor x = Tensor.of(new float[] {1, 1, 1, 1}, 1, 4);
    assertThat(run(product(four), x).floats()).containsExactly(2, -1.5f);
    assertThat(run(product(eight), x).floats()).containsExactly(2, -1.5f);
  }

  @Test
  void blocksHaveScalesOfTheirOwn() {
    TestModel model =
        TestModel.opset(23)
            .floats("s", "2", "2")
            .node(
                "Constant",
                "",
                "w",
                TestModel.tensor(
                    "value",
                    packed(
                        DataType.FLOAT4E2M1, (byte) 0x21, (byte) 0x43, (byte) 0xf7, (byte) 0x10)))
            .node("DequantizeLinear", "w s", "y", attribute("axis", 0), attribute("block_size", 2))
            .output("y");
    Tensor scales = Tensor.of(new float[] {1, 10, 100, 1000}, 2, 2);
    assertThat(run(model, scales).floats()).containsExactly(0.5f, 10, 1.5f, 20, 600, -6000, 0, 500);
  }

  @Test
  void whatMovesElementsMovesThem() {
    TestModel model =
        TestModel.opset(21)
            .input("x", DataType.INT4, "N", "2", "3")
            .constant("shape", -1, 2)
            .node("Transpose", "x", "t", TestModel.integers("perm", 0, 2, 1))
            .node("Reshape", "t shape", "r")
            .node("Cast", "r", "y", attribute("to", DataType.FLOAT.getNumber()))
            .output("y")
            .output("r");
    var imported = Importer.importWithValues(model.read(), ImportOptions.defaults());
    assertThat(imported.codes().types())
        .containsEntry("x", CodedType.INT4)
        .containsEntry("r", CodedType.INT4);
    byte[] bytes = {-8, 7, 0, 1, 2, 3};
    Tensor x = new Tensor(ElementType.I8, new long[] {1, 2, 3}, MemorySegment.ofArray(bytes));
    assertThat(Interpreter.run(imported.graph(), List.of(x)).getFirst().floats())
        .containsExactly(-8, 1, 7, 2, 0, 3);
  }

  @ParameterizedTest
  @EnumSource(
      value = CodedType.class,
      names = {"FLOAT8E4M3FN", "INT4"})
  void whatComputesOnThemIsRefused(CodedType type) {
    TestModel model =
        TestModel.opset(21).input("x", onnx(type), "3").node("Add", "x x", "y").output("y");
    assertThatThrownBy(() -> imported(model))
        .hasMessageContaining("(Add): computes on values of type " + type.name());
  }

  @Test
  void noElementsAreNoCodes() {
    Tensor none = Tensor.of(new float[0], 0);
    assertThat(encoded(CodedType.FLOAT8E4M3FN, none.floats())).isEmpty();
    assertThat(cast(DataType.INT4, DataType.FLOAT, codes(CodedType.INT4)).floats()).isEmpty();
  }

  @Test
  void bytesAreTakenForTheirBits() {
    Tensor x = Tensor.of(new float[] {448}, 1);
    TestModel model =
        TestModel.opset(26)
            .floats("x", "1")
            .node("Cast", "x", "e", attribute("to", DataType.FLOAT8E4M3FN.getNumber()))
            .node("BitCast", "e", "y", attribute("to", DataType.INT8.getNumber()))
            .output("y");
    assertThat(run(model, x).ints()).containsExactly(0x7e);
    TestModel four =
        TestModel.opset(26)
            .input("x", DataType.INT4, "1")
            .node("BitCast", "x", "y", attribute("to", DataType.UINT8.getNumber()))
            .output("y");
    assertThatThrownBy(() -> imported(four))
        .hasMessageContaining("taking the bits of INT4 for u8 is not supported");
  }
}
