package io.miniinference.service.serving;

import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.RequestBatch.Member;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.service.admission.Admission;
import io.miniinference.service.admission.ByteBudget;
import io.miniinference.service.catalog.ServedModel;
import io.miniinference.service.scheduling.Scheduled;
import io.miniinference.service.scheduling.Scheduler;
import io.miniinference.service.scheduling.Terms;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.stereotype.Component;

/// Serves one inference request, whatever protocol it came in: read, checked, admitted, run when
/// its turn comes, counted. It waits for its turn with all of its bytes at hand, so that no slow
/// client keeps others from the device.
@Component
public final class Inference {
  private final Admission admission;
  private final Scheduler scheduler;
  private final InferenceMeters meters;
  private final Statistics statistics;

  Inference(
      Admission admission, Scheduler scheduler, InferenceMeters meters, Statistics statistics) {
    this.admission = admission;
    this.scheduler = scheduler;
    this.meters = meters;
    this.statistics = statistics;
  }

  /// Serves a request on the calling thread, which may be virtual.
  ///
  /// @throws RuntimeException of which [Failure] knows the kind
  public InferResponse infer(ServedModel served, RequestSource source) {
    long start = System.nanoTime();
    InferenceTrace trace = InferenceTrace.current(served, start);
    meters.begin(served);
    try (ByteBudget.Share share = admission.bodies(served.name()).open()) {
      admission.enter(served.name());
      InferRequest request = read(served, source, share);
      trace.read();
      InferResponse response = admission.admit(served.name(), () -> run(served, request, trace));
      meters.request(served, Outcome.SUCCESS, System.nanoTime() - start);
      trace.ended(Outcome.SUCCESS);
      return response;
    } catch (RuntimeException e) {
      failed(served, e, System.nanoTime() - start);
      trace.ended(Outcome.of(e));
      throw served.told().apply(e);
    } finally {
      meters.end(served);
    }
  }

  private static InferRequest read(
      ServedModel served, RequestSource source, ByteBudget.Share share) {
    try {
      return source.read(new RequestRules(served), share);
    } catch (IOException e) {
      throw new ServingException(
          ErrorKind.INVALID, "the request's body could not be read to its end");
    }
  }

  private void failed(ServedModel served, RuntimeException error, long nanos) {
    meters.request(served, Outcome.of(error), nanos);
    if (error instanceof AbandonedRequestException) {
      admission.ended(served.name(), false);
    }
    statistics.failed(served.model(), nanos);
    if (error instanceof RequestFailedException failed) {
      meters.failures(served, failed.failures());
    }
  }

  private InferResponse run(ServedModel served, InferRequest request, InferenceTrace trace) {
    Terms terms = terms(served, request);
    Scheduled<List<OutputTensor>> done =
        scheduler.infer(
            served.model(), member(served, request, terms, trace), terms, rows(served, request));
    trace.ran(done.times(), rows(served, request));
    admission.ended(served.name(), true);
    meters.ran(served, done.times(), rows(served, request));
    statistics.succeeded(served.model(), done.times(), rows(served, request));
    return new InferResponse(served.name(), served.version(), request.id(), done.value());
  }

  private Terms terms(ServedModel served, InferRequest request) {
    int priority = Objects.requireNonNullElse(served.settings().priority(), 0);
    return request.terms().orPriority(priority).within(admission.mostMicros(served.name()));
  }

  private static Member<List<OutputTensor>> member(
      ServedModel served, InferRequest request, Terms terms, InferenceTrace trace) {
    List<InputTensor> inputs = request.inputs();
    var work =
        new InferenceRequest(
            shapes(inputs),
            (input, staging) -> inputs.get(input).content().writeTo(staging),
            terms.deadlineNanos(),
            trace.observer());
    return new Member<>(work, all -> Outputs.taken(served, request.outputs(), all));
  }

  private static List<long[]> shapes(List<InputTensor> inputs) {
    List<long[]> shapes = new ArrayList<>(inputs.size());
    for (InputTensor input : inputs) {
      shapes.add(input.shape());
    }
    return shapes;
  }

  /* What a request counts for in a batch. Where the model has none, requests run alone. */
  private static int rows(ServedModel served, InferRequest request) {
    boolean batched = served.model().hasBatch() && !request.inputs().isEmpty();
    long[] shape = batched ? request.inputs().getFirst().shape() : new long[0];
    return shape.length == 0 ? 1 : Math.clamp(shape[0], 0, Integer.MAX_VALUE);
  }
}
