package io.miniinference.service.engine;

import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.open.Engines;
import io.miniinference.service.config.EngineProperties;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

/// An engine that opens while the service's beans are made, and is given to the one that asks for
/// an engine first. Where it cannot be opened, that one tries again, and tells why.
public final class EarlyEngine implements AutoCloseable {
  private final EngineOptions options;
  private final FutureTask<Engine> opening;
  private final AtomicBoolean isGone = new AtomicBoolean();

  public EarlyEngine(EngineProperties properties) {
    options = RunningEngine.options(properties);
    opening = new FutureTask<>(() -> Engines.open(options));
  }

  /// The engine, which the first to ask opens; empty if it cannot be opened.
  public Optional<Engine> open() {
    opening.run();
    try {
      return Optional.of(opening.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (ExecutionException e) {
      return Optional.empty();
    }
  }

  /// The engine, once, if it is opened as is wanted.
  Optional<Engine> take(EngineOptions wanted) {
    if (!wanted.equals(options)) {
      close();
    }
    return isGone.compareAndSet(false, true) ? open() : Optional.empty();
  }

  /// Closes the engine if it was not taken.
  @Override
  public void close() {
    if (isGone.compareAndSet(false, true)) {
      open().ifPresent(Engine::close);
    }
  }
}
