package io.miniinference.service.scheduling;

import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.RequestBatch.Member;
import io.miniinference.runtime.ResponseReader;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// A member of a batch whose stages are timed.
final class TimedMember {
  private TimedMember() {}

  static <T> Member<T> of(Member<T> member, RequestTimes.Taker taker) {
    InferenceRequest request = member.request();
    InferenceRequest timed =
        request.withWriter((input, staging) -> write(request, input, staging, taker));
    return new Member<>(timed, new TimedReader<>(member.reader(), taker));
  }

  private static void write(
      InferenceRequest request, int input, MemorySegment staging, RequestTimes.Taker taker) {
    taker.writesInput();
    request.writer().write(input, staging);
    taker.wroteInput();
  }

  private record TimedReader<T>(ResponseReader<T> reader, RequestTimes.Taker taker)
      implements ResponseReader<T> {
    @Override
    public T read(List<Output> outputs) {
      taker.readsOutputs();
      T value = reader.read(outputs);
      taker.readOutputs();
      return value;
    }

    @Override
    public void failed(List<Output> outputs, List<FailureReport> failures) {
      reader.failed(outputs, failures);
    }
  }
}
