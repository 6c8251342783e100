package io.miniinference.runtime.specialise;

import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.Problem;
import io.miniinference.ops.DeclaredTypes;
import io.miniinference.runtime.LoadOptions;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The symbols to which [LoadOptions#bounds] give largest sizes.
public final class BoundNames {
  private BoundNames() {}

  /// A bound of a name that a model does not have, mostly a misspelt one, would bound nothing
  /// without a word. The batch has one, too.
  ///
  /// @throws ModelException if the model has no dimension of such a name
  public static void check(OnnxModel model, LoadOptions options) {
    Set<String> unknown = new TreeSet<>(options.bounds().keySet());
    if (!unknown.isEmpty()) {
      Set<String> known = DeclaredTypes.of(model, Map.of()).symbols();
      unknown.removeAll(known);
      if (!unknown.isEmpty()) {
        throw refused(model.name(), unknown, known);
      }
    }
  }

  private static ModelException refused(String model, Set<String> unknown, Set<String> known) {
    return new ModelException(
        model,
        Problem.of(
            "engine.models.settings.%s.bounds: %s is no open dimension of the model, which has %s (a name with brackets stands in brackets: bounds[x[1]]=16)"
                .formatted(model, String.join(", ", unknown), known)));
  }
}
