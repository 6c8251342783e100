package io.miniinference.service.fuzz;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.grpc.wire.OpenInference.InferTensorContents;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest.InferInputTensor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Messages over gRPC: a byte for the method, then the message's bytes.
public final class GrpcMessageFuzz extends ServiceFuzz {
  private static final Set<Code> GOOD =
      Set.of(
          Code.INVALID_ARGUMENT,
          Code.NOT_FOUND,
          Code.UNAVAILABLE,
          Code.UNIMPLEMENTED,
          Code.RESOURCE_EXHAUSTED,
          Code.UNAUTHENTICATED);
  static final List<String> METHODS =
      List.of(
          "ModelInfer",
          "ModelMetadata",
          "ModelConfig",
          "ModelStatistics",
          "ModelReady",
          "RepositoryIndex",
          "RepositoryModelLoad",
          "RepositoryModelUnload",
          "SystemSharedMemoryStatus",
          "Nothing");
  private static final int PATIENCE_SECONDS = 15;

  private final ManagedChannel channel =
      NettyChannelBuilder.forAddress("localhost", SERVICE.grpcPort()).usePlaintext().build();

  private enum AnyBytes implements MethodDescriptor.Marshaller<byte[]> {
    MARSHALLER;

    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public List<byte[]> seeds() {
    return MODELS.stream()
        .flatMap(model -> Stream.of(message(model, true), message(model, false)))
        .map(GrpcMessageFuzz::inference)
        .toList();
  }

  private static byte[] inference(ModelInferRequest message) {
    byte[] bytes = message.toByteArray();
    byte[] input = new byte[bytes.length + 1];
    System.arraycopy(bytes, 0, input, 1, bytes.length);
    return input;
  }

  static ModelInferRequest message(FuzzedModel model, boolean raw) {
    ModelInferRequest.Builder message =
        ModelInferRequest.newBuilder().setModelName(model.name()).setId("7");
    for (String[] input : model.inputs()) {
      InferInputTensor.Builder tensor =
          InferInputTensor.newBuilder().setName(input[0]).setDatatype(input[1]);
      numbers(input[2]).map(Double::longValue).forEach(tensor::addShape);
      if (raw) {
        message.addRawInputContents(
            ByteString.copyFrom(new byte[8 * (int) numbers(input[3]).count()]));
      } else {
        tensor.setContents(contents(input));
      }
      message.addInputs(tensor);
    }
    return message.build();
  }

  private static Stream<Double> numbers(String list) {
    return Arrays.stream(list.substring(1, list.length() - 1).split(","))
        .filter(text -> !text.isEmpty())
        .map(text -> text.equals("true") ? 1 : text.equals("false") ? 0 : Double.parseDouble(text));
  }

  private static InferTensorContents contents(String[] input) {
    InferTensorContents.Builder contents = InferTensorContents.newBuilder();
    numbers(input[3])
        .forEach(number -> {
          switch (input[1]) {
            case "FP32" -> contents.addFp32Contents(number.floatValue());
            case "FP64" -> contents.addFp64Contents(number);
            case "INT64" -> contents.addInt64Contents(number.longValue());
            case "UINT64" -> contents.addUint64Contents(number.longValue());
            case "BOOL" -> contents.addBoolContents(number != 0);
            case "INT8", "INT16", "INT32" -> contents.addIntContents(number.intValue());
            default -> contents.addUintContents(number.intValue());
          }
        });
    return contents.build();
  }

  @Override
  public boolean take(byte[] input) throws SocketTimeoutException {
    Status status = call(input);
    if (status.getCode() == Code.DEADLINE_EXCEEDED) {
      throw new SocketTimeoutException("no answer in " + PATIENCE_SECONDS + " s");
    }
    return status.isOk();
  }

  /// The status of a call, held to what is promised.
  Status call(byte[] input) {
    try {
      ClientCalls.blockingUnaryCall(
          channel,
          method(METHODS.get(input.length == 0 ? 0 : Math.floorMod(input[0], METHODS.size()))),
          CallOptions.DEFAULT.withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS),
          JsonBodyFuzz.rest(input));
      checkText("", input);
      return Status.OK;
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Code.DEADLINE_EXCEEDED) {
        return e.getStatus();
      }
      if (!GOOD.contains(e.getStatus().getCode())) {
        throw new AssertionError("status " + e.getStatus(), e);
      }
      checkText(String.valueOf(e.getStatus().getDescription()), input);
      return e.getStatus();
    }
  }

  private static MethodDescriptor<byte[], byte[]> method(String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodType.UNARY)
        .setFullMethodName(
            MethodDescriptor.generateFullMethodName(GRPCInferenceServiceGrpc.SERVICE_NAME, name))
        .setRequestMarshaller(AnyBytes.MARSHALLER)
        .setResponseMarshaller(AnyBytes.MARSHALLER)
        .build();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
