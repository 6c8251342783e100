package io.miniinference.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.Binding;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.LaunchSequence;
import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.ModelClosedException;
import io.miniinference.runtime.OwnRequestException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Who has an instance when there are more callers than instances.
@Timeout(60)
final class InstancesTest {
  private static final long EVER = Long.MAX_VALUE;

  /// One each: the common pool may have a single one.
  private static final Executor THREADS = work -> Thread.ofPlatform().daemon().start(work);

  private final Instance small = instance(8);
  private final Instance large = instance(256);
  private final Instances one = new Instances("one", List.of(large));
  private final Instances two = new Instances("two", List.of(small, large));

  private static Instance instance(long maxBatch) {
    return new Instance(maxBatch, false, new NoDevice(), List.of(), maxBatch);
  }

  /* Nothing runs here. */
  private static final class NoDevice implements ExecutionContext {
    @Override
    public void bind(Binding binding, int n) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MemorySegment input(int index) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MemorySegment output(int index) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void zero(long poolOffsetBytes, long sizeBytes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void run(boolean parallel, LaunchSequence script) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      /* holds nothing */
    }
  }

  /* A thread that is in the queue, behind those before it. */
  private record Queued<T>(Thread thread, Future<T> result) {
    T get() throws ExecutionException, InterruptedException {
      return result.get();
    }
  }

  private static <T> Queued<T> queued(Instances instances, Callable<T> work)
      throws InterruptedException {
    int before = instances.waiting();
    var task = new FutureTask<>(work);
    Thread thread = Thread.ofPlatform().daemon().start(task);
    while (instances.waiting() == before) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    return new Queued<>(thread, task);
  }

  private static Queued<Instance> taking(Instances instances, long n) throws InterruptedException {
    return queued(instances, () -> instances.take(n, EVER));
  }

  @Test
  void thoseWhoWaitAreServedInTheOrderInWhichTheyCame() throws Exception {
    Instance held = one.take(1, EVER);
    List<Integer> served = Collections.synchronizedList(new ArrayList<>());
    List<Queued<Boolean>> callers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      int caller = i;
      callers.add(
          queued(
              one,
              () -> {
                Instance instance = one.take(1, EVER);
                served.add(caller);
                one.giveBack(instance);
                return true;
              }));
    }

    one.giveBack(held);

