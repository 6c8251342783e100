package io.miniinference.runtime.compile;

import io.miniinference.runtime.EngineOptions;
import java.util.concurrent.atomic.AtomicLong;

/// What the models of one engine are compiled with.
///
/// @param options how the engine was opened
/// @param planFallbacks plans that failed their verification
public record EngineContext(EngineOptions options, AtomicLong planFallbacks) {
  public static EngineContext of(EngineOptions options) {
    return new EngineContext(options, new AtomicLong());
  }
}
