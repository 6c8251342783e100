package io.miniinference.service.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.miniinference.service.doubles.HeapServiceTest;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.grpc.wire.OpenInference.ServerLiveRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

final class TraceTest extends HeapServiceTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";

  @Autowired private GrpcServerLifecycle server;

  @Test
  void anAnswerOverHttpIsOfTheSameTraceAndOfASpanOfItsOwn() {
    var answer = client().get("/v2", "traceparent", PARENT, "X-Request-ID", "order-7");

    assertThat(answer.header("traceparent"))
        .matches("00-" + TRACE + "-[0-9a-f]{16}-01")
        .isNotEqualTo(PARENT);
    assertThat(answer.header("X-Request-ID")).isEqualTo("order-7");
    assertThat(client().get("/v2").header("traceparent")).isEmpty();
  }

  @Test
  void anErrorIsOfTheTraceToo() {
    var answer = client().infer("adder", "{", "traceparent", PARENT, "X-Request-ID", "order-7");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.header("traceparent")).startsWith("00-" + TRACE);
    assertThat(answer.header("X-Request-ID")).isEqualTo("order-7");
  }

  @Test
  void anAnswerOverGrpcIsOfTheSameTraceAndOfASpanOfItsOwn() {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("localhost", server.getPort()).usePlaintext().build();
    try {
      var sent = new Metadata();
      sent.put(TraceInterceptor.TRACE, PARENT);
      sent.put(TraceInterceptor.REQUEST, "order-7");
      var headers = new AtomicReference<Metadata>();
      var stub =
          GRPCInferenceServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(30, TimeUnit.SECONDS)
              .withInterceptors(
                  MetadataUtils.newAttachHeadersInterceptor(sent),
                  MetadataUtils.newCaptureMetadataInterceptor(headers, new AtomicReference<>()));

      assertThat(stub.serverLive(ServerLiveRequest.getDefaultInstance()).getLive()).isTrue();
      assertThat(headers.get().get(TraceInterceptor.TRACE))
          .matches("00-" + TRACE + "-[0-9a-f]{16}-01")
          .isNotEqualTo(PARENT);
      assertThat(headers.get().get(TraceInterceptor.REQUEST)).isEqualTo("order-7");
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void logLinesKnowTheTraceWhileARequestIsServedAndNotAfter() throws Exception {
    var request = new MockHttpServletRequest();
    request.addHeader("traceparent", PARENT);
    request.addHeader("X-Request-ID", "order-7");
    Map<String, String> seen = new HashMap<>();

    new TraceFilter((_, _) -> null)
        .doFilter(
            request,
            new MockHttpServletResponse(),
            (_, _) -> seen.putAll(MDC.getCopyOfContextMap()));

    assertThat(seen).containsEntry("traceId", TRACE).containsEntry("requestId", "order-7");
    assertThat(seen.get("spanId")).hasSize(16);
    assertThat(MDC.get("traceId")).isNull();
    assertThat(MDC.get("requestId")).isNull();
  }

  @Test
  void workThatAnotherThreadDoesForARequestIsOfItsTrace() throws Exception {
    var traced = Traced.of(PARENT, "order-7", null, (_, _) -> null);
    Map<String, String> seen = new HashMap<>();
    Runnable work = () -> seen.putAll(MDC.getCopyOfContextMap());
    Thread other;
    try (LogContext _ = LogContext.of(traced)) {
      other = Thread.ofVirtual().unstarted(Handover.of(work));
    }
    other.start();
    other.join();

    assertThat(seen).containsEntry("traceId", TRACE).containsEntry("requestId", "order-7");
    assertThat(Handover.of(work)).isSameAs(work);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more"
      })
  void aBrokenTraceIsIgnored(String header) {
    assertThat(TraceContext.of(header)).isEmpty();
  }

  @Test
  void aTraceOfALaterVersionIsTaken() {
    assertThat(TraceContext.of("01-" + TRACE + "-b7ad6b7169203331-01-more")).isPresent();
  }

  @Test
  void anIdentityThatCouldBreakALogIsIgnored() {
    assertThat(RequestId.of("a b")).isNull();
    assertThat(RequestId.of("a\nb")).isNull();
    assertThat(RequestId.of("x".repeat(129))).isNull();
    assertThat(RequestId.of("7e5-a.b:c/d")).isEqualTo("7e5-a.b:c/d");
  }
}
