package io.miniinference.runtime;

import java.util.concurrent.atomic.AtomicLong;

/// What the models of one engine have in common beside device and pool.
///
/// @param options how the engine was opened
/// @param activity its requests on the device
/// @param planFallbacks plans that failed their verification
record EngineContext(EngineOptions options, Activity activity, AtomicLong planFallbacks) {
  static EngineContext of(EngineOptions options) {
    return new EngineContext(options, new Activity(), new AtomicLong());
  }
}
