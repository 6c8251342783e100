package io.miniinference.device.jvm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.Device;
import io.miniinference.device.TestCache;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.TestModel;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// However many workers share a request's launches, and however they come to share them.
final class WorkersTest {
  private static final long[] SHAPE = {3, 24, 20, 20};
  private static final int RUNS = 20;

  private static TestModel model() {
    return TestModel.opset(17)
        .floats("x", "N,24,20,20")
        .reals("w1", 40, 24, 3, 3)
        .reals("w2", 16, 40, 1, 1)
        .constant("axes", 1)
        .node("Conv", "x w1", "a", "pads=1,1,1,1")
        .node("Relu", "a", "b")
        .node("Conv", "b w2", "c")
        .node("Softmax", "c", "d", "axis=3")
        .node("ReduceSum", "d axes", "y")
        .output("y");
  }

  @Test
  void resultsHaveTheSameBitsForAnyNumberOfWorkers() {
    MemorySegment input = randomInput();
    byte[] alone = outputs(1, input).getFirst();
    for (int workers : new int[] {2, 3, 8}) {
      List<byte[]> shared = outputs(workers, input);
      for (int run = 0; run < RUNS; run++) {
        assertThat(shared.get(run)).as("run %d on %d workers", run, workers).isEqualTo(alone);
      }
    }
  }

  private static MemorySegment randomInput() {
    Random random = new Random(28);
    float[] floats = new float[3 * 24 * 20 * 20];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = random.nextFloat() - 0.5f;
    }
    MemorySegment bytes = MemorySegment.ofArray(new byte[4 * floats.length]);
    MemorySegment.copy(floats, 0, bytes, JAVA_FLOAT_UNALIGNED, 0, floats.length);
    return bytes;
  }

  /// The bytes of the result, run by run.
  private static List<byte[]> outputs(int workers, MemorySegment input) {
    var options = new EngineOptions(32L << 20, "jvm", null, null, "auto", TestCache.FOLDER);
    var request = new InferenceRequest(List.of(SHAPE), (_, staging) -> staging.copyFrom(input));
    try (Engine engine = Engines.open(options, device -> withWorkers(device, workers));
        Model model = engine.load(model().read(), LoadOptions.defaults().withMaxBatch(3))) {
      return IntStream.range(0, RUNS)
          .mapToObj(
              _ -> model.infer(request, outputs -> outputs.getFirst().data().toArray(JAVA_BYTE)))
          .toList();
    }
  }

  private static Device withWorkers(Device usual, int workers) {
    usual.close();
    return new JvmDevice(workers);
  }
}
