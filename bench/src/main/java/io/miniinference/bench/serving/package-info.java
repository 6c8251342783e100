/// Services under load: the engine's beside one that its users would write over ONNX Runtime.
@NullMarked
package io.miniinference.bench.serving;

import org.jspecify.annotations.NullMarked;
