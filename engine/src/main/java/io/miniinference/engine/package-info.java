/// The engine as a library: open it, load models, give tensors by name and get tensors by name.
///
/// ```java
/// try (InferenceEngine engine = InferenceEngine.open()) {
///   InferenceModel model = engine.load(Path.of("digits.onnx"));
///   Map<String, Tensor> answer = model.run(Map.of("image", Tensor.of(pixels, 1, 1, 28, 28)));
///   float[] scores = answer.get("scores").floats();
/// }
/// ```
///
/// Arrays are copied once on their way to the device and once back. The form without copies, in
/// which a caller writes into staging memory and reads from it, is [InferenceModel#runtime()] with
/// [io.miniinference.runtime.InferenceRequest] and [io.miniinference.runtime.ResponseReader].
@NullMarked
package io.miniinference.engine;

import org.jspecify.annotations.NullMarked;
