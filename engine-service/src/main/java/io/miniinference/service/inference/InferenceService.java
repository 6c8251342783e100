package io.miniinference.service.inference;

import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.runtime.ResponseReader.Output;
import io.miniinference.service.admission.Admission;
import io.miniinference.service.admission.ByteBudget;
import io.miniinference.service.admission.OverloadedException;
import io.miniinference.service.catalog.ServedModel;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.inference.InferResponse.OutputTensor;
import io.miniinference.service.inference.InferenceMeters.Outcome;
import io.miniinference.signature.TensorSpec;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.springframework.stereotype.Component;

/// One inference request from its body to its outputs: admitted, read, checked, run, metered. The
/// body is read and checked before the request takes an instance of its model.
@Component
final class InferenceService {
  private final Admission admission;
  private final InferenceMeters meters;
  private final int maxBodyBytes;

  InferenceService(Admission admission, InferenceMeters meters, EngineProperties properties) {
    this.admission = admission;
    this.meters = meters;
    this.maxBodyBytes = Math.toIntExact(properties.http().maxBodySize().toBytes());
  }

  InferResponse infer(ServedModel served, HttpServletRequest http) {
    long start = System.nanoTime();
    Outcome outcome = Outcome.ERROR;
    try {
      InferResponse response = admission.admit(() -> readAndRun(served, http));
      outcome = Outcome.SUCCESS;
      return response;
    } catch (InvalidRequestException | BodyTooLargeException e) {
      outcome = Outcome.INVALID;
      throw e;
    } catch (RequestFailedException e) {
      outcome = Outcome.FAILED;
      meters.failures(e.failures());
      throw e;
    } catch (OverloadedException e) {
      outcome = Outcome.REFUSED;
      throw e;
    } finally {
      meters.request(served, outcome, System.nanoTime() - start);
    }
  }

  private InferResponse readAndRun(ServedModel served, HttpServletRequest http) {
    try (ByteBudget.Share share = admission.bodies().open()) {
      RequestBody body = RequestBody.read(http, share, maxBodyBytes);
      InferRequest request = InferRequestReader.read(body, new RequestRules(served));
      return run(served, request);
    } catch (IOException e) {
      throw new UncheckedIOException("the request's body could not be read to its end", e);
    }
  }

  private InferResponse run(ServedModel served, InferRequest request) {
    long start = System.nanoTime();
    List<OutputTensor> outputs = admission.onDevice(served.name(), () -> onDevice(served, request));
    meters.compute(served, System.nanoTime() - start);
    return new InferResponse(served.name(), served.version(), request.id(), outputs);
  }

  private static List<OutputTensor> onDevice(ServedModel served, InferRequest request) {
    List<InputTensor> inputs = request.inputs();
    List<long[]> shapes = inputs.stream().map(InputTensor::shape).toList();
    var work =
        new InferenceRequest(
            shapes, (input, staging) -> staging.copyFrom(inputs.get(input).data()));
    return served
        .model()
        .infer(
            work,
            all ->
                request.outputs().stream()
                    .map(i -> copy(served.model().outputs().get(i), all.get(i)))
                    .toList());
  }

  /// Staging serves the next request after this one: what is kept is a copy.
  private static OutputTensor copy(TensorSpec spec, Output output) {
    var data = MemorySegment.ofArray(output.data().toArray(ValueLayout.JAVA_BYTE));
    return new OutputTensor(spec.name(), spec.element(), output.shape().clone(), data);
  }
}
