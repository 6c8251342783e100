package io.miniinference.service.trace;

import org.jspecify.annotations.Nullable;

/// Begins what is recorded of requests.
@FunctionalInterface
interface Spans {

  /// The span of a request that comes in now.
  ///
  /// @param parent the client's place in its trace, if it has one
  /// @return null if this request is not to be recorded
  @Nullable RequestSpan begin(String name, @Nullable TraceContext parent);
}
