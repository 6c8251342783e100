package io.miniinference.onnx.tensor;

import static io.miniinference.onnx.Wire.raw;
import static io.miniinference.onnx.Wire.tensor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.miniinference.ir.ElementType;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.WireBytes;
import io.miniinference.onnx.wire.TensorProto;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TensorReaderTest {
  private static final TensorReader READER = new TensorReader("m.onnx", null, 1 << 20);

  private static byte[] bytes(TensorProto proto) {
    return READER.read(proto).data().toArray(ValueLayout.JAVA_BYTE);
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void assertRefused(TensorProto proto, String reason) {
    assertThatThrownBy(() -> READER.read(proto))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("1 problem in 'm.onnx':\n- tensor 'w': ")
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STRING")
  void rawDataOfEveryTypeSurviveARoundTrip(OnnxType type, @TempDir Path folder) throws IOException {
    var data = new byte[(int) type.bytes(21)];
    Arrays.fill(data, (byte) 1);
    var tensor = OnnxTensor.of("t", type, new long[] {3, 7}, MemorySegment.ofArray(data));
    Path file = folder.resolve("t.pb");

    TensorWriter.writeFile(tensor, file);
    OnnxTensor back = TensorReader.readFile(file, 1000);

    assertThat(back.name()).isEqualTo("t");
    assertThat(back.type()).isEqualTo(type);
    assertThat(back.dims()).containsExactly(3, 7);
    assertThat(back.data().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(data);
  }

  @Test
  void stringsSurviveARoundTrip() {
    var tensor = OnnxTensor.ofStrings("s", new long[] {2, 1}, List.of("", "grüß\n"));

    OnnxTensor back = READER.read(TensorWriter.message(tensor));

    assertThat(back.strings()).containsExactly("", "grüß\n");
    assertThat(back.dims()).containsExactly(2, 1);
  }

  @Test
  void everyTypeHasItsNumberInTheStandard() {
    assertThat(EnumSet.allOf(OnnxType.class))
        .hasSize(26)
        .allSatisfy(type -> assertThat(OnnxType.of(type.number())).contains(type));
    assertThat(OnnxType.BFLOAT16.element()).contains(ElementType.BF16);
    assertThat(OnnxType.INT4.element()).isEmpty();
    assertThat(OnnxType.of(0)).isEmpty();
    assertThat(OnnxType.of(27)).isEmpty();
    assertThat(OnnxType.of(-1)).isEmpty();
  }

  @Test
  void floatListsBecomeLittleEndianBytes() {
    assertThat(bytes(tensor(OnnxType.FLOAT, 2).addFloatData(1.5f).addFloatData(-0f).build()))
        .isEqualTo(little(8).putFloat(1.5f).putFloat(-0f).array());
    assertThat(bytes(tensor(OnnxType.DOUBLE, 1).addDoubleData(Math.PI).build()))
        .isEqualTo(little(8).putDouble(Math.PI).array());
    assertThat(bytes(tensor(OnnxType.COMPLEX64, 1).addFloatData(1).addFloatData(2).build()))
        .isEqualTo(little(8).putFloat(1).putFloat(2).array());
  }

  @Test
  void longListsBecomeLittleEndianBytes() {
    assertThat(bytes(tensor(OnnxType.INT64, 1).addInt64Data(Long.MIN_VALUE).build()))
        .isEqualTo(little(8).putLong(Long.MIN_VALUE).array());
    assertThat(bytes(tensor(OnnxType.UINT64, 1).addUint64Data(-1).build()))
        .isEqualTo(little(8).putLong(-1).array());
    assertThat(bytes(tensor(OnnxType.UINT32, 1).addUint64Data(0xffff_fffeL).build()))
        .isEqualTo(little(4).putInt(-2).array());
  }

  @Test
  void integerListsHoldAllNarrowTypes() {
    assertThat(bytes(ints(OnnxType.INT32, -5))).isEqualTo(little(4).putInt(-5).array());
    assertThat(bytes(ints(OnnxType.INT16, -5))).isEqualTo(little(2).putShort((short) -5).array());
    assertThat(bytes(ints(OnnxType.UINT16, 0xfffe))).containsExactly(0xfe, 0xff);
    assertThat(bytes(ints(OnnxType.INT8, -128))).containsExactly(0x80);
    assertThat(bytes(ints(OnnxType.UINT8, 255))).containsExactly(0xff);
    assertThat(bytes(ints(OnnxType.BOOL, 1))).containsExactly(1);
    assertThat(bytes(ints(OnnxType.FLOAT16, 0x3c00))).containsExactly(0x00, 0x3c);
    assertThat(bytes(ints(OnnxType.BFLOAT16, 0xbf80))).containsExactly(0x80, 0xbf);
    assertThat(bytes(ints(OnnxType.FLOAT8E5M2, 0x83))).containsExactly(0x83);
  }

  private static TensorProto ints(OnnxType type, int value) {
    return tensor(type, 1).addInt32Data(value).build();
  }

  @Test
  void valuesOutsideTheirTypeAreRefused() {
    assertRefused(ints(OnnxType.INT8, -129), "has -129 at position 0, outside the range of INT8");
    assertRefused(ints(OnnxType.UINT8, 256), "outside the range of UINT8");
    assertRefused(ints(OnnxType.INT16, 40000), "outside the range of INT16");
    assertRefused(ints(OnnxType.FLOAT16, 0x10000), "outside the range of FLOAT16");
    assertRefused(ints(OnnxType.BOOL, 2), "booleans are 0 or 1");
    assertRefused(
        tensor(OnnxType.UINT32, 1).addUint64Data(1L << 32).build(), "has 4294967296 at position 0");
    assertRefused(
        tensor(OnnxType.BOOL, 1).setRawData(ByteString.copyFrom(new byte[] {-1})).build(),
        "has byte 255 at position 0");
  }

  @Test
  void packedElementsUnpackLowBitsFirst() {
    var int4 = tensor(OnnxType.INT4, 3).addInt32Data(0x8f).addInt32Data(7).build();
    var uint4 = tensor(OnnxType.UINT4, 3).setRawData(ByteString.copyFrom(new byte[] {-8, 7}));
    var int2 = tensor(OnnxType.INT2, 4).addInt32Data(0b11100100).build();

    assertThat(unpacked(int4)).containsExactly(-1, -8, 7);
    assertThat(unpacked(uint4.build())).containsExactly(8, 15, 7);
    assertThat(unpacked(int2)).containsExactly(0, 1, -2, -1);
  }

  private static byte[] unpacked(TensorProto proto) {
    return READER.read(proto).unpacked().toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void scalarsAndEmptyTensorsAreTensors() {
    assertThat(READER.read(raw(OnnxType.FLOAT, 4)).elements()).isEqualTo(1);
    assertThat(READER.read(raw(OnnxType.FLOAT, 0, 5, 0)).elements()).isZero();
    assertThat(READER.read(tensor(OnnxType.STRING, 0).build()).strings()).isEmpty();
  }

  @Test
  void rawDataAreAViewOfTheFile() {
    byte[] file = raw(OnnxType.FLOAT, 4, 1).toByteArray();
    var proto = WireBytes.message("t", TensorReader.PARSER, ByteBuffer.wrap(file), 100);
    OnnxTensor tensor = READER.read(proto);

    Arrays.fill(file, (byte) 7);

    assertThat(tensor.data().toArray(ValueLayout.JAVA_BYTE)).containsExactly(7, 7, 7, 7);
    assertThat(tensor.data().isReadOnly()).isTrue();
  }

  @Test
  void hostileShapesAreRefused() {
    long huge = Long.MAX_VALUE;
    assertRefused(raw(OnnxType.FLOAT, 4, -1), "has shape [-1], which is negative");
    assertRefused(raw(OnnxType.FLOAT, 4, huge, 2), "too large to count");
    assertRefused(raw(OnnxType.FLOAT, 0, huge, huge, 0), "too large to count");
    assertRefused(raw(OnnxType.DOUBLE, 8, huge / 4), "too large to count");
    assertRefused(raw(OnnxType.FLOAT, 4, 1 << 20), "larger than the limit of 1048576 bytes");
    assertRefused(tensor(OnnxType.STRING, 1 << 21).build(), "larger than the limit");
    assertRefused(raw(OnnxType.FLOAT, 4, new long[65]), "has 65 dimensions, more than 64");
  }

  @Test
  void dataThatDoNotFillTheShapeAreRefused() {
    assertRefused(raw(OnnxType.FLOAT, 7, 2), "has 7 bytes of raw data, its type and shape need 8");
    assertRefused(tensor(OnnxType.FLOAT, 2).addFloatData(1).build(), "has 1 entries of float_data");
    assertRefused(tensor(OnnxType.FLOAT, 2).build(), "has 0 entries of float_data");
    assertRefused(tensor(OnnxType.STRING, 2).build(), "has 0 entries of string_data");
  }

  @Test
  void dataInTheWrongPlaceAreRefused() {
    var both = raw(OnnxType.FLOAT, 4, 1).toBuilder().addFloatData(1).build();
    assertRefused(both, "has both raw data and typed data");
    assertRefused(
        tensor(OnnxType.FLOAT, 1).addInt32Data(1).build(),
        "of type FLOAT has int32_data; it belongs in float_data");
    assertRefused(raw(OnnxType.STRING, 4, 1), "they belong in string_data");
    assertRefused(
        tensor(OnnxType.STRING, 1).addStringData(ByteString.copyFrom(new byte[] {-1})).build(),
        "a string at position 0 that is not UTF-8");
    assertRefused(
        tensor(OnnxType.FLOAT, 1).setSegment(TensorProto.Segment.getDefaultInstance()).build(),
        "is one segment");
    assertRefused(TensorProto.newBuilder().setName("w").build(), "has data type 0");
  }
}
