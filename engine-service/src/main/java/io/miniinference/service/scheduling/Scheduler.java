package io.miniinference.service.scheduling;

import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestBatch;
import io.miniinference.runtime.RequestBatch.Member;
import io.miniinference.service.admission.Admission;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.config.EngineProperties;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/// The queues of all models, by model: one that replaces another has a queue of its own.
///
/// A result is whatever a request's reader makes of its outputs.
@Component
public final class Scheduler implements AutoCloseable {
  /// How often requests that wait look for their clients.
  private static final Duration LOOK = Duration.ofMillis(100);

  private final Map<Model, ModelQueue<Object>> queues = new ConcurrentHashMap<>();
  private final Admission admission;
  private final EngineProperties.Batching batching;
  private final Executions executions;
  private final Catalog catalog;
  private final Thread looking = Thread.ofVirtual().name("clients").unstarted(this::look);

  Scheduler(
      Admission admission, EngineProperties properties, Executions executions, Catalog catalog) {
    this.catalog = catalog;
    this.admission = admission;
    this.executions = executions;
    this.batching = properties.batching();
    looking.start();
  }

  private void look() {
    try {
      while (true) {
        Thread.sleep(LOOK);
        queues.values().forEach(ModelQueue::look);
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  @Override
  public void close() {
    looking.interrupt();
  }

  /// Runs a request when its turn comes, alone or with others.
  ///
  /// @param rows of the batch that it fills
  /// @throws CancelledException if its client gave it up before it ran
  /// @throws io.miniinference.runtime.AbandonedRequestException if its deadline passed before
  @SuppressWarnings("unchecked") // each gets what its own reader made
  public <T> Scheduled<T> infer(Model model, Member<T> member, Terms terms, int rows) {
    Scheduled<Object> done = queue(model).infer((Member<Object>) member, terms, rows);
    return new Scheduled<>((T) done.value(), done.times());
  }

  /// Runs a request as [#infer] does, and no thread waits for it.
  ///
  /// @param to is called once, with what gives the result or throws the failure
  @SuppressWarnings("unchecked") // each gets what its own reader made
  public <T> void submit(
      Model model, Member<T> member, Terms terms, int rows, Consumer<Supplier<Scheduled<T>>> to) {
    queue(model)
        .submit(
            (Member<Object>) member,
            terms,
            rows,
            (Consumer<Supplier<Scheduled<Object>>>) (Consumer<?>) to);
  }

  /// Whether it takes long to let a request of a model wait: one with open sizes may have to be
  /// compiled for those of the request.
  public boolean isSlowToEnter(Model model) {
    return queue(model).isBySizes();
  }

  /// Requests of a model that wait.
  public int waiting(Model model) {
    return queue(model).size();
  }

  /// Whether requests of a model may run together.
  public boolean packs(Model model) {
    return packing(model).isOn();
  }

  private ModelQueue<Object> queue(Model model) {
    ModelQueue<Object> known = queues.get(model);
    if (known != null) {
      return known;
    }
    queues.keySet().removeIf(Model::isClosed);
    return queues.computeIfAbsent(model, this::open);
  }

  private ModelQueue<Object> open(Model model) {
    return new ModelQueue<>(
        new BatchRun<>(model, new DeviceGate(admission, model.name()), executions),
        packing(model),
        new Turns(model.instanceBatches()));
  }

  private Packing packing(Model model) {
    return batching.enabled() && model.maxBatch() > 1 && hasRowsApart(model)
        ? new Packing(
            model.maxBatch(), maxDelay(model).toNanos(), !model.signature().symbols().isEmpty())
        : Packing.OFF;
  }

  /// How long a request of a model may wait for others.
  public Duration maxDelay(Model model) {
    return Objects.requireNonNullElse(catalog.settingsOf(model).maxDelay(), batching.maxDelay());
  }

  private static boolean hasRowsApart(Model model) {
    try {
      RequestBatch.of(model, List.of());
      return true;
    } catch (InvalidRequestException e) {
      return false;
    }
  }

  private record DeviceGate(Admission admission, String model) implements BatchRun.Gate {
    @Override
    public <R> R onDevice(Supplier<R> work) {
      return admission.onDevice(model, work);
    }
  }
}
