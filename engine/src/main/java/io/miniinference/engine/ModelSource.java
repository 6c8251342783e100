package io.miniinference.engine;

import io.miniinference.runtime.LoadOptions;
import java.nio.file.Path;
import java.util.Objects;

/// A model that is to be loaded.
///
/// @param name stands in messages
/// @param file an ONNX model, beside which its external data are looked for; or the folder of a
///   model, of which the highest version is loaded
/// @param options the largest batch, sizes of open dimensions, and the like
public record ModelSource(String name, Path file, LoadOptions options) {
  public ModelSource {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(options, "options");
  }
}
