package io.miniinference.service.scheduling;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestBatch.Member;
import io.miniinference.service.doubles.HeapEngine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Very many requests of all kinds at one queue: each is answered with its own rows or given up as
/// it was asked to, no more run at once than there are turns, and nothing stays behind.
final class ModelQueueStressTest {
  private static final int MOST_ROWS = 8;
  private static final int THREADS = 32;
  private static final int REQUESTS = 300;

  private final HeapEngine engine =
      new HeapEngine(EngineOptions.defaults(Path.of("target/unused")).withPool(1 << 20));
  private final Model model = engine.load("picker", Path.of("picker"), LoadOptions.defaults());
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger mostRunning = new AtomicInteger();
  private final AtomicInteger answered = new AtomicInteger();

  private final BatchRun.Gate counting =
      new BatchRun.Gate() {
        @Override
        public <R> R onDevice(Supplier<R> work) {
          mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
          Thread.yield();
          try {
            return work.get();
          } finally {
            running.decrementAndGet();
          }
        }
      };

  @AfterEach
  void close() {
    threads.shutdownNow();
    engine.close();
  }

  private ModelQueue<List<Long>> queue(Packing packing, BatchRun.Gate gate, Integer... turns) {
    return new ModelQueue<>(
        new BatchRun<>(model, gate, (_, _, _) -> {}), packing, new Turns(List.of(turns)));
  }

  @ParameterizedTest
  @CsvSource({"0, false, 8, 8, 1", "8, false, 8, 8, 1", "8, false, 2, 8, 2", "8, true, 8, 8, 1"})
  void eachRequestHasItsOwnAnswerOrIsGivenUp(
      int maxRows, boolean bySizes, int small, int large, int most) throws Exception {
    long seed = System.nanoTime();
    Packing packing = new Packing(maxRows, 0, bySizes);
    ModelQueue<List<Long>> queue =
        small == large ? queue(packing, counting, large) : queue(packing, counting, small, large);
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(seed + i);
      clients.add(CompletableFuture.runAsync(() -> ask(queue, random), threads));
    }

    CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new))
        .orTimeout(1, TimeUnit.MINUTES)
        .join();

    assertThat(queue.size()).as("seed %d", seed).isZero();
    assertThat(mostRunning.get()).as("seed %d", seed).isBetween(1, most);
    assertThat(answered.get()).as("seed %d", seed).isGreaterThan(THREADS * REQUESTS / 2);
    assertThat(infer(queue, List.of(7L), Terms.NONE)).as("seed %d", seed).containsExactly(7L);
  }

  private void ask(ModelQueue<List<Long>> queue, Random random) {
    for (int i = 0; i < REQUESTS; i++) {
      List<Long> rows = random.longs(random.nextInt(1, MOST_ROWS + 1), 0, 10).boxed().toList();
      Cancellation cancellation = Cancellation.possible();
      boolean isCancelled = random.nextInt(8) == 0;
      Terms terms =
          Terms.of(cancellation)
              .withPriority(random.nextInt(4))
              .within(random.nextInt(8) == 0 ? random.nextInt(1, 2_000) : 0, Patience.REQUEST);
      if (isCancelled) {
        threads.submit(cancellation::cancel);
      }
      try {
        assertThat(infer(queue, rows, terms)).isEqualTo(rows);
        answered.incrementAndGet();
      } catch (CancelledException e) {
        assertThat(isCancelled).isTrue();
      } catch (AbandonedRequestException e) {
        assertThat(terms.deadlineNanos()).isNotEqualTo(InferenceRequest.NO_DEADLINE);
      }
    }
  }

  private static List<Long> infer(ModelQueue<List<Long>> queue, List<Long> rows, Terms terms) {
    var request =
        new InferenceRequest(
            List.of(new long[] {rows.size()}),
            (_, staging) -> {
              for (int i = 0; i < rows.size(); i++) {
                staging.set(JAVA_LONG_UNALIGNED, 8L * i, rows.get(i));
              }
            },
            terms.deadlineNanos());
    Member<List<Long>> member =
        new Member<>(
            request,
            outputs -> {
              List<Long> answer = new ArrayList<>();
              for (int i = 0; i < rows.size(); i++) {
                answer.add(outputs.getFirst().data().get(JAVA_LONG_UNALIGNED, 8L * i));
              }
              return answer;
            });
    return queue.infer(member, terms, rows.size()).value();
  }

  @Test
  void whatFailsWithinTheGateLeavesItsTurnToOthers() {
    BatchRun.Gate broken =
        new BatchRun.Gate() {
          @Override
          public <R> R onDevice(Supplier<R> work) {
            throw new IllegalStateException("injected");
          }
        };
    ModelQueue<List<Long>> queue = queue(new Packing(MOST_ROWS, 0), broken, MOST_ROWS);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> infer(queue, List.of(1L), Terms.NONE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("injected");
    }
    assertThat(queue.size()).isZero();
  }
}
