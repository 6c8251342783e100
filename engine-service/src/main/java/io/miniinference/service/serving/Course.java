package io.miniinference.service.serving;

import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.RequestBatch.Member;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.service.admission.Admission;
import io.miniinference.service.admission.ByteBudget;
import io.miniinference.service.catalog.ServedModel;
import io.miniinference.service.scheduling.Patience;
import io.miniinference.service.scheduling.Scheduled;
import io.miniinference.service.scheduling.Terms;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One request on its way: counted as it comes, read, let in, and counted as it ends. By one thread
/// after another.
final class Course {
  private final ServedModel served;
  private final Admission admission;
  private final InferenceMeters meters;
  private final Statistics statistics;
  private final long start = System.nanoTime();
  private final InferenceTrace trace;
  private final ByteBudget.Share share;
  private final RequestRules rules;
  private Admission.@Nullable Place place;

  Course(ServedModel served, Admission admission, InferenceMeters meters, Statistics statistics) {
    this.served = served;
    this.admission = admission;
    this.meters = meters;
    this.statistics = statistics;
    trace = InferenceTrace.current(served, start);
    share = admission.bodies(served.name()).open();
    rules = new RequestRules(served, share);
    meters.begin(served);
  }

  /// Reads the request, and lets it in with all of its bytes.
  InferRequest read(RequestSource source) {
    try (Admission.Reading reading = admission.enter(served.name())) {
      InferRequest request = readFrom(source, reading);
      trace.read();
      place = admission.admit(served.name());
      return request;
    }
  }

  private InferRequest readFrom(RequestSource source, Admission.Reading reading) {
    try {
      return source.read(rules, new RequestSource.Holds(share, reading));
    } catch (IOException e) {
      throw new ServingException(
          ErrorKind.INVALID, "the request's body could not be read to its end");
    }
  }

  Terms terms(InferRequest request) {
    int priority = Objects.requireNonNullElse(served.settings().priority(), 0);
    return request
        .terms()
        .orPriority(priority)
        .within(admission.mostMicros(served.name()), Patience.MODEL);
  }

  Member<List<OutputTensor>> member(InferRequest request, Terms terms) {
    List<InputTensor> inputs = request.inputs();
    var work =
        new InferenceRequest(
            shapes(inputs),
            (input, staging) -> inputs.get(input).content().writeTo(staging),
            terms.deadlineNanos(),
            trace.observer(),
            served.model().signature().hasStrings() ? rules.strings() : null);
    return new Member<>(work, all -> Outputs.taken(served, request.outputs(), all, rules::strings));
  }

  private static List<long[]> shapes(List<InputTensor> inputs) {
    List<long[]> shapes = new ArrayList<>(inputs.size());
    for (InputTensor input : inputs) {
      shapes.add(input.shape());
    }
    return shapes;
  }

  /// What the request counts for in a batch. Where the model has none, requests run alone.
  int rows(InferRequest request) {
    boolean batched = served.model().hasBatch() && !request.inputs().isEmpty();
    long[] shape = batched ? request.inputs().getFirst().shape() : new long[0];
    return shape.length == 0 ? 1 : Math.clamp(shape[0], 0, Integer.MAX_VALUE);
  }

  /// Counts an answer.
  InferResponse succeeded(InferRequest request, Scheduled<List<OutputTensor>> done) {
    int rows = rows(request);
    trace.ran(done.times(), rows);
    admission.ended(served.name(), true);
    admission.ran(served.name());
    meters.ran(served, done.times(), rows);
    statistics.succeeded(served.model(), done.times(), rows);
    meters.request(served, Outcome.SUCCESS, System.nanoTime() - start);
    trace.ended(Outcome.SUCCESS);
    return new InferResponse(served.name(), served.version(), request.id(), done.value());
  }

  /// Counts a failure.
  ///
  /// @return what the client is told
  RuntimeException failed(RuntimeException error) {
    count(error, System.nanoTime() - start);
    trace.ended(Outcome.of(error));
    return served.told().apply(error);
  }

  private void count(RuntimeException error, long nanos) {
    meters.request(served, Outcome.of(error), nanos);
    if (error instanceof AbandonedRequestException) {
      admission.ended(served.name(), false);
    }
    statistics.failed(served.model(), nanos);
    if (error instanceof RequestFailedException failed) {
      admission.ran(served.name());
      meters.failures(served, failed.failures());
    }
  }

  /// Gives back what the request holds.
  void end() {
    if (place != null) {
      place.close();
    }
    share.close();
    meters.end(served);
  }
}
