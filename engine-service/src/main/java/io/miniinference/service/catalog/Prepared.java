package io.miniinference.service.catalog;

import io.miniinference.runtime.Model;
import io.miniinference.runtime.PreparedModel;
import io.miniinference.service.settings.Labels;
import io.miniinference.service.shapes.ConfiguredShapes;
import io.miniinference.signature.TensorSpec;
import java.util.concurrent.atomic.AtomicLong;

/// A version that is planned and not loaded yet.
///
/// @param shapes as clients see them
/// @param nanos that it took so far
record Prepared(
    Candidate candidate, PreparedModel model, ConfiguredShapes shapes, AtomicLong nanos) {
  Prepared(Candidate candidate, PreparedModel model, ConfiguredShapes shapes, long nanos) {
    this(candidate, model, shapes, new AtomicLong(nanos));
  }

  /// Loads it for batches up to that size, as clients see it.
  ///
  /// @throws io.miniinference.onnx.ModelException if they have no names for its types
  /// @throws io.miniinference.service.config.SettingsException if what is set is for outputs that
  ///   it does not have
  Model load(int maxBatch) {
    Model loaded = model.load(maxBatch);
    try {
      Datatypes.check(loaded.signature());
      Labels.check(
          candidate.labels().keySet(), loaded.outputs().stream().map(TensorSpec::name).toList());
      return shapes.asClientsSee(loaded);
    } catch (Throwable e) {
      loaded.close();
      throw e;
    }
  }

  /// Builds its kernels ahead of its load.
  void build() {
    long start = System.nanoTime();
    model.build();
    nanos.addAndGet(System.nanoTime() - start);
  }
}
