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
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.service.doubles.HeapEngine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Requests that wait for a model that works on others.
final class ModelQueueTest {
  private static final long MINUTE_NANOS = 60_000_000_000L;

  private final HeapEngine engine =
      new HeapEngine(EngineOptions.defaults(Path.of("target/unused")).withPool(1 << 20));
  private final Model model = engine.load("picker", Path.of("picker"), LoadOptions.defaults());
  private final List<Integer> batches = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch begun = new CountDownLatch(1);
  private final Semaphore release = new Semaphore(0);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void close() {
    release.release(1 << 20); // whatever a test that failed left waiting
    threads.close();
    engine.close();
  }

  /// Lets a batch begin when it is released.
  private final BatchRun.Gate gate =
      new BatchRun.Gate() {
        @Override
        public <R> R onDevice(Supplier<R> work) {
          begun.countDown();
          release.acquireUninterruptibly();
          return work.get();
        }
      };

  private ModelQueue<Long> queue(Packing packing) {
    return queue(packing, packing.isOn() ? packing.maxRows() : 8);
  }

  private ModelQueue<Long> queue(Packing packing, Integer... turns) {
    return new ModelQueue<>(
        new BatchRun<>(model, gate, (_, rows, _) -> batches.add(rows)),
        packing,
        new Turns(List.of(turns)));
  }

  @Test
  void requestsThatWaitRunTogetherAndEachGetsItsOwnRows() throws Exception {
    ModelQueue<Long> queue = queue(new Packing(8, 0));
    var first = send(queue, 1, Terms.NONE);
    begun.await();
    List<CompletableFuture<Long>> others = new ArrayList<>();
    for (int i = 2; i < 7; i++) {
      others.add(send(queue, i, Terms.NONE));
      awaitSize(queue, i - 1);
    }
    release.release(2);

    assertThat(first.get()).isEqualTo(1);
    for (int i = 2; i < 7; i++) {
      assertThat(others.get(i - 2).get()).isEqualTo(i);
    }
    assertThat(batches).containsExactly(1, 5);
  }

  @Test
  void aBatchHasNoMoreRowsThanTheModelTakes() throws Exception {
    ModelQueue<Long> queue = queue(new Packing(3, 0));
    var all = new ArrayList<>(List.of(send(queue, 0, Terms.NONE)));
    begun.await();
    for (int i = 1; i < 8; i++) {
      all.add(send(queue, i, Terms.NONE));
      awaitSize(queue, i);
    }
    release.release(8);

    for (int i = 0; i < 8; i++) {
      assertThat(all.get(i).get()).isEqualTo(i);
    }
    assertThat(batches).containsExactly(1, 3, 3, 1);
  }

  @Test
  void oneBadRequestFailsAloneAndIsToldItsOwnRow() throws Exception {
    ModelQueue<Long> queue = queue(new Packing(8, 0));
    var first = send(queue, 1, Terms.NONE);
    begun.await();
    var good = send(queue, 2, Terms.NONE);
    awaitSize(queue, 1);
    var bad = send(queue, 77, Terms.NONE);
    awaitSize(queue, 2);
    release.release(2);

    assertThat(first.get()).isEqualTo(1);
    assertThat(good.get()).isEqualTo(2);
    assertThatThrownBy(bad::get)
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseInstanceOf(RequestFailedException.class)
        .rootCause()
        .hasMessageContaining("index 77 is outside")
        .hasMessageContaining("at row 0");
  }

  @Test
  void withoutPackingRequestsRunOneByOneInTheOrderOfTheirPriority() throws Exception {
    ModelQueue<Long> queue = queue(Packing.OFF);
    List<Long> answered = Collections.synchronizedList(new ArrayList<>());
    var first = send(queue, 0, Terms.NONE);
    begun.await();
    List<CompletableFuture<Void>> others = new ArrayList<>();
    int[] priorities = {3, 0, 1, 0};
    for (int i = 0; i < priorities.length; i++) {
      others.add(
          send(queue, i + 1, Terms.NONE.withPriority(priorities[i])).thenAccept(answered::add));
      awaitSize(queue, i + 1);
    }
    for (int i = 0; i <= priorities.length; i++) {
      release.release();
      int done = i;
      await(() -> answered.size() >= done && batches.size() > done);
    }

    assertThat(first.get()).isZero();
    for (var other : others) {
      other.get();
    }
    assertThat(answered).containsExactly(3L, 2L, 4L, 1L);
    assertThat(batches).containsExactly(1, 1, 1, 1, 1);
  }

