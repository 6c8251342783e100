package io.miniinference.runtime;

import io.miniinference.onnx.OnnxModel;

/// What is loaded, and how.
public record ModelToLoad(OnnxModel model, LoadOptions options) {}
