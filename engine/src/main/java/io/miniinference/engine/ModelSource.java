package io.miniinference.engine;

import io.miniinference.runtime.LoadOptions;
import java.nio.file.Path;

/// A model that is to be loaded.
///
/// @param name stands in messages
/// @param file an ONNX model; external data are looked for beside it
/// @param options the largest batch, sizes of open dimensions, and the like
public record ModelSource(String name, Path file, LoadOptions options) {}
