package io.miniinference.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import io.miniinference.runtime.Model;
import io.miniinference.service.MiniInferenceEngine;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.doubles.Bytes;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.HeapEngine;
import io.miniinference.service.doubles.HeapEngineConfiguration;
import io.miniinference.service.doubles.Repositories;
import io.miniinference.service.engine.RunningEngine;
import io.miniinference.service.grpc.wire.GRPCInferenceServiceGrpc;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest.InferInputTensor;
import io.miniinference.service.grpc.wire.OpenInference.ModelStreamInferResponse;
import io.miniinference.service.scheduling.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import tools.jackson.databind.JsonNode;

/// Requests of one stream: how many run side by side, in which order they are answered, and what
/// holds a client back. The model `waiting` answers when it is let.
@SpringBootTest(
    classes = MiniInferenceEngine.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {"engine.pool.capacity=1MB", "engine.queue.max-bytes=8MB"})
@Import(HeapEngineConfiguration.class)
final class InferStreamTest {
  private static final String END = "OK";
  private static final ByteString NO_TEXT =
      ByteString.copyFrom(new byte[] {(byte) 0xc3, (byte) 0x28});

  @LocalServerPort private int port;
  @Autowired private GrpcServerLifecycle server;
  @Autowired private RunningEngine engine;
  @Autowired private Scheduler scheduler;
  @Autowired private Catalog catalog;
  @Autowired private BulkheadRegistry bulkheads;

  private ManagedChannel channel;

  @DynamicPropertySource
  static void repository(DynamicPropertyRegistry registry) {
    registry.add("engine.models.repository", Repositories.of("adder/1", "waiting/1")::toString);
  }

  @BeforeEach
  void connect() {
    channel =
        NettyChannelBuilder.forAddress("localhost", server.getPort())
            .usePlaintext()
            .flowControlWindow(64 << 10)
            .build();
  }

  @AfterEach
  void disconnect() {
    channel.shutdownNow();
    letAll();
    until("nothing is in flight", this::inFlight, 0);
    heap().release.drainPermits();
  }

  private HeapEngine heap() {
    return (HeapEngine) engine.engine();
  }

  private void letAll() {
    heap().release.release(1000);
  }

  /// A stream as its client sees it: the identities of its answers, those of failed ones with `!`,
  /// and then the status of its end.
  private final class Stream
      implements ClientResponseObserver<ModelInferRequest, ModelStreamInferResponse> {
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    private final boolean reads;
    private final ClientCallStreamObserver<ModelInferRequest> requests;

    Stream(boolean reads) {
      this(reads, new Metadata());
    }

    Stream(boolean reads, Metadata headers) {
      this.reads = reads;
      requests =
          (ClientCallStreamObserver<ModelInferRequest>)
              GRPCInferenceServiceGrpc.newStub(channel)
                  .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                  .modelStreamInfer(this);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<ModelInferRequest> observer) {
      if (!reads) {
        observer.disableAutoRequestWithInitial(0);
      }
    }

    Stream send(String model, int... ids) {
      for (int id : ids) {
        requests.onNext(request(model, id, 1));
      }
      return this;
    }

    @Override
    public void onNext(ModelStreamInferResponse answer) {
      assertThat(
              answer
                  .getInferResponse()
                  .getParametersOrThrow("triton_final_response")
                  .getBoolParam())
          .isTrue();
      String id = answer.getInferResponse().getId();
      seen.add(answer.getErrorMessage().isEmpty() ? id : id + "!");
    }

    @Override
    public void onError(Throwable error) {
      seen.add(Status.fromThrowable(error).getCode().name());
    }

    @Override
    public void onCompleted() {
      seen.add(END);
    }

    List<String> next(int count) throws InterruptedException {
      List<String> next = new ArrayList<>();
      while (next.size() < count) {
        next.add(String.valueOf(seen.poll(30, TimeUnit.SECONDS)));
      }
      return next;
    }
  }

  private static ModelInferRequest request(String model, int id, int rows) {
    ModelInferRequest.Builder request =
        ModelInferRequest.newBuilder().setModelName(model).setId("" + id);
    for (String name : List.of("a", "b")) {
      request
          .addInputs(
              InferInputTensor.newBuilder()
                  .setName(name)
                  .setDatatype("FP32")
                  .addShape(rows)
                  .addShape(3))
          .addRawInputContents(ByteString.copyFrom(Bytes.floats(new float[rows * 3])));
    }
    return request.build();
  }

  private static int[] range(int from, int to) {
    return IntStream.range(from, to).toArray();
  }

  private static List<String> ids(int from, int to) {
    return IntStream.range(from, to).mapToObj(Integer::toString).toList();
  }

  @Test
  void requestsOfOneStreamShareABatch() throws InterruptedException {
    long batches = batches("waiting");
    var stream = new Stream(true).send("waiting", 0);
    until("one runs", this::inFlight, 1);

    stream.send("waiting", range(1, 9));
    until("the others wait", this::waiting, 8);
    letAll();

    assertThat(stream.next(9)).isEqualTo(ids(0, 9));
    assertThat(batches("waiting") - batches).isEqualTo(2);
  }

