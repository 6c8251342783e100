package io.miniinference.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.Codec;
import io.grpc.CompressorRegistry;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.miniinference.service.doubles.Bytes;
import io.miniinference.service.doubles.HeapServiceTest;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc.GRPCInferenceServiceBlockingStub;
import io.miniinference.service.grpc.wire.OpenInference.InferParameter;
import io.miniinference.service.grpc.wire.OpenInference.InferTensorContents;
import io.miniinference.service.grpc.wire.OpenInference.ModelConfigRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest.InferInputTensor;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest.InferRequestedOutputTensor;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferResponse;
import io.miniinference.service.grpc.wire.OpenInference.ModelMetadataRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelReadyRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelStatistics;
import io.miniinference.service.grpc.wire.OpenInference.ModelStatisticsRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelStreamInferResponse;
import io.miniinference.service.grpc.wire.OpenInference.NotOffered;
import io.miniinference.service.grpc.wire.OpenInference.RepositoryIndexRequest;
import io.miniinference.service.grpc.wire.OpenInference.RepositoryModelLoadRequest;
import io.miniinference.service.grpc.wire.OpenInference.ServerLiveRequest;
import io.miniinference.service.grpc.wire.OpenInference.ServerMetadataRequest;
import io.miniinference.service.grpc.wire.OpenInference.ServerReadyRequest;
import io.miniinference.service.settings.wire.TritonModel.DataType;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

/// The protocol over gRPC, spoken by a client generated from the same definitions.
final class GrpcTest extends HeapServiceTest {
  @Autowired private GrpcServerLifecycle server;
  @Autowired private MeterRegistry meters;

  private ManagedChannel channel;

  @BeforeEach
  void connect() {
    channel = NettyChannelBuilder.forAddress("localhost", server.getPort()).usePlaintext().build();
  }

  @AfterEach
  void disconnect() {
    channel.shutdownNow();
  }

  private GRPCInferenceServiceBlockingStub stub() {
    return GRPCInferenceServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(30, TimeUnit.SECONDS);
  }

  @Test
  void theServerTellsOfItself() {
    assertThat(stub().serverLive(ServerLiveRequest.getDefaultInstance()).getLive()).isTrue();
    assertThat(stub().serverReady(ServerReadyRequest.getDefaultInstance()).getReady()).isTrue();
    assertThat(
            stub().serverMetadata(ServerMetadataRequest.getDefaultInstance()).getExtensionsList())
        .contains("binary_tensor_data", "statistics", "model_configuration");
  }

