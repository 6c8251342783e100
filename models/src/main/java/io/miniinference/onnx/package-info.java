@NullMarked
package io.miniinference.onnx;

import org.jspecify.annotations.NullMarked;
