package io.miniinference.service.scheduling;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.ElementType;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.ForwardingModel;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestBatch.Member;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.ResponseReader;
import io.miniinference.runtime.Signature;
import io.miniinference.service.doubles.HeapEngine;
import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Requests of several sizes that wait for a model with open ones.
final class ModelQueueSizesTest {
  private static final int TURNS = 8;
  private static final int MOST_ROWS = 8;

  /// Of the sizes up to which all are planned.
  private static final int PLANNED = 100;

  private final HeapEngine engine =
      new HeapEngine(EngineOptions.defaults(Path.of("target/unused")).withPool(1 << 20));
  private final OfLengths model =
      new OfLengths(engine.load("same-i64", Path.of("same"), LoadOptions.defaults()));
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /// Rows and length of each batch that was let run, in order.
  private final ConcurrentLinkedQueue<String> batches = new ConcurrentLinkedQueue<>();

  private final Semaphore release = new Semaphore(0);

  /* Lets a batch begin when it is released. */
  private final BatchRun.Gate gate =
      new BatchRun.Gate() {
        @Override
        public <R> R onDevice(Supplier<R> work) {
          release.acquireUninterruptibly();
          return work.get();
        }
      };

  private final ModelQueue<Long> queue =
      new ModelQueue<>(
          new BatchRun<>(model, gate, (_, _, _) -> {}),
          new Packing(MOST_ROWS, 0, true),
          new Turns(Collections.nCopies(TURNS, MOST_ROWS)));

  @AfterEach
  void close() {
    release.release(1 << 20);
    threads.close();
    engine.close();
  }

  /// Texts of any length, two of which keep the device busy.
  private final class OfLengths extends ForwardingModel {
    private final Signature signature;

    OfLengths(Model model) {
      super(model);
      List<Dimension> dims = List.of(new Dimension.Batch(1), new Dimension.Open("length"));
      signature =
          new Signature(
              "of-lengths",
              List.of(new TensorSpec("x", ElementType.I64, dims)),
              List.of(new TensorSpec("y", ElementType.I64, dims)),
              MOST_ROWS);
    }

    @Override
    public Signature signature() {
      return signature;
    }

    @Override
    public int rowsTogether(RequestShape shape) {
      return MOST_ROWS;
    }

    @Override
    public int concurrency() {
      return 2;
    }

    @Override
    public boolean isPlanned(List<long[]> shapes) {
      return shapes.getFirst()[1] <= PLANNED;
    }

    @Override
    public <T> T infer(InferenceRequest request, ResponseReader<T> reader) {
      long[] shape = request.shapes().getFirst();
      batches.add(shape[0] + " of " + shape[1]);
      return model.infer(request, reader);
    }
  }

  @Test
  void noMoreSizesRunThanKeepTheDeviceBusyAndTheOthersRunTogether() {
    var all = new ArrayList<>(List.of(send(3), send(4)));
    await(() -> release.getQueueLength() == 2);
    for (int i = 0; i < 6; i++) {
      all.add(send(5 + i % 2));
    }
    await(() -> queue.size() == 6);
    assertThat(release.getQueueLength()).as("batches on the device").isEqualTo(2);

    release.release(4);
    all.forEach(CompletableFuture::join);
    assertThat(batches).containsExactlyInAnyOrder("1 of 3", "1 of 4", "3 of 5", "3 of 6");
  }

  @Test
  void sizesThatAreToBePlannedKeepNoOtherWaiting() {
    List<CompletableFuture<Long>> all = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      all.add(send(PLANNED + i));
    }
    await(() -> release.getQueueLength() == 4);
    all.add(send(3));
    all.add(send(4));
    await(() -> release.getQueueLength() == 6);

    release.release(6);
    all.forEach(CompletableFuture::join);
    assertThat(batches).hasSize(6);
  }

  @Test
  void aRequestBehindOneThatIsToBePlannedStillGetsThePlaceOfTheOneThatIsDone() {
    var all = new ArrayList<>(List.of(send(3), send(4)));
    await(() -> release.getQueueLength() == 2);
    for (int i = 1; i <= TURNS - 2; i++) {
      all.add(send(PLANNED + i));
    }
    await(() -> release.getQueueLength() == TURNS);
    all.add(send(PLANNED + 1)); // its sizes run
    all.add(send(5)); // all turns are taken
    await(() -> queue.size() == 2);

    release.release(TURNS + 2);
    all.forEach(answer -> answer.orTimeout(1, TimeUnit.MINUTES).join());
    assertThat(queue.size()).isZero();
    assertThat(batches).contains("1 of 5");
  }

  @Test
  void manyThreadsAndSizesHaveEachTheirOwnAnswer() {
    release.release(1 << 20);
    Map<Long, CompletableFuture<Long>> all = new ConcurrentHashMap<>();
    for (long i = 0; i < 2_000; i++) {
      long value = i;
      int length = (int) (i % 7 == 0 ? PLANNED + i % 3 : i % 11 + 1);
      all.put(i, CompletableFuture.supplyAsync(() -> ask(length, value), threads));
    }
    all.forEach((value, answer) ->
        assertThat(answer.orTimeout(1, TimeUnit.MINUTES).join()).isEqualTo(value));
    assertThat(queue.size()).isZero();
  }

  private CompletableFuture<Long> send(int length) {
    return CompletableFuture.supplyAsync(() -> ask(length, length), threads);
  }

  private long ask(int length, long value) {
    var request =
        new InferenceRequest(
            List.of(new long[] {1, length}),
            (_, staging) -> staging.set(JAVA_LONG_UNALIGNED, 0, value));
    var member =
        new Member<Long>(request, outputs -> outputs.getFirst().data().get(JAVA_LONG_UNALIGNED, 0));
    return queue.infer(member, Terms.NONE, 1).value();
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("it did not happen in time").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }
}
