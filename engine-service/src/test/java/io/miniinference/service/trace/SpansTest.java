package io.miniinference.service.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.miniinference.service.fullstack.RunningService;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest.InferInputTensor;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// A service with the JVM device exports what it does for requests whose traces are recorded.
final class SpansTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String CALLER = "b7ad6b7169203331";
  private static final String RECORDED = "00-" + TRACE + "-" + CALLER + "-01";
  private static final String NOT_RECORDED = "00-" + TRACE + "-" + CALLER + "-00";
  private static final String IMAGE =
      "{\"inputs\":[{\"name\":\"Input3\",\"datatype\":\"FP32\",\"shape\":[1,1,28,28],\"data\":%s}]}"
          .formatted(Arrays.toString(new float[784]));

  @Test
  void aRecordedRequestOverHttpIsATreeOfItsStages() throws IOException {
    try (SpanSink sink = new SpanSink()) {
      try (RunningService service = start(sink)) {
        var answer = service.client().infer("mnist-cnn", IMAGE, "traceparent", RECORDED);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("traceparent")).matches("00-" + TRACE + "-[0-9a-f]{16}-01");
      }
      Span request = holdsATree(sink, "POST /v2/models/{model}/infer");
      assertThat(tags(request))
          .containsEntry("model", "mnist-cnn")
          .containsEntry("rows", "1")
          .containsEntry("outcome", "success")
          .containsEntry("http.response.status_code", "200");
    }
  }

  @Test
  void aRecordedCallOverGrpcIsATreeOfItsStages() throws Exception {
    try (SpanSink sink = new SpanSink()) {
      try (RunningService service = start(sink)) {
        call(service.grpcPort(), RECORDED);
      }
      Span request = holdsATree(sink, "inference.GRPCInferenceService/ModelInfer");
      assertThat(tags(request)).containsEntry("rpc.grpc.status_code", "OK");
    }
  }

  @Test
  void whatItsClientDoesNotRecordIsNotExportedAndTheShareOfTheOthersIs() throws Exception {
    try (SpanSink sink = new SpanSink()) {
      try (RunningService service = start(sink, "management.tracing.sampling.probability=1")) {
        service.client().infer("mnist-cnn", IMAGE, "traceparent", NOT_RECORDED);
        call(service.grpcPort(), NOT_RECORDED);
        service.client().get("/v2/models/mnist-cnn", "traceparent", RECORDED);
        var own = service.client().infer("mnist-cnn", "{", "X-Request-ID", "order-7");
        assertThat(own.status()).isEqualTo(400);
        assertThat(own.header("traceparent")).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-0[13]");
      }
      assertThat(sink.spans())
          .singleElement()
          .satisfies(span -> {
            assertThat(hex(span.getTraceId())).isNotEqualTo(TRACE);
            assertThat(tags(span)).containsEntry("outcome", "invalid");
          });
    }
  }

  @Test
  void theProcessAndTheHeadersAreThoseOfTheProperties() throws IOException {
    try (SpanSink sink = new SpanSink()) {
      try (RunningService service =
          start(
              sink,
              "management.opentelemetry.tracing.export.otlp.headers.Authorization=Bearer secret",
              "management.opentelemetry.resource-attributes.deployment.environment.name=test")) {
        service.client().infer("mnist-cnn", IMAGE, "traceparent", RECORDED);
      }
      assertThat(sink.authorizations()).containsOnly("Bearer secret");
      assertThat(sink.taken().getFirst().getResource().getAttributesList())
          .extracting(KeyValue::getKey, attribute -> attribute.getValue().getStringValue())
          .contains(
              tuple("service.name", "mini-inference-engine"),
              tuple("deployment.environment.name", "test"));
    }
  }

  /* The end of the service exports what is left. */
  private static RunningService start(SpanSink sink, String... more) {
    String[] properties = {
      "engine.device=jvm",
      "engine.pool.capacity=32MB",
      "engine.batching.max-size=4",
      "engine.models.names=mnist-cnn",
      "management.opentelemetry.tracing.export.otlp.endpoint=" + sink.endpoint(),
    };
    String[] all = Arrays.copyOf(properties, properties.length + more.length);
    System.arraycopy(more, 0, all, properties.length, more.length);
    return RunningService.start(all);
  }

  private static void call(int port, String parent) throws InterruptedException {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("localhost", port).usePlaintext().build();
    try {
      var sent = new Metadata();
      sent.put(TraceInterceptor.TRACE, parent);
      GRPCInferenceServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(60, TimeUnit.SECONDS)
          .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(sent))
          .modelInfer(
              ModelInferRequest.newBuilder()
                  .setModelName("mnist-cnn")
                  .addInputs(
                      InferInputTensor.newBuilder()
                          .setName("Input3")
                          .setDatatype("FP32")
                          .addAllShape(List.of(1L, 1L, 28L, 28L)))
                  .addRawInputContents(ByteString.copyFrom(new byte[4 * 784]))
                  .build());
    } finally {
      channel.shutdownNow();
      channel.awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  /* The request's span under the caller's, its stages in order, the launches within the run. */
  private static Span holdsATree(SpanSink sink, String name) {
    List<Span> spans = sink.spans();
    Span request = named(spans, name);
    assertThat(hex(request.getParentSpanId())).isEqualTo(CALLER);
    assertThat(request.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
    assertThat(spans).allMatch(span -> hex(span.getTraceId()).equals(TRACE));
    assertThat(children(request, spans))
        .extracting(Span::getName)
        .containsExactly("read", "queue", "input", "compute", "output");
    Span compute = named(spans, "compute");
    List<Span> launches = children(compute, spans);
    assertThat(launches).hasSizeGreaterThan(3).allMatch(s -> s.getName().startsWith("launch "));
    assertThat(launches).allMatch(launch -> isWithin(launch, compute));
    assertThat(children(request, spans)).allMatch(stage -> isWithin(stage, request));
    assertThat(tags(compute)).containsEntry("launches", "" + launches.size());
    return request;
  }

  private static boolean isWithin(Span part, Span whole) {
    return part.getStartTimeUnixNano() >= whole.getStartTimeUnixNano()
        && part.getEndTimeUnixNano() <= whole.getEndTimeUnixNano()
        && part.getStartTimeUnixNano() <= part.getEndTimeUnixNano();
  }

  private static Span named(List<Span> spans, String name) {
    return spans.stream()
        .filter(span -> span.getName().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new AssertionError(name + " is none of " + spans.stream().map(Span::getName).toList()));
  }

  private static List<Span> children(Span parent, List<Span> spans) {
    return spans.stream()
        .filter(span -> span.getParentSpanId().equals(parent.getSpanId()))
        .sorted(Comparator.comparingLong(Span::getStartTimeUnixNano))
        .toList();
  }

  private static Map<String, String> tags(Span span) {
    return span.getAttributesList().stream()
        .collect(Collectors.toMap(KeyValue::getKey, tag -> tag.getValue().getStringValue()));
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }
}
