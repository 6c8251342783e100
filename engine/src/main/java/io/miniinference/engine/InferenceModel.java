package io.miniinference.engine;

import io.miniinference.ir.Tensor;
import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.ModelClosedException;
import io.miniinference.runtime.RequestBatch;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.signature.TensorSpec;
import io.miniinference.strings.StringTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A model that is loaded and ready. Safe for many threads, virtual ones too: requests run side by
/// side on its instances, and wait for one where all are busy.
public final class InferenceModel implements AutoCloseable {
  private final Model model;
  private final ExecutorService threads;
  private final BooleanSupplier isEngineClosed;

  InferenceModel(Model model, ExecutorService threads, BooleanSupplier isEngineClosed) {
    this.model = model;
    this.threads = threads;
    this.isEngineClosed = isEngineClosed;
  }

  public String name() {
    return model.name();
  }

  /// Names and types of the inputs in the file's order; `N` in a shape is the batch.
  public List<TensorSpec> inputs() {
    return model.inputs();
  }

  /// Names and types of the outputs in the file's order.
  public List<TensorSpec> outputs() {
    return model.outputs();
  }

  /// Most rows of one request; 1 for a model without a batch.
  public int maxBatch() {
    return model.maxBatch();
  }

  /// Runs one request, of one row or a batch.
  ///
  /// @param inputs all inputs by name; they must not change until this returns
  /// @return all outputs by name, in the model's order, in memory of their own
  /// @throws InvalidRequestException if names, types, shapes or the batch do not fit; nothing ran
  /// @throws RequestFailedException if rows failed, such as by an index outside its axis: it lists
  ///   them. To have the other rows' outputs all the same, take [#runRows]
  /// @throws io.miniinference.device.DeviceException if the device failed
  /// @throws AbandonedRequestException if the thread was interrupted while the request waited for
  ///   an instance; nothing ran, and the thread stays interrupted
  /// @throws IllegalStateException if the model is closed, or was while the request waited for an
  ///   instance; nothing ran
  public Map<String, Tensor> run(Map<String, Tensor> inputs) {
    requireOpen();
    RequestBatch.Member<Map<String, Tensor>> alone = member(inputs);
    return whileOpen(() -> model.infer(alone.request(), alone.reader()));
  }

  /// Runs one request through a model of one input and one output.
  ///
  /// @throws InvalidRequestException also if there are more of them
  /// @see #run(Map)
  public Tensor run(Tensor input) {
    Objects.requireNonNull(input, "input");
    String name = NamedTensors.only(model, "input", inputs());
    NamedTensors.only(model, "output", outputs());
    return run(Map.of(name, input)).values().iterator().next();
  }

  /// Runs one request whose rows may fail each for itself.
  ///
  /// @return the outputs, and which of their rows failed
  /// @throws RequestFailedException if the request failed before any row ran
  /// @see #run(Map)
  public RowAnswers runRows(Map<String, Tensor> inputs) {
    requireOpen();
    StringTable strings = model.signature().strings();
    OutputReader reader = new OutputReader(model, strings);
    InferenceRequest request = NamedTensors.request(model, inputs, strings);
    int rows = Math.toIntExact(model.signature().check(request.shapes()).batch());
    try {
      return new RowAnswers(whileOpen(() -> model.infer(request, reader)), List.of(), rows);
    } catch (RequestFailedException e) {
      return new RowAnswers(reader.ofFailed(e), e.failures(), rows);
    }
  }

  /// Runs requests of several callers as one batch, in which no failing row spoils another request.
  ///
  /// @param requests together no more rows than [#maxBatch]
  /// @return what became of each, in their order
  /// @throws InvalidRequestException if one of them does not fit, which is named by its place from
  ///   0 on (`request 3: …`), all together have too many rows, or rows of this model may depend on
  ///   each other; nothing ran, of the others neither
  /// @see #run(Map)
  public List<RequestBatch.Outcome<Map<String, Tensor>>> runTogether(
      List<Map<String, Tensor>> requests) {
    Objects.requireNonNull(requests, "requests");
    requireOpen();
    List<RequestBatch.Member<Map<String, Tensor>>> members =
        IntStream.range(0, requests.size()).mapToObj(i -> member(i, requests.get(i))).toList();
    return whileOpen(RequestBatch.of(model, members)::infer);
  }

