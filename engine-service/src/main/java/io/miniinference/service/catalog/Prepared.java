package io.miniinference.service.catalog;

import io.miniinference.runtime.PreparedModel;
import java.util.concurrent.atomic.AtomicLong;

/// A version that is planned and not loaded yet.
///
/// @param nanos that it took so far
record Prepared(Candidate candidate, PreparedModel model, AtomicLong nanos) {
  Prepared(Candidate candidate, PreparedModel model, long nanos) {
    this(candidate, model, new AtomicLong(nanos));
  }

  /// Builds its kernels ahead of its load.
  void build() {
    long start = System.nanoTime();
    model.build();
    nanos.addAndGet(System.nanoTime() - start);
  }
}
