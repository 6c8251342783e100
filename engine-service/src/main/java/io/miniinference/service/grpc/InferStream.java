package io.miniinference.service.grpc;

import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.miniinference.service.admission.Admission;
import io.miniinference.service.grpc.wire.OpenInference.ModelInferRequest;
import io.miniinference.service.grpc.wire.OpenInference.ModelStreamInferResponse;
import io.miniinference.service.serving.Failure;
import io.miniinference.service.trace.Handover;
import java.util.ArrayDeque;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/// The requests of one stream. They run side by side, each on a virtual thread of its own, and are
/// answered in their order. The next is asked for when it has room: while the client reads its
/// answers, and few enough are unanswered.
final class InferStream implements StreamObserver<ModelInferRequest> {
  /// Requests of one stream that may be unanswered. A device is busy with a batch of 32 while the
  /// next 32 gather; and a client that does not read its answers leaves no more than these in
  /// memory.
  static final int MOST = 64;

  private static final ThreadFactory THREADS = Thread.ofVirtual().name("grpc-stream-", 0).factory();

  private final GrpcInference inference;
  private final Admission admission;
  private final ServerCallStreamObserver<ModelStreamInferResponse> to;
  private final ArrayDeque<Place> unanswered = new ArrayDeque<>();
  private final boolean endsWithFailure = StreamErrors.endStream();
  private long unansweredBytes;
  private boolean isAsking;
  private boolean isWhole;
  private boolean isOver;

  /// A request's place in the order of the answers.
  private static final class Place {
    private final String model;
    private final long bytes;
    private @Nullable StreamAnswer answer;

    Place(ModelInferRequest request) {
      model = request.getModelName();
      bytes = request.getSerializedSize();
    }
  }

  private InferStream(
      GrpcInference inference,
      Admission admission,
      ServerCallStreamObserver<ModelStreamInferResponse> to) {
    this.inference = inference;
    this.admission = admission;
    this.to = to;
  }

  /// Begins to read a stream.
  ///
  /// @param to which gRPC opened with the stream
  static InferStream open(
      GrpcInference inference, Admission admission, StreamObserver<ModelStreamInferResponse> to) {
    var answers = (ServerCallStreamObserver<ModelStreamInferResponse>) to;
    var stream = new InferStream(inference, admission, answers);
    answers.disableAutoRequest();
    answers.setOnReadyHandler(stream::askForNext);
    answers.setOnCancelHandler(() -> {}); // answers go nowhere then
    stream.askForNext();
    return stream;
  }

  @Override
  public synchronized void onNext(ModelInferRequest request) {
    isAsking = false;
    var place = new Place(request);
    unanswered.add(place);
    unansweredBytes += place.bytes;
    Runnable work = () -> answer(place, StreamAnswer.of(inference, request));
    THREADS.newThread(Context.current().wrap(Handover.of(work))).start();
    askForNext();
  }

  private synchronized void askForNext() {
    if (!isAsking && !isWhole && !isOver && to.isReady() && hasRoomForNext()) {
      isAsking = true;
      to.request(1);
    }
  }

  /* Beside others, only where as many would be let in once more: those in flight may not be counted
  yet, and what has no room is refused. */
  private boolean hasRoomForNext() {
    Place last = unanswered.peekLast();
    return last == null
        || (unanswered.size() < MOST
            && admission.hasRoom(last.model, unanswered.size() + 1, unansweredBytes + last.bytes));
  }

  private synchronized void answer(Place place, StreamAnswer answer) {
    place.answer = answer;
    if (!to.isCancelled()) {
      sendInOrder();
      endIfAnswered();
      askForNext();
    }
  }

  private void sendInOrder() {
    Place first = unanswered.peek();
    while (!isOver && first != null && first.answer != null) {
      unanswered.remove();
      unansweredBytes -= first.bytes;
      send(first.answer);
      first = unanswered.peek();
    }
  }

  /* The end of a call gives up what waits for the device, as the client's going away does. */
  private void send(StreamAnswer answer) {
    Failure failure = answer.failure();
    if (endsWithFailure && failure != null) {
      isOver = true;
      to.onError(Replies.status(failure));
    } else {
      to.onNext(answer.message());
    }
  }

  private void endIfAnswered() {
    if (isWhole && !isOver && unanswered.isEmpty()) {
      isOver = true;
      to.onCompleted();
    }
  }

  /// The client went away: the call's context gives up what waits for the device.
  @Override
  public void onError(Throwable error) {}

  @Override
  public synchronized void onCompleted() {
    isWhole = true;
    endIfAnswered();
  }
}
