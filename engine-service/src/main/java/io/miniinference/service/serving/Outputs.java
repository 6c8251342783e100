package io.miniinference.service.serving;

import io.miniinference.runtime.ResponseReader.Output;
import io.miniinference.service.catalog.ServedModel;
import io.miniinference.service.elements.StringElements;
import io.miniinference.signature.TensorSpec;
import io.miniinference.strings.StringTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// The outputs that a request wants, out of those in staging.
final class Outputs {
  private Outputs() {}

  /// Staging serves the next request after this one: what is kept is a copy.
  ///
  /// @param strings those of the request
  static List<OutputTensor> taken(
      ServedModel served,
      List<WantedOutput> wanted,
      List<Output> all,
      Supplier<StringTable> strings) {
    List<OutputTensor> taken = new ArrayList<>(wanted.size());
    for (WantedOutput w : wanted) {
      TensorSpec spec = served.model().outputs().get(w.position());
      Output output = all.get(w.position());
      if (spec.isOfStrings()) {
        taken.add(strings(spec, output, strings.get()));
      } else if (w.isClassified()) {
        List<String> labels = served.labelsOf(spec.name());
        taken.add(Classification.of(elements(spec, output), w.classes(), labels));
      } else {
        taken.add(elements(spec, output));
      }
    }
    return taken;
  }

  /* Codes alone: what they stand for is told when the request has the thread to itself. */
  private static OutputTensor.Strings strings(TensorSpec spec, Output output, StringTable table) {
    MemorySegment codes = MemorySegment.ofArray(output.data().toArray(ValueLayout.JAVA_BYTE));
    return new OutputTensor.Strings(
        spec.name(), output.shape().clone(), new StringElements(codes, table));
  }

  private static OutputTensor.Elements elements(TensorSpec spec, Output output) {
    byte[] bytes = output.data().toArray(ValueLayout.JAVA_BYTE);
    return new OutputTensor.Elements(spec.name(), spec.element(), output.shape().clone(), bytes);
  }
}
