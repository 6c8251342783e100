package io.miniinference.service.cli;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.ops.DeclaredTypes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The batch as `--batch` gives it, and as `--dim` may, by its name.
final class BatchChoice {
  private BatchChoice() {}

  /// @param batch null if it is not given
  /// @throws IllegalArgumentException if both give it, and not the same
  static void requireOne(OnnxModel model, Map<String, Long> dimensions, @Nullable Integer batch) {
    if (batch == null || dimensions.isEmpty()) {
      return;
    }
    String symbol = DeclaredTypes.of(model, Map.of()).batch().orElse("");
    Long named = dimensions.get(symbol);
    if (named != null && named != batch.longValue()) {
      throw new IllegalArgumentException(
          "--batch %d and --dim %s=%d are two sizes of the batch: leave one of them out"
              .formatted(batch, symbol, named));
    }
  }
}
