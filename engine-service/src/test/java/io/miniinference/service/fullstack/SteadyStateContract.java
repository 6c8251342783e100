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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What a ready service asks of the device and of the pool for its requests: nothing.
interface SteadyStateContract {
  long SEED = 20_260_725;
  int REQUESTS = Integer.getInteger("mie.requests", 500);
  int THREADS = 4;

  /// At least: requests that run together wait once, and broken ones do not run.
  int RUNS = (REQUESTS - REQUESTS / 100) / THREADS;

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
    assertThat(now.waits() - ready.waits()).as("waits").isGreaterThanOrEqualTo(RUNS);
    assertThat(service().pool()).isEqualTo(poolBefore);
  }

  /* Each thread takes the next request that none has taken. */
  private void sendMixed(List<SampleRows> samples) throws InterruptedException {
    var next = new AtomicInteger();
    List<Future<?>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (int i = 0; i < THREADS; i++) {
        all.add(
            threads.submit(() -> {
              for (int at = next.getAndIncrement(); at < REQUESTS; at = next.getAndIncrement()) {
                send(samples, at);
              }
            }));
      }
      for (Future<?> thread : all) {
        thread.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError("with seed " + SEED, e.getCause());
    }
  }

  /* One in a hundred is broken. */
  private void send(List<SampleRows> samples, int at) {
    SampleRows rows = samples.get(at % samples.size());
    var random = new Random(SEED + at);
    if (at % 100 == 99) {
      rows.checkRefusal(service().client());
    } else {
      int count = at < samples.size() ? LARGEST : count(random);
      rows.check(service().client(), random.nextInt(SampleRows.COUNT), count);
    }
  }

  /// Small batches most of the time.
  private static int count(Random random) {
    return (int) Math.pow(LARGEST + 0.999, Math.pow(random.nextDouble(), 3));
  }
}