    for (Queued<Boolean> caller : callers) {
      caller.get();
    }
    assertThat(served).containsExactlyElementsOf(IntStream.range(0, 50).boxed().toList());
  }

  @Test
  void whoComesLaterDoesNotOvertakeOneThatWaits() throws Exception {
    one.take(1, EVER);
    Queued<Instance> first = taking(one, 1);

    one.giveBack(large);

    assertThatThrownBy(() -> one.take(1, 0)).isInstanceOf(AbandonedRequestException.class);
    assertThat(first.get()).isSameAs(large);
  }

  /* A thread that wakes for each instance that is given back waits anew each time. */
  @Test
  void oneThreadWakesForEachInstanceThatIsGivenBack() throws Exception {
    one.take(1, EVER);
    AtomicInteger waits = new AtomicInteger();
    List<Queued<Instance>> callers = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      callers.add(
          queued(
              one,
              () -> {
                Instance instance = one.take(1, EVER);
                waits.addAndGet(waits());
                return instance;
              }));
    }

    for (Queued<Instance> caller : callers) {
      one.giveBack(large);
      caller.get();
    }

    assertThat(waits.get()).as("waits of 40 threads").isLessThan(3 * 40);
  }

  private static int waits() {
    long id = Thread.currentThread().threadId();
    return (int) ManagementFactory.getThreadMXBean().getThreadInfo(id).getWaitedCount();
  }

  @Test
  void anInstanceGoesToTheFirstWhoseBatchItHolds() throws Exception {
    two.take(1, EVER);
    two.take(256, EVER);
    Queued<Instance> wide = taking(two, 9);
    Queued<Instance> narrow = taking(two, 8);
    Queued<Instance> later = taking(two, 1);

    two.giveBack(small);
    assertThat(narrow.get()).isSameAs(small);
    two.giveBack(large);
    assertThat(wide.get()).isSameAs(large);
    two.giveBack(large);
    assertThat(later.get()).isSameAs(large);
  }

  @Test
  void aFreeInstanceIsTakenPastThoseWhoseBatchItDoesNotHold() throws Exception {
    two.take(256, EVER);
    Queued<Instance> wide = taking(two, 256);

    assertThat(two.take(1, 0)).isSameAs(small);

    two.giveBack(large);
    assertThat(wide.get()).isSameAs(large);
  }

  @Test
  void whoLosesPatienceOrIsCancelledLeavesItsPlaceToTheNext() throws Exception {
    CompletableFuture.supplyAsync(() -> one.take(1, EVER), THREADS).get();
    Queued<Instance> cancelled = taking(one, 1);
    Queued<Instance> next = taking(one, 1);

    cancelled.thread().interrupt();

    assertThatThrownBy(cancelled::get)
        .hasRootCauseInstanceOf(AbandonedRequestException.class)
        .hasRootCauseMessage("the request was cancelled before it ran");
    assertThatThrownBy(() -> one.take(1, TimeUnit.MILLISECONDS.toNanos(20)))
        .isInstanceOf(AbandonedRequestException.class)
        .hasMessage("the request's deadline passed before it ran");
    assertThat(one.waiting()).isEqualTo(1);
    one.giveBack(large);
    assertThat(next.get()).isSameAs(large);
  }

  @Test
  void whoIsCancelledTakesNoneEvenWhereOneIsFree() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> one.take(1, EVER)).isInstanceOf(AbandonedRequestException.class);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(one.take(1, 0)).isSameAs(large);
  }

  @Test
  void whoHasAnInstanceDoesNotWaitForAnother() throws Exception {
    two.take(1, EVER);
    two.take(1, EVER);
    assertThatThrownBy(() -> two.take(1, EVER)).isInstanceOf(OwnRequestException.class);
    Queued<Instance> other = taking(two, 1);
    assertThat(two.isHeldHere()).isTrue();

    two.giveBack(small);
    assertThat(other.get()).isSameAs(small);
    two.giveBack(large);

    assertThat(two.isHeldHere()).as("the other one has it").isFalse();
    assertThat(two.take(1, EVER)).isSameAs(large);
  }

  /* Patience that ends just when an instance is given back must not lose it. */
  @Test
  void noInstanceIsLostToThoseWhoLeave() throws Exception {
    AtomicInteger served = new AtomicInteger();
    List<CompletableFuture<Void>> callers =
        IntStream.range(0, 8)
            .mapToObj(caller -> CompletableFuture.runAsync(() -> call(caller, served), THREADS))
            .toList();

    for (CompletableFuture<Void> caller : callers) {
      caller.get();
    }

    assertThat(served).hasPositiveValue();
    assertThat(one.waiting()).isZero();
    assertThat(one.take(1, 0)).isSameAs(large);
  }

  private void call(int caller, AtomicInteger served) {
    for (int i = 0; i < 2_000; i++) {
      try {
        Instance instance = one.take(1, 1_000L * (1 + (caller + i) % 50));
        served.incrementAndGet();
        one.giveBack(instance);
      } catch (AbandonedRequestException e) {
        /* the next one */
      }
    }
  }

  @Test
  void closingRefusesThoseWhoWaitAndWaitsForThoseWhoWork() throws Exception {
    one.take(1, EVER);
    Queued<Instance> waiting = taking(one, 1);

    CompletableFuture<Void> closing = CompletableFuture.runAsync(one::close, THREADS);

    assertThatThrownBy(waiting::get).hasRootCauseInstanceOf(ModelClosedException.class);
    assertThatThrownBy(() -> one.take(1, EVER)).isInstanceOf(ModelClosedException.class);
    assertThat(closing).isNotDone();
    one.giveBack(large);
    closing.get();
  }
}
