/// What each launch of a model takes, beside what the machine could do and what ONNX Runtime takes
/// for the same node.
@NullMarked
package io.miniinference.bench.kernels;

import org.jspecify.annotations.NullMarked;