  @Test
  void answersComeInTheOrderOfRequestsHoweverLongEachTakes() throws InterruptedException {
    long quick = served("adder");
    var stream = new Stream(true).send("waiting", 0).send("adder", 1, 2, 3);
    stream.requests.onCompleted();

    until("the quick ones are done", () -> served("adder") - quick, 3);
    assertThat(stream.seen).isEmpty();
    letAll();

    assertThat(stream.next(5)).containsExactly("0", "1", "2", "3", END);
  }

  @Test
  void oneThatFailsDoesSoAloneAndInItsTurn() throws InterruptedException {
    var stream = new Stream(true).send("waiting", 0).send("nobody", 1).send("adder", 2);
    until("one runs", this::inFlight, 1);
    letAll();
    stream.requests.onCompleted();

    assertThat(stream.next(4)).containsExactly("0", "1!", "2", END);
  }

  /// As Triton does for a client that asks for it: earlier requests are answered, later ones given
  /// up.
  @Test
  void oneThatFailsEndsItsStreamWhereTheClientAsksForThat() throws InterruptedException {
    var headers = new Metadata();
    headers.put(Metadata.Key.of("triton_grpc_error", Metadata.ASCII_STRING_MARSHALLER), "true");
    var stream = new Stream(true, headers).send("waiting", 0);
    until("one runs", this::inFlight, 1);

    stream.send("nobody", 1).send("waiting", range(2, 9)).send("adder", 9);
    until("the others wait", this::waiting, 7);
    heap().release.release();

    assertThat(stream.next(2)).containsExactly("0", "NOT_FOUND");
    until("nothing waits", this::waiting, 0);
    letAll();
    until("nothing is in flight", this::inFlight, 0);
    assertThat(stream.seen).isEmpty();
  }

  @Test
  void noMoreThanSomeAreReadBeforeTheirAnswers() throws InterruptedException {
    var stream = new Stream(true).send("waiting", range(0, 200));
    stream.requests.onCompleted();

    until("as many run or wait as may", this::inFlight, InferStream.MOST);
    assertThat(settled(this::inFlight)).isEqualTo(InferStream.MOST);
    letAll();

    assertThat(stream.next(201).subList(0, 200)).isEqualTo(ids(0, 200));
  }

  @Test
  void aClientThatDoesNotReadItsAnswersIsHeldBack() throws InterruptedException {
    long before = served("adder");
    var stream = new Stream(false);
    for (int i = 0; i < 1000; i++) {
      stream.requests.onNext(request("adder", i, 200)); // answered with 4,800 bytes
    }
    stream.requests.onCompleted();

    assertThat(settled(() -> served("adder") - before)).isBetween(1L, 500L);
    stream.requests.request(1000);

    assertThat(stream.next(1001).subList(0, 1000)).isEqualTo(ids(0, 1000));
  }

  @Test
  void cancellationEndsWhatWaits() {
    var stream = new Stream(true).send("waiting", 0);
    until("one runs", this::inFlight, 1);
    stream.send("waiting", range(1, 9));
    until("eight wait", this::waiting, 8);

    stream.requests.cancel("enough", null);

    until("the one that runs is left", this::inFlight, 1);
    assertThat(waiting()).isZero();
  }

  @Test
  void whatCameBeforeSomethingThatIsNoRequestIsAnsweredAndThenTheStreamEnds()
      throws InterruptedException {
    var stream = new Stream(true).send("waiting", 0).send("adder", 1);
    until("one runs", this::inFlight, 1);

    stream.requests.onNext(
        ModelInferRequest.newBuilder()
            .setUnknownFields(
                UnknownFieldSet.newBuilder()
                    .addField(1, Field.newBuilder().addLengthDelimited(NO_TEXT).build())
                    .build())
            .build());
    stream.send("adder", 2);
    letAll();

    assertThat(stream.next(3)).containsExactly("0", "1", "INVALID_ARGUMENT");
  }

  @Test
  void aStreamThatEndsForWantOfRoomHarmsNoOther() throws InterruptedException {
    var stream = new Stream(true).send("waiting", 0);
    until("one runs", this::inFlight, 1);

    stream.requests.onNext(
        request("adder", 1, 1).toBuilder()
            .addRawInputContents(ByteString.copyFrom(new byte[16 << 20]))
            .build());

    assertThat(stream.next(1)).containsExactly("UNAVAILABLE");
    letAll();
    assertThat(new Stream(true).send("adder", 2).next(1)).containsExactly("2");
  }

  private int waiting() {
    Model model = catalog.ready("waiting", null).model();
    return scheduler.waiting(model);
  }

  private int inFlight() {
    Bulkhead bulkhead = bulkheads.bulkhead("inference");
    return bulkhead.getBulkheadConfig().getMaxConcurrentCalls()
        - bulkhead.getMetrics().getAvailableConcurrentCalls();
  }

  private long served(String model) {
    return statistics(model).at("/inference_stats/success/count").longValue();
  }

  private long batches(String model) {
    return statistics(model).path("execution_count").longValue();
  }

  private JsonNode statistics(String model) {
    return new Client(port).get("/v2/models/" + model + "/stats").json().at("/model_stats/0");
  }

  private static void until(String what, LongSupplier figure, long wanted) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (figure.getAsLong() != wanted) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  /* The figure once it has not changed for a while. */
  private static long settled(LongSupplier figure) throws InterruptedException {
    long last = -1;
    long now = figure.getAsLong();
    while (now != last || now == 0) {
      last = now;
      Thread.sleep(300);
      now = figure.getAsLong();
    }
    return now;
  }
}
