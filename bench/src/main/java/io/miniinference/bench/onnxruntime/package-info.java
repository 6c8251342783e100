/// ONNX Runtime as a peer, the only package that touches its Java API.
@NullMarked
package io.miniinference.bench.onnxruntime;

import org.jspecify.annotations.NullMarked;
