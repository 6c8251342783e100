package io.miniinference.onnx.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.MessageLite;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.Wire;
import io.miniinference.onnx.wire.MapProto;
import io.miniinference.onnx.wire.OptionalProto;
import io.miniinference.onnx.wire.SequenceProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TypeProto;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValueFileTest {
  private static final TypeProto TENSOR =
      TypeProto.newBuilder().setTensorType(TypeProto.Tensor.getDefaultInstance()).build();
  private static final TypeProto SEQUENCE =
      TypeProto.newBuilder()
          .setSequenceType(TypeProto.Sequence.newBuilder().setElemType(TENSOR))
          .build();
  private static final TypeProto OPTIONAL =
      TypeProto.newBuilder()
          .setOptionalType(TypeProto.Optional.newBuilder().setElemType(TENSOR))
          .build();
  private static final TensorProto FLOAT = Wire.raw(OnnxType.FLOAT, 4, 1);

  private static OnnxValue read(MessageLite proto, TypeProto type) {
    return ValueFile.read("v.pb", ByteBuffer.wrap(proto.toByteArray()), type, 100);
  }

  @Test
  void readsTensorsFromFiles(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("input_0.pb"), FLOAT.toByteArray());

    assertThat(ValueFile.read(file, TENSOR, 100)).isInstanceOf(OnnxTensor.class);
    assertThat(TensorReader.readFile(file, 100).name()).isEqualTo("w");
  }

  @Test
  void readsSequencesAndOptionals() {
    var sequence = SequenceProto.newBuilder().setName("s").addTensorValues(FLOAT).build();
    var some = OptionalProto.newBuilder().setName("o").setSequenceValue(sequence).build();

    var maybe = (OnnxValue.Maybe) read(some, OPTIONAL);

    assertThat(maybe.name()).isEqualTo("o");
    assertThat(maybe.value().orElseThrow())
        .isInstanceOfSatisfying(
            OnnxValue.Sequence.class,
            inner -> assertThat(inner.elements()).extracting(OnnxValue::name).containsExactly("w"));
  }

  @Test
  void noBytesAreAnEmptySequenceOrOptionalButNoTensor() {
    var nothing = SequenceProto.getDefaultInstance();

    assertThat(((OnnxValue.Sequence) read(nothing, SEQUENCE)).elements()).isEmpty();
    assertThat(((OnnxValue.Maybe) read(nothing, OPTIONAL)).value()).isEqualTo(Optional.empty());
    assertThatThrownBy(() -> read(nothing, TENSOR)).isInstanceOf(ModelException.class);
  }

  @Test
  void refusesMapsAndTensorsOverTheLimit() {
    var maps = SequenceProto.newBuilder().addMapValues(MapProto.getDefaultInstance()).build();

    assertThatThrownBy(() -> read(maps, SEQUENCE)).hasMessageContaining("holds a map");
    assertThatThrownBy(() -> read(Wire.raw(OnnxType.FLOAT, 104, 26), TENSOR))
        .hasMessageContaining("larger than the limit of 100 bytes");
  }
}
