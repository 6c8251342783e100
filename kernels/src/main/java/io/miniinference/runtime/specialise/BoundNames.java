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
  /// without a word, and so would one of the batch, which has a setting of its own.
  ///
  /// @throws ModelException if the model has no dimension of such a name, or it is the batch
  public static void check(OnnxModel model, LoadOptions options) {
    Map<String, Long> bounds = options.bounds();
    if (bounds.isEmpty()) {
      return;
    }
    DeclaredTypes declared = DeclaredTypes.of(model, Map.of());
    declared
        .batch()
        .filter(bounds::containsKey)
        .ifPresent(batch -> {
          throw refused(
              model,
              "%s is the batch, which max-batch-size bounds: max-batch-size=%d"
                  .formatted(batch, bounds.get(batch)));
        });
    Set<String> unknown = new TreeSet<>(bounds.keySet());
    unknown.removeAll(declared.symbols());
    if (!unknown.isEmpty()) {
      throw refused(
          model,
          "%s is no open dimension of the model, which has %s (a name with brackets stands in brackets: bounds[x[1]]=16)"
              .formatted(String.join(", ", unknown), declared.symbols()));
    }
  }

  private static ModelException refused(OnnxModel model, String why) {
    return new ModelException(
        model.name(),
        Problem.of("engine.models.settings.%s.bounds: %s".formatted(model.name(), why)));
  }
}