  @Test
  void aModelTellsOfItself() {
    var metadata = stub().modelMetadata(ModelMetadataRequest.newBuilder().setName("adder").build());

    assertThat(metadata.getVersionsList()).containsExactly("3", "12");
    assertThat(metadata.getInputs(1).getName()).isEqualTo("b");
    assertThat(metadata.getInputs(1).getShapeList()).containsExactly(-1L, 3L);
    assertThat(
            stub().modelReady(ModelReadyRequest.newBuilder().setName("adder").build()).getReady())
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({"adder, '', true", "adder, 3, true", "adder, 4, false", "nothing, '', false"})
  void aModelThatThereIsNotIsNotReady(String model, String version, boolean ready) {
    var request = ModelReadyRequest.newBuilder().setName(model).setVersion(version).build();

    assertThat(stub().modelReady(request).getReady()).isEqualTo(ready);
  }

  /// Each method is asked what a client of Triton asks, which has fields.
  @ParameterizedTest
  @CsvSource({
    "SystemSharedMemoryStatus, shared memory is not supported: send tensors in requests",
    "SystemSharedMemoryRegister, shared memory is not supported: send tensors in requests",
    "SystemSharedMemoryUnregister, shared memory is not supported: send tensors in requests",
    "CudaSharedMemoryStatus, shared memory is not supported: send tensors in requests",
    "CudaSharedMemoryRegister, shared memory is not supported: send tensors in requests",
    "CudaSharedMemoryUnregister, shared memory is not supported: send tensors in requests",
    "TraceSetting, set the properties management.tracing",
    "LogSettings, set the properties logging.level",
  })
  void whatOnlyTritonHasIsUnimplementedWithWhatToDo(String method, String instead) {
    MethodDescriptor<ModelReadyRequest, NotOffered> asked =
        MethodDescriptor.<ModelReadyRequest, NotOffered>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("inference.GRPCInferenceService/" + method)
            .setRequestMarshaller(ProtoUtils.marshaller(ModelReadyRequest.getDefaultInstance()))
            .setResponseMarshaller(ProtoUtils.marshaller(NotOffered.getDefaultInstance()))
            .build();
    var request = ModelReadyRequest.newBuilder().setName("region").build();

    assertThatThrownBy(
            () -> ClientCalls.blockingUnaryCall(channel, asked, CallOptions.DEFAULT, request))
        .hasMessageStartingWith("UNIMPLEMENTED: ")
        .hasMessageContaining(instead);
  }

  @Test
  void rawContentsComeBackAsRawContents() {
    ModelInferResponse answer =
        stub().modelInfer(raw("adder", floats(1, 2, 3), floats(10, 20, 30)));

    assertThat(answer.getId()).isEqualTo("7");
    assertThat(answer.getModelVersion()).isEqualTo("12");
    assertThat(answer.getOutputs(0).getName()).isEqualTo("sum");
    assertThat(answer.getOutputs(0).getShapeList()).containsExactly(1L, 3L);
    assertThat(answer.getRawOutputContentsList())
        .containsExactly(floats(11, 22, 33), floats(-9, -18, -27));
  }

  @Test
  void stringsComeBackFromContentsAndRawContents() {
    var input =
        InferInputTensor.newBuilder().setName("x").setDatatype("BYTES").addShape(1).addShape(2);
    ByteString any = ByteString.copyFrom(new byte[] {(byte) 0xFF, 0});
    ByteString wire =
        ByteString.copyFrom(new byte[] {2, 0, 0, 0, (byte) 0xFF, 0, 5, 0, 0, 0})
            .concat(ByteString.copyFromUtf8("known"));
    var typed = InferTensorContents.newBuilder().addBytesContents(any);

    ModelInferRequest.Builder request = ModelInferRequest.newBuilder().setModelName("same-string");
    ModelInferRequest ofContents =
        request
            .clone()
            .addInputs(
                input.clone().setContents(typed.addBytesContents(ByteString.copyFromUtf8("known"))))
            .build();
    ModelInferRequest ofRaw = request.clone().addInputs(input).addRawInputContents(wire).build();
    ModelInferRequest cut =
        request.clone().addInputs(input).addRawInputContents(wire.substring(0, 9)).build();
    ModelInferRequest wrong =
        request
            .clone()
            .addInputs(
                input
                    .clone()
                    .setContents(
                        InferTensorContents.newBuilder().addIntContents(1).addIntContents(2)))
            .build();

    assertThat(stub().modelInfer(ofContents).getRawOutputContentsList()).containsExactly(wire);
    assertThat(stub().modelInfer(ofRaw).getRawOutputContentsList()).containsExactly(wire);
    assertThat(stub().modelInfer(ofRaw).getOutputs(0).getDatatype()).isEqualTo("BYTES");
    assertThatThrownBy(() -> stub().modelInfer(cut))
        .hasMessageContaining("at position 1: its length takes 4 bytes, and 3 are left");
    assertThatThrownBy(() -> stub().modelInfer(wrong))
        .hasMessageContaining("0 of them in bytes_contents");
  }

  @Test
  void unaryInferencesAreInTheMetersOfCalls() {
    long answered = calls("OK");
    long unknown = calls("NOT_FOUND");
    double sent = meters.counter("grpc.server.sent", tags("UNKNOWN")).count();

    stub().modelInfer(raw("adder", floats(1, 2, 3), floats(10, 20, 30)));
    assertThatThrownBy(() -> stub().modelInfer(raw("nobody", floats(1, 2, 3))))
        .hasMessageContaining("NOT_FOUND");

    await(() -> calls("OK") == answered + 1 && calls("NOT_FOUND") == unknown + 1);
    assertThat(meters.counter("grpc.server.sent", tags("UNKNOWN")).count()).isEqualTo(sent + 1);
  }

  private long calls(String status) {
    return meters.timer("grpc.server", tags(status).and("error", "none")).count();
  }

  private static Tags tags(String status) {
    return Tags.of("grpc.status_code", status, "rpc.method", "ModelInfer", "rpc.type", "UNARY")
        .and("rpc.service", GRPCInferenceServiceGrpc.SERVICE_NAME);
  }

  /* A call is counted after its client has the answer. */
  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("calls that ended are counted").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "i8,INT8,-128",
    "i16,INT16,-32768",
    "i32,INT32,-2147483648",
    "bool,BOOL,1",
    "u8,UINT8,255",
    "u16,UINT16,65535",
    "u32,UINT32,4294967295",
    "i64,INT64,-9223372036854775808",
    "u64,UINT64,-1",
    "f32,FP32,1",
    "f64,FP64,1"
  })
  void typedContentsAreInTheFieldOfTheirType(String model, String datatype, long value) {
    var contents = InferTensorContents.newBuilder();
    for (int i = 0; i < 2; i++) {
      switch (model) {
        case "bool" -> contents.addBoolContents(true);
        case "i8", "i16", "i32" -> contents.addIntContents((int) value);
        case "u8", "u16", "u32" -> contents.addUintContents((int) value);
        case "i64" -> contents.addInt64Contents(value);
        case "u64" -> contents.addUint64Contents(value);
        case "f32" -> contents.addFp32Contents(value);
        default -> contents.addFp64Contents(value);
      }
    }

    ModelInferResponse typed =
        stub().modelInfer(typed("same-" + model, datatype, contents).build());
    ByteString bytes = typed.getRawOutputContents(0);
    ModelInferResponse again =
        stub()
            .modelInfer(
                ModelInferRequest.newBuilder()
                    .setModelName("same-" + model)
                    .addInputs(x(datatype))
                    .addRawInputContents(bytes)
                    .build());

    assertThat(again.getRawOutputContents(0)).isEqualTo(bytes);
    assertThat(
            stub()
                .modelInfer(typed("same-" + model, datatype, contents).build())
                .getRawOutputContents(0))
        .isEqualTo(bytes);
    assertThat(bytes.byteAt(0)).isEqualTo(firstByte(model, value));
  }

  private static byte firstByte(String model, long value) {
    return switch (model) {
      case "f32", "f64" -> 0;
      default -> (byte) value;
    };
  }

  @Test
  void whatDoesNotFitIsAnInvalidArgument() {
    assertStatus(
        Code.INVALID_ARGUMENT,
        "has 8 bytes of raw contents",
        raw("adder", floats(1, 2), floats(1, 2, 3)));
    assertStatus(
        Code.INVALID_ARGUMENT, "2 inputs and 1 raw_input_contents", raw("adder", floats(1, 2, 3)));
    assertStatus(
        Code.INVALID_ARGUMENT,
        "both contents and raw_input_contents",
        typed("same-f32", "FP32", InferTensorContents.newBuilder().addFp32Contents(1))
            .addRawInputContents(floats(1, 2))
            .build());
    assertStatus(
        Code.INVALID_ARGUMENT,
        "2 elements in contents, 0 of them in int_contents",
        typed(
                "same-i8",
                "INT8",
                InferTensorContents.newBuilder().addInt64Contents(1).addInt64Contents(2))
            .build());
    assertStatus(
        Code.INVALID_ARGUMENT,
        "128 is outside the range of INT8",
        typed(
                "same-i8",
                "INT8",
                InferTensorContents.newBuilder().addIntContents(1).addIntContents(128))
            .build());
    assertStatus(
        Code.INVALID_ARGUMENT,
        "send raw_input_contents",
        typed("same-f16", "FP16", InferTensorContents.newBuilder().addFp32Contents(1)).build());
    assertStatus(
        Code.INVALID_ARGUMENT,
        "-1, which is no size",
        ModelInferRequest.newBuilder()
            .setModelName("same-f32")
            .addInputs(
                InferInputTensor.newBuilder()
                    .setName("x")
                    .setDatatype("FP32")
                    .addShape(-1)
                    .addShape(2))
            .build());
    assertStatus(Code.NOT_FOUND, "unknown model", raw("nobody"));
  }

  @Test
  void aParameterOfAWrongTypeIsAnInvalidArgument() {
    assertStatus(
        Code.INVALID_ARGUMENT,
        "parameter 'priority' of the request must be a whole number",
        raw("adder", floats(1, 2, 3), floats(1, 2, 3)).toBuilder()
            .putParameters("priority", InferParameter.newBuilder().setStringParam("high").build())
            .build());
  }

  @Test
  void anInputInSharedMemoryIsRefusedAsSuchThoughOthersAreInTheRequest() {
    ModelInferRequest.Builder request = raw("adder", floats(1, 2, 3)).toBuilder();
    request
        .getInputsBuilder(1)
        .putParameters(
            "shared_memory_region", InferParameter.newBuilder().setStringParam("b").build());

    assertStatus(
        Code.UNIMPLEMENTED,
        "parameter 'shared_memory_region' of input 'b': shared memory is not supported, tensors are"
            + " sent in requests and answers, as binary data",
        request.build());
  }

  @Test
  void outputsComeAsChosenAndByTheirLargestValues() {
    ModelInferResponse answer =
        stub()
            .modelInfer(
                raw("adder", floats(1, 5, 3), floats(0, 0, 0)).toBuilder()
                    .addOutputs(
                        InferRequestedOutputTensor.newBuilder()
                            .setName("sum")
                            .putParameters(
                                "classification",
                                InferParameter.newBuilder().setInt64Param(1).build()))
                    .build());

    assertThat(answer.getOutputsCount()).isEqualTo(1);
    assertThat(answer.getOutputs(0).getDatatype()).isEqualTo("BYTES");
    assertThat(answer.getRawOutputContents(0).substring(4).toStringUtf8()).isEqualTo("5.000000:1");
  }

  @Test
  void aStreamIsAnsweredInOrderAndGoesOnAfterAnError() throws InterruptedException {
    BlockingQueue<ModelStreamInferResponse> answers = new LinkedBlockingQueue<>();
    BlockingQueue<Boolean> ends = new LinkedBlockingQueue<>();
    StreamObserver<ModelInferRequest> stream =
        GRPCInferenceServiceGrpc.newStub(channel).modelStreamInfer(collecting(answers, ends));

    for (int i = 0; i < 20; i++) {
      var request = raw(i == 7 ? "nobody" : "adder", floats(i, 0, 0), floats(0, 0, 0));
      stream.onNext(request.toBuilder().setId("" + i).build());
    }
    stream.onCompleted();

    for (int i = 0; i < 20; i++) {
      ModelStreamInferResponse answer = answers.poll(30, TimeUnit.SECONDS);
      assertThat(answer).isNotNull();
      assertThat(answer.getInferResponse().getId()).isEqualTo("" + i);
      assertThat(answer.getErrorMessage().isEmpty()).isEqualTo(i != 7);
      assertThat(answer.getInferResponse().getModelName()).isEqualTo(i == 7 ? "nobody" : "adder");
      assertThat(
              answer
                  .getInferResponse()
                  .getParametersOrThrow("triton_final_response")
                  .getBoolParam())
          .isTrue();
    }
    assertThat(ends.poll(30, TimeUnit.SECONDS)).isTrue();
  }

  private static <T> StreamObserver<T> collecting(
      BlockingQueue<T> answers, BlockingQueue<Boolean> ends) {
    return new StreamObserver<>() {
      @Override
      public void onNext(T answer) {
        answers.add(answer);
      }

      @Override
      public void onError(Throwable error) {
        ends.add(false);
      }

      @Override
      public void onCompleted() {
        ends.add(true);
      }
    };
  }

  @Test
  void configurationStatisticsAndIndexAreTold() {
    stub().modelInfer(raw("adder", floats(1, 2, 3), floats(10, 20, 30)));
    var config =
        stub().modelConfig(ModelConfigRequest.newBuilder().setName("adder").build()).getConfig();
    var versions =
        stub()
            .modelStatistics(ModelStatisticsRequest.newBuilder().setName("adder").build())
            .getModelStatsList();
    var stats = versions.getLast();
    var index = stub().repositoryIndex(RepositoryIndexRequest.newBuilder().setReady(true).build());

    assertThat(config.getMaxBatchSize()).isEqualTo(8);
    assertThat(config.getInput(0).getDataType()).isEqualTo(DataType.TYPE_FP32);
    assertThat(config.getInput(0).getDimsList()).containsExactly(3L);
    assertThat(config.hasDynamicBatching()).isTrue();
    assertThat(versions).extracting(ModelStatistics::getVersion).containsExactly("3", "12");
    assertThat(stats.getInferenceCount()).isPositive();
    assertThat(stats.getInferenceStats().getSuccess().getCount()).isPositive();
    assertThat(stats.getBatchStatsList()).isNotEmpty();
    assertThat(index.getModelsList())
        .anySatisfy(model -> assertThat(model.getName()).isEqualTo("adder"));
    assertThatThrownBy(() ->
            stub()
                .repositoryModelLoad(
                    RepositoryModelLoadRequest.newBuilder().setModelName("adder").build()))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("not loaded or unloaded over the API");
  }

  @Test
  void theStandardHealthServiceIsThere() {
    var watched = health().watch(ofService("inference.GRPCInferenceService"));
    ServingStatus status = watched.next().getStatus();
    while (status != ServingStatus.SERVING) {
      status = watched.next().getStatus();
    }

    assertThat(health().check(HealthCheckRequest.getDefaultInstance()).getStatus())
        .isEqualTo(ServingStatus.SERVING);
    assertThatThrownBy(() -> health().check(ofService("x"))).hasMessageContaining("NOT_FOUND");
  }

  @Test
  void theStandardHealthServiceKnowsEachModel() {
    var watched = health().watch(ofService("adder"));
    ServingStatus status = watched.next().getStatus();
    while (status != ServingStatus.SERVING) {
      status = watched.next().getStatus();
    }

    assertThat(health().check(ofService("adder")).getStatus()).isEqualTo(ServingStatus.SERVING);
  }

  private io.grpc.health.v1.HealthGrpc.HealthBlockingStub health() {
    return io.grpc.health.v1.HealthGrpc.newBlockingStub(channel)
        .withDeadlineAfter(30, TimeUnit.SECONDS);
  }

  private static HealthCheckRequest ofService(String name) {
    return HealthCheckRequest.newBuilder().setService(name).build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate"})
  void compressedMessagesAreRead(String encoding) {
    disconnect();
    var codecs = CompressorRegistry.newEmptyInstance();
    codecs.register(new Codec.Gzip());
    codecs.register(new DeflateCodec());
    channel =
        NettyChannelBuilder.forAddress("localhost", server.getPort())
            .usePlaintext()
            .compressorRegistry(codecs)
            .build();

    ModelInferResponse answer =
        stub()
            .withCompression(encoding)
            .modelInfer(raw("adder", floats(1, 2, 3), floats(10, 20, 30)));

    assertThat(answer.getRawOutputContents(0)).isEqualTo(floats(11, 22, 33));
  }

  @Test
  void theServicesCanBeListedByReflection() throws InterruptedException {
    BlockingQueue<ServerReflectionResponse> answers = new LinkedBlockingQueue<>();
    StreamObserver<ServerReflectionRequest> stream =
        ServerReflectionGrpc.newStub(channel)
            .serverReflectionInfo(collecting(answers, new LinkedBlockingQueue<>()));

    stream.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
    ServerReflectionResponse answer = answers.poll(30, TimeUnit.SECONDS);
    stream.onCompleted();

    assertThat(answer).isNotNull();
    assertThat(
            answer.getListServicesResponse().getServiceList().stream()
                .map(ServiceResponse::getName))
        .contains("inference.GRPCInferenceService", "grpc.health.v1.Health");
  }

  @Test
  void olderClientsListThemByReflectionToo() throws InterruptedException {
    BlockingQueue<io.grpc.reflection.v1alpha.ServerReflectionResponse> answers =
        new LinkedBlockingQueue<>();
    var stream =
        io.grpc.reflection.v1alpha.ServerReflectionGrpc.newStub(channel)
            .serverReflectionInfo(collecting(answers, new LinkedBlockingQueue<>()));

    stream.onNext(
        io.grpc.reflection.v1alpha.ServerReflectionRequest.newBuilder()
            .setListServices("")
            .build());
    var answer = answers.poll(30, TimeUnit.SECONDS);
    stream.onCompleted();

    assertThat(answer).isNotNull();
    assertThat(answer.getListServicesResponse().getServiceList())
        .anySatisfy(it -> assertThat(it.getName()).isEqualTo("inference.GRPCInferenceService"));
  }

  @Test
  void aMessageOverFourMegabytesIsRead() {
    ModelInferRequest request =
        raw("adder", floats(1, 2, 3), floats(1, 1, 1)).toBuilder()
            .putParameters(
                "note", InferParameter.newBuilder().setStringParam("n".repeat(6 << 20)).build())
            .build();

    assertStatus(Code.UNAVAILABLE, "engine.queue.max-bytes", request);
  }

  private void assertStatus(Code code, String message, ModelInferRequest request) {
    assertThatThrownBy(() -> stub().modelInfer(request))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            error -> assertThat(error.getStatus().getCode()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  private static ByteString floats(float... values) {
    return ByteString.copyFrom(Bytes.floats(values));
  }

  private static InferInputTensor.Builder x(String datatype) {
    return InferInputTensor.newBuilder()
        .setName("x")
        .setDatatype(datatype)
        .addAllShape(List.of(1L, 2L));
  }

  private static ModelInferRequest.Builder typed(
      String model, String datatype, InferTensorContents.Builder contents) {
    return ModelInferRequest.newBuilder()
        .setModelName(model)
        .addInputs(x(datatype).setContents(contents));
  }

  /* A request to `adder`. */
  private static ModelInferRequest raw(String model, ByteString... contents) {
    ModelInferRequest.Builder request =
        ModelInferRequest.newBuilder().setModelName(model).setId("7");
    for (String name : List.of("a", "b")) {
      request.addInputs(
          InferInputTensor.newBuilder()
              .setName(name)
              .setDatatype("FP32")
              .addAllShape(List.of(1L, 3L)));
    }
    return request.addAllRawInputContents(Arrays.asList(contents)).build();
  }
}
