package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.DriverCalls;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What a ready service asks of the device and of the pool for its requests: nothing.
interface SteadyStateContract {
  long SEED = 20_260_725;
  int REQUESTS = 500;
  int THREADS = 4;
  int LARGEST = 256;

  RunningService service();

  @Test
  default void mixedRequestsFromSeveralThreadsNeitherAllocateNorBuildNorMoveThePool()
      throws InterruptedException {
    JsonNode poolBefore = service().pool();
    List<SampleRows> samples =
        Arrays.stream(Bundled.values())
            .map(model -> SampleRows.of(model, service().client(), SEED))
            .toList();

    sendMixed(samples);

    DriverCalls ready = service().driverCallsAtReady();
    DriverCalls now = service().engine().driverCalls();
    assertThat(now.allocations()).as("objects made on the device").isEqualTo(ready.allocations());
    assertThat(now.builds()).as("programs built").isEqualTo(ready.builds());
    assertThat(now.variants()).as("kernel variants").isEqualTo(ready.variants());
    assertThat(now.waits() - ready.waits()).as("waits").isGreaterThanOrEqualTo(REQUESTS);
    assertThat(service().pool()).isEqualTo(poolBefore);
  }

  private void sendMixed(List<SampleRows> samples) throws InterruptedException {
    Random random = new Random(SEED);
    List<Future<?>> requests = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (int i = 0; i < REQUESTS; i++) {
        SampleRows rows = samples.get(i % samples.size());
        int count = i < samples.size() ? LARGEST : count(random);
        int first = random.nextInt(SampleRows.COUNT);
        requests.add(threads.submit(() -> rows.check(service().client(), first, count)));
      }
      for (Future<?> request : requests) {
        request.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError("with seed " + SEED, e.getCause());
    }
  }

  /// Small batches most of the time.
  private static int count(Random random) {
    return (int) Math.pow(LARGEST + 0.999, Math.pow(random.nextDouble(), 3));
  }
}
