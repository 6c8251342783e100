package io.miniinference.service.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.miniinference.service.grpc.wire.OpenInference.InferTensorContents;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest.InferInputTensor;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// All that is wrong at once with each call of gRPC: every status is one for a client's mistake,
/// shows nothing of what is inside, and leaves nothing in the log.
final class GrpcErrorSweepTest {
  private static final GrpcMessageFuzz CALLS = new GrpcMessageFuzz();
  private static final ModelInferRequest RAW = GrpcMessageFuzz.message(FuzzedModel.PLANNED, true);
  private static final ModelInferRequest TYPED =
      GrpcMessageFuzz.message(FuzzedModel.PLANNED, false);

  /// Wrong as protobuf: tags without fields, ends of groups, lengths that are not there, numbers
  /// without end, text that is none, groups in groups.
  private static final List<byte[]> NO_MESSAGES =
      List.of(
          bytes(0),
          bytes(7),
          bytes(0x0c),
          bytes(0x0a, 0xff, 0xff, 0xff, 0xff, 0x07),
          bytes(0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01),
          bytes(0x0a, 5, 'x'),
          bytes(0x0a, 2, 0xc3, 0x28),
          filled(0xff, 100),
          filled(0x0b, 10_000));

  @AfterAll
  static void close() {
    CALLS.close();
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    IntStream.range(0, values.length).forEach(i -> bytes[i] = (byte) values[i]);
    return bytes;
  }

  private static byte[] filled(int value, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static Status call(String method, byte[] message) {
    byte[] input = new byte[message.length + 1];
    input[0] = (byte) GrpcMessageFuzz.METHODS.indexOf(method);
    System.arraycopy(message, 0, input, 1, message.length);
    Status status = CALLS.call(input);
    if (!status.isOk()) {
      assertThat(status.getDescription()).as(method).isNotBlank().hasSizeLessThan(2_100);
    }
    return status;
  }

  @ParameterizedTest
  @FieldSource("io.miniinference.service.fuzz.GrpcMessageFuzz#METHODS")
  void whatIsNoMessageIsRefusedByEachMethod(String method) {
    for (byte[] message : NO_MESSAGES) {
      assertThat(call(method, message).getCode())
          .as("%s %s", method, Arrays.toString(Arrays.copyOf(message, 12)))
          .isIn(Code.INVALID_ARGUMENT, Code.UNAUTHENTICATED, Code.UNIMPLEMENTED);
    }
  }

  @Test
  void aMessageThatEndsTooSoonIsRefusedWhereverItEnds() {
    for (ModelInferRequest good : List.of(RAW, TYPED)) {
      byte[] whole = good.toByteArray();
      for (int length = 0; length < whole.length; length++) {
        assertThat(call("ModelInfer", Arrays.copyOf(whole, length)).isOk())
            .as("%d of %d bytes", length, whole.length)
            .isFalse();
      }
    }
  }

  private static ModelInferRequest raw(Consumer<ModelInferRequest.Builder> change) {
    ModelInferRequest.Builder message =
        RAW.toBuilder().setRawInputContents(0, ByteString.copyFrom(new byte[12]));
    change.accept(message);
    return message.build();
  }

  private static ModelInferRequest tensor(Consumer<InferInputTensor.Builder> change) {
    return raw(message -> change.accept(message.getInputsBuilder(0)));
  }

  private static Stream<ModelInferRequest> wrong() {
    Stream<ModelInferRequest> sizes =
        IntStream.of(0, 1, 11, 13, 24, 1_000_000)
            .mapToObj(n -> raw(m -> m.setRawInputContents(0, ByteString.copyFrom(new byte[n]))));
    Stream<ModelInferRequest> shapes =
        Stream.of(
                new long[] {},
                new long[] {3},
                new long[] {-1, 3},
                new long[] {0, -3},
                new long[] {Long.MAX_VALUE, 3},
                new long[] {Long.MIN_VALUE, 3},
                new long[] {1L << 62, 1L << 62},
                new long[1_000])
            .map(dims ->
                tensor(t -> {
                  t.clearShape();
                  Arrays.stream(dims).forEach(t::addShape);
                }));
    Stream<ModelInferRequest> others =
        Stream.of(
            raw(m -> m.clearRawInputContents()),
            raw(m -> m.clearInputs()),
            raw(m -> m.addRawInputContents(ByteString.EMPTY)),
            raw(m -> m.addInputs(m.getInputs(0))),
            raw(m -> m.setModelName("")),
            raw(m -> m.setModelName("n".repeat(50_000))),
            raw(m -> m.setModelName("../../etc\u0000")),
            raw(m -> m.setModelVersion("x/y")),
            raw(m -> m.addOutputsBuilder().setName("nothing")),
            raw(m -> m.addOutputsBuilder()),
            tensor(t -> t.setName("n".repeat(50_000))),
            tensor(t -> t.setName("")),
            tensor(t -> t.setDatatype("")),
            tensor(t -> t.setDatatype("FP64")),
            tensor(t -> t.setDatatype("BYTES")),
            tensor(t -> t.setDatatype("NullPointer")),
            tensor(t -> t.setContents(InferTensorContents.newBuilder().addFp32Contents(1))));
    return Stream.of(sizes, shapes, others).flatMap(each -> each);
  }

  @Test
  void aWrongRequestIsAClientsMistake() {
    wrong()
        .forEach(message ->
            assertThat(call("ModelInfer", message.toByteArray()).getCode())
                .as(() -> shown(message))
                .isIn(Code.INVALID_ARGUMENT, Code.NOT_FOUND));
  }

  private static String shown(ModelInferRequest message) {
    String text = message.toString();
    return text.substring(0, Math.min(text.length(), 500));
  }

  @Test
  void typedContentsOfAnotherNumberOrFieldAreRefused() {
    Stream.<Consumer<InferTensorContents.Builder>>of(
            c -> c.clear(),
            c -> c.addFp32Contents(4),
            c -> c.clear().addFp32Contents(1),
            c -> c.clear().addFp64Contents(1).addFp64Contents(2).addFp64Contents(3),
            c -> c.addInt64Contents(1),
            c -> c.addBytesContents(ByteString.copyFrom(new byte[12])))
        .forEach(change -> {
          ModelInferRequest.Builder message = TYPED.toBuilder();
          change.accept(message.getInputsBuilder(0).getContentsBuilder());
          assertThat(call("ModelInfer", message.build().toByteArray()).getCode())
              .as(() -> shown(message.build()))
              .isEqualTo(Code.INVALID_ARGUMENT);
        });
  }

  @Test
  void aGoodRequestAfterAllThatIsAnswered() {
    assertThat(call("ModelInfer", raw(_ -> {}).toByteArray()).isOk()).isTrue();
    assertThat(call("ModelInfer", TYPED.toByteArray()).isOk()).isTrue();
  }
}
