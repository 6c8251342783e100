package io.miniinference.service.repository;

import static io.miniinference.service.repository.RepositoryService.ADDITION;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.HeapEngine;
import io.miniinference.service.engine.RunningEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Models change while they are asked.
final class ChangeUnderLoadTest {
  private static final int CLIENTS = 8;
  private static final int CHANGES = 50;

  @Test
  void replacingAModelLosesNoRequest() throws Exception {
    try (var service = RepositoryService.guarded("adder/1");
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      long used = service.pool().statistics().usedBytes();
      var over = new AtomicBoolean();
      var answered = new AtomicInteger();
      var failed = new ConcurrentLinkedQueue<String>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.submit(() -> ask(service.client(), over, answered, failed));
      }

      for (int i = 0; i < CHANGES; i++) {
        service.write("adder/1", "content " + i);
        assertThat(service.change("adder", "load").status()).isEqualTo(200);
        awaitMoreThan(answered.get(), answered);
      }
      over.set(true);
      clients.shutdown();
      assertThat(clients.awaitTermination(1, TimeUnit.MINUTES)).isTrue();

      assertThat(failed).isEmpty();
      assertThat(answered.get()).isGreaterThanOrEqualTo(CHANGES);
      assertThat(service.pool().statistics().usedBytes()).isEqualTo(used);
    }
  }

  private static void awaitMoreThan(int some, AtomicInteger answered) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (answered.get() <= some) {
      assertThat(System.nanoTime()).as("%d answers", answered.get()).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private static void ask(
      Client client,
      AtomicBoolean over,
      AtomicInteger answered,
      ConcurrentLinkedQueue<String> failed) {
    while (!over.get()) {
      Client.Answer answer = client.infer("adder", ADDITION);
      if (answer.status() == 200) {
        answered.incrementAndGet();
      } else {
        failed.add(answer.body());
      }
    }
  }

  @Test
  void anUnloadWaitsForTheRequestsThatRunAndThenReturnsEveryByte() throws Exception {
    try (var service = RepositoryService.guarded("adder/1", "waiting/1");
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      var engine = (HeapEngine) service.bean(RunningEngine.class).engine();
      List<Future<Client.Answer>> running = new ArrayList<>();
      running.add(clients.submit(() -> service.client().infer("waiting", ADDITION)));
      engine.begun.await();

      Future<Client.Answer> unload = clients.submit(() -> service.change("waiting", "unload"));
      while (!(service.catalog().entry("waiting", null) instanceof CatalogEntry.Unloading)) {
        Thread.onSpinWait();
      }
      Client.Answer late = service.client().infer("waiting", ADDITION);
      long usedMeanwhile = service.pool().statistics().usedBytes();
      engine.release.release();

      assertThat(late.status()).isEqualTo(503);
      assertThat(late.error()).contains("is being unloaded");
      assertThat(usedMeanwhile).isEqualTo(2 * 4096);
      assertThat(running.getFirst().get().status()).isEqualTo(200);
      assertThat(unload.get().status()).isEqualTo(200);
      assertThat(service.pool().statistics().usedBytes()).isEqualTo(4096);
    }
  }
}
