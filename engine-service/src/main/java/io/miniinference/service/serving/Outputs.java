package io.miniinference.service.serving;

import io.miniinference.runtime.ResponseReader.Output;
import io.miniinference.service.catalog.ServedModel;
import io.miniinference.signature.TensorSpec;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// The outputs that a request wants, out of those in staging.
final class Outputs {
  private Outputs() {}

  /// Staging serves the next request after this one: what is kept is a copy.
  static List<OutputTensor> taken(ServedModel served, List<WantedOutput> wanted, List<Output> all) {
    List<OutputTensor> taken = new ArrayList<>(wanted.size());
    for (WantedOutput w : wanted) {
      TensorSpec spec = served.model().outputs().get(w.position());
      OutputTensor.Elements elements = elements(spec, all.get(w.position()));
      taken.add(
          w.isClassified()
              ? Classification.of(elements, w.classes(), served.labelsOf(spec.name()))
              : elements);
    }
    return taken;
  }

  private static OutputTensor.Elements elements(TensorSpec spec, Output output) {
    byte[] bytes = output.data().toArray(ValueLayout.JAVA_BYTE);
    return new OutputTensor.Elements(spec.name(), spec.element(), output.shape().clone(), bytes);
  }
}