  @Test
  void aRequestWhoseTimeRunsOutIsGivenUpWhileOthersRun() throws Exception {
    ModelQueue<Long> queue = queue(new Packing(8, 0));
    var first = send(queue, 1, Terms.NONE);
    begun.await();

    var late = send(queue, 2, Terms.NONE.within(1000, Patience.REQUEST));

    assertThatThrownBy(late::get).hasRootCauseInstanceOf(AbandonedRequestException.class);
    assertThat(queue.size()).isZero();
    release.release(1);
    assertThat(first.get()).isEqualTo(1);
    assertThat(batches).containsExactly(1);
  }

  @Test
  void aRequestThatIsCancelledNeverRuns() throws Exception {
    ModelQueue<Long> queue = queue(new Packing(8, 0));
    Cancellation cancellation = Cancellation.possible();
    var first = send(queue, 1, Terms.NONE);
    begun.await();
    var cancelled = send(queue, 2, Terms.of(cancellation).withPriority(Terms.DEFAULT_PRIORITY));
    awaitSize(queue, 1);

    cancellation.cancel();

    assertThatThrownBy(cancelled::get).hasRootCauseInstanceOf(CancelledException.class);
    release.release(1);
    assertThat(first.get()).isEqualTo(1);
    assertThat(batches).containsExactly(1);
  }

  @Test
  void aRequestThatFindsTheModelIdleDoesNotWaitForOthers() throws Exception {
    ModelQueue<Long> queue = queue(new Packing(8, MINUTE_NANOS));
    release.release(1);

    assertThat(send(queue, 5, Terms.NONE).get()).isEqualTo(5);
  }

  @Test
  void aBatchTakesWhatItsOwnInstanceHoldsAndTheRestGoesToTheNextThatIsFree() throws Exception {
    ModelQueue<Long> queue = queue(new Packing(8, 0), 2, 2);
    List<CompletableFuture<Long>> all = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      all.add(send(queue, i, Terms.NONE));
      int begun = Math.min(2, i + 1);
      await(() -> release.getQueueLength() == begun);
      awaitSize(queue, Math.max(0, i - 1));
    }
    release.release(7);

