/// Operators of the domain `ai.onnx.ml`, which exporters of scikit-learn, XGBoost and LightGBM
/// write ([operators](https://onnx.ai/onnx/operators/index.html#ai-onnx-ml)).
///
/// Trees are one operation of core IR; all else is products, reductions and expressions. Where the
/// standard leaves open what is computed, it is what ONNX Runtime computes.
@NullMarked
package io.miniinference.ops.ml;

import org.jspecify.annotations.NullMarked;