  /* One of several, as the model runs it. */
  private RequestBatch.Member<Map<String, Tensor>> member(int place, Map<String, Tensor> inputs) {
    Objects.requireNonNull(inputs, () -> "request " + place);
    try {
      RequestBatch.Member<Map<String, Tensor>> own = member(inputs);
      model.signature().check(own.request().shapes());
      return model.asRun(own);
    } catch (InvalidRequestException e) {
      throw new InvalidRequestException("request " + place + ": " + e.getMessage(), e);
    }
  }

  private RequestBatch.Member<Map<String, Tensor>> member(Map<String, Tensor> inputs) {
    StringTable strings = model.signature().strings();
    return new RequestBatch.Member<>(
        NamedTensors.request(model, inputs, strings), new OutputReader(model, strings));
  }

  /// Runs one request in a thread of its own. Who cancels the future, or has it time out
  /// ([CompletableFuture#orTimeout]), takes the request back where it has no instance yet; one that
  /// has runs to its end, and nobody hears of it.
  ///
  /// @param inputs as for [#run(Map)]; their content must not change until the future is done
  /// @return done with the outputs, or exceptionally with what [#run(Map)] throws: a request that
  ///   has no instance yet when its model or engine is closed fails with an [IllegalStateException]
  ///   that says so, as does one of a model that was closed before, and one that has an instance is
  ///   answered
  public CompletableFuture<Map<String, Tensor>> runAsync(Map<String, Tensor> inputs) {
    Map<String, Tensor> kept = new HashMap<>(Objects.requireNonNull(inputs, "inputs"));
    CompletableFuture<Map<String, Tensor>> answer = new CompletableFuture<>();
    try {
      return answer.completeAsync(
          () -> run(kept), work -> endTogether(answer, threads.submit(work)));
    } catch (RejectedExecutionException e) { // the engine is closed, and starts no threads
      return CompletableFuture.failedFuture(closed(e));
    }
  }

  /* Without that, requests that nobody waits for any more would delay those of others. */
  private static void endTogether(CompletableFuture<?> answer, Future<?> work) {
    answer.whenComplete((_, e) -> {
      if (e instanceof CancellationException || e instanceof TimeoutException) {
        work.cancel(true);
      }
    });
  }

  /// The model below, whose requests write into staging memory and read from it without copies.
  /// Their readers and writers must neither close nor ask it
  /// ([io.miniinference.runtime.ResponseReader]).
  public Model runtime() {
    return model;
  }

  private void requireOpen() {
    if (model.isClosed()) {
      throw closed(null);
    }
  }

  /* Requests that wait for an instance are told by the runtime that the model closes. */
  private <T> T whileOpen(Supplier<T> requests) {
    try {
      return requests.get();
    } catch (ModelClosedException e) {
      throw closed(e);
    }
  }

  private IllegalStateException closed(@Nullable RuntimeException cause) {
    String remedy =
        isEngineClosed.getAsBoolean()
            ? "' is closed, since its engine was closed: open another one and load it there"
            : "' is closed: load it again";
    return new IllegalStateException("model '" + name() + remedy, cause);
  }

  /// The name with the inputs and outputs, as logs and debuggers show it.
  @Override
  public String toString() {
    return "model '%s' from %s to %s"
        .formatted(name(), NamedTensors.text(inputs()), NamedTensors.text(outputs()));
  }

  /// Whether the model was closed, by itself or with its engine.
  public boolean isClosed() {
    return model.isClosed();
  }

  /// Gives the model's memory back to the pool after the requests in flight. Idempotent.
  ///
  /// @throws IllegalStateException if a request's own reader or writer closes it, for which it
  ///   would wait for ever; the model stays open
  @Override
  public void close() {
    model.close();
  }
}