    for (int i = 0; i < 7; i++) {
      assertThat(all.get(i).get()).isEqualTo(i);
    }
    assertThat(batches).containsExactlyInAnyOrder(1, 1, 2, 2, 1);
  }

  @Test
  void aRequestThatWaitsForCompanyGoesWhenTheOthersAreDone() throws Exception {
    ModelQueue<Long> queue = queue(new Packing(8, MINUTE_NANOS), 8, 8);
    var first = send(queue, 1, Terms.NONE);
    begun.await();
    var second = send(queue, 2, Terms.NONE);
    release.release(2);

    assertThat(first.get()).isEqualTo(1);
    assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo(2);
  }

  @Test
  void aRequestTakesTheSmallestInstanceThatIsFreeAndHoldsIt() {
    var turns = new Turns(List.of(2, 2, 8));

    assertThat(turns.take(1)).isZero();
    assertThat(turns.take(3)).isEqualTo(2);
    assertThat(turns.take(3)).isEqualTo(Turns.NONE);
    assertThat(turns.take(2)).isEqualTo(1);
    assertThat(turns.take(1)).isEqualTo(Turns.NONE);
    turns.free(2);
    assertThat(turns.take(9)).as("too large for all: the last one refuses it").isEqualTo(2);
  }

  @Test
  void requestsThatNoThreadWaitsForRunWithThoseThatThreadsWaitFor() throws Exception {
    ModelQueue<Long> queue = queue(new Packing(8, 0));
    var first = submit(queue, 1, Terms.NONE);
    begun.await();
    List<CompletableFuture<Long>> others = new ArrayList<>();
    for (int i = 2; i < 8; i++) {
      others.add(i % 2 == 0 ? submit(queue, i, Terms.NONE) : send(queue, i, Terms.NONE));
      awaitSize(queue, i - 1);
    }
    release.release(2);

    assertThat(first.get()).isEqualTo(1);
    for (int i = 2; i < 8; i++) {
      assertThat(others.get(i - 2).get()).isEqualTo(i);
    }
    assertThat(batches).containsExactly(1, 6);
  }

  @Test
  void aThreadThatSubmitsARequestDoesNotWaitForIt() throws Exception {
    ModelQueue<Long> queue = queue(Packing.OFF);

    var first = submit(queue, 1, Terms.NONE);
    var second = submit(queue, 2, Terms.NONE);

    assertThat(first).isNotDone();
    assertThat(second).isNotDone();
    release.release(2);
    assertThat(first.get()).isEqualTo(1);
    assertThat(second.get()).isEqualTo(2);
  }

  @Test
  void aRequestThatNoThreadWaitsForIsGivenUpAtItsDeadlineOrWhenItIsCancelled() throws Exception {
    ModelQueue<Long> queue = queue(new Packing(8, 0));
    Cancellation cancellation = Cancellation.possible();
    var first = send(queue, 1, Terms.NONE);
    begun.await();

    var late = submit(queue, 2, Terms.NONE.within(1000, Patience.REQUEST));
    assertThatThrownBy(late::get).hasRootCauseInstanceOf(AbandonedRequestException.class);
    var cancelled = submit(queue, 3, Terms.of(cancellation));
    awaitSize(queue, 1);
    cancellation.cancel();
    assertThatThrownBy(cancelled::get).hasRootCauseInstanceOf(CancelledException.class);

    assertThat(queue.size()).isZero();
    release.release(1);
    assertThat(first.get()).isEqualTo(1);
    assertThat(batches).containsExactly(1);
  }

  @Test
  void whoeverFailsOverItsResultKeepsNobodyElseFromTheirs() throws Exception {
    ModelQueue<Long> queue = queue(new Packing(8, 0));
    var first = send(queue, 1, Terms.NONE);
    begun.await();
    queue.submit(
        member(2, Terms.NONE),
        Terms.NONE,
        1,
        _ -> {
          throw new IllegalStateException("on purpose: a result that cannot be sent");
        });
    var next = submit(queue, 3, Terms.NONE);
    release.release(2);

    assertThat(first.get()).isEqualTo(1);
    assertThat(next.get()).isEqualTo(3);
  }

  /* Sends a request of one row for which no thread waits. */
  private static CompletableFuture<Long> submit(ModelQueue<Long> queue, long index, Terms terms) {
    var answer = new CompletableFuture<Long>();
    queue.submit(
        member(index, terms),
        terms,
        1,
        done -> {
          try {
            answer.complete(done.get().value());
          } catch (RuntimeException e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  /* Sends a request of one row from a thread of its own. */
  private CompletableFuture<Long> send(ModelQueue<Long> queue, long index, Terms terms) {
    Member<Long> member = member(index, terms);
    return CompletableFuture.supplyAsync(() -> queue.infer(member, terms, 1).value(), threads);
  }

  private static Member<Long> member(long index, Terms terms) {
    var request =
        new InferenceRequest(
            List.of(new long[] {1}),
            (_, staging) -> staging.set(JAVA_LONG_UNALIGNED, 0, index),
            terms.deadlineNanos());
    return new Member<>(request, outputs -> outputs.getFirst().data().get(JAVA_LONG_UNALIGNED, 0));
  }

  private static void awaitSize(ModelQueue<?> queue, int size) {
    await(() -> queue.size() == size);
  }

  private static void await(Supplier<Boolean> condition) {
    long deadline = System.nanoTime() + MINUTE_NANOS;
    while (!condition.get()) {
      assertThat(System.nanoTime()).as("it did not happen in time").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }
}
