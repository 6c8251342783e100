package io.miniinference.service.serving;

import io.miniinference.runtime.Model;
import io.miniinference.runtime.ResponseReader.Output;
import io.miniinference.signature.TensorSpec;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// The outputs that a request wants, out of those in staging.
final class Outputs {
  private Outputs() {}

  /// Staging serves the next request after this one: what is kept is a copy.
  static List<OutputTensor> taken(Model model, List<WantedOutput> wanted, List<Output> all) {
    List<OutputTensor> taken = new ArrayList<>(wanted.size());
    for (WantedOutput w : wanted) {
      taken.add(taken(model.outputs().get(w.position()), w, all.get(w.position())));
    }
    return taken;
  }

  private static OutputTensor taken(TensorSpec spec, WantedOutput wanted, Output output) {
    byte[] bytes = output.data().toArray(ValueLayout.JAVA_BYTE);
    var elements =
        new OutputTensor.Elements(spec.name(), spec.element(), output.shape().clone(), bytes);
    return wanted.isClassified() ? Classification.of(elements, wanted.classes()) : elements;
  }
}
