package io.miniinference.service.shapes;

import io.miniinference.onnx.Quote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A block `input` or `output` of a model's configuration.
///
/// @param type such as `TYPE_FP32`; empty if it is not said
/// @param dims as clients see them, −1 where that is theirs to choose; null if they are not said
/// @param reshape as the model has them; null if it has them as clients do
public record TensorBlock(
    String name, String type, @Nullable List<Long> dims, @Nullable List<Long> reshape) {
  public TensorBlock {
    dims = dims == null ? null : List.copyOf(dims);
    reshape = reshape == null ? null : List.copyOf(reshape);
    if (!type.matches("[A-Z0-9_]*")) {
      throw new IllegalArgumentException(
          "data_type of %s is %s, which is no type, such as TYPE_FP32"
              .formatted(Quote.of(name), Quote.of(type)));
    }
    require(name, "dims", dims);
    require(name, "reshape", reshape);
    if (reshape != null && dims == null) {
      throw new IllegalArgumentException(Quote.of(name) + " has reshape and no dims");
    }
  }

  private static void require(String name, String field, @Nullable List<Long> sizes) {
    if (sizes != null && sizes.stream().anyMatch(size -> size != -1 && size < 1)) {
      throw new IllegalArgumentException(
          "%s of %s is %s: sizes are 1 or more, or -1 where they are open"
              .formatted(field, Quote.of(name), sizes));
    }
  }

  /// The dimensions as the model has them.
  @Nullable List<Long> own() {
    return reshape == null ? dims : reshape;
  }
}
