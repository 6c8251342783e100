package io.miniinference.service.serving;

import io.miniinference.service.admission.Admission;
import io.miniinference.service.catalog.ServedModel;
import io.miniinference.service.scheduling.Scheduled;
import io.miniinference.service.scheduling.Scheduler;
import io.miniinference.service.scheduling.Terms;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
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
    Course course = new Course(served, admission, meters, statistics);
    try {
      InferRequest request = course.read(source);
      Terms terms = course.terms(request);
      return course.succeeded(
          request,
          scheduler.infer(
              served.model(), course.member(request, terms), terms, course.rows(request)));
    } catch (RuntimeException e) {
      throw course.failed(e);
    } finally {
      course.end();
    }
  }

  /// Serves a request, and has no thread wait for its turn. It is read on the calling thread.
  ///
  /// @param to is called once, with what gives the response or throws what [#infer] throws
  public void submit(
      ServedModel served, RequestSource source, Consumer<Supplier<InferResponse>> to) {
    Course course = new Course(served, admission, meters, statistics);
    try {
      InferRequest request = course.read(source);
      Terms terms = course.terms(request);
      scheduler.submit(
          served.model(),
          course.member(request, terms),
          terms,
          course.rows(request),
          done -> to.accept(ended(course, request, done)));
    } catch (RuntimeException e) {
      to.accept(ended(course, e));
    } catch (Error e) {
      course.end();
      throw e;
    }
  }

  private static Supplier<InferResponse> ended(
      Course course, InferRequest request, Supplier<Scheduled<List<OutputTensor>>> done) {
    InferResponse response;
    try {
      response = course.succeeded(request, done.get());
    } catch (RuntimeException e) {
      return ended(course, e);
    }
    course.end();
    return () -> response;
  }

  private static Supplier<InferResponse> ended(Course course, RuntimeException error) {
    RuntimeException told = course.failed(error);
    course.end();
    return () -> {
      throw told;
    };
  }

  /// Whether a request of a model may take its time before it waits for its turn.
  public boolean holdsUp(ServedModel served) {
    return admission.holdsUp(served.name()) || scheduler.isSlowToEnter(served.model());
  }
}
