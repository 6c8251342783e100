/// Rules of the operators of neural networks: convolution, pooling, normalisation, attention,
/// quantisation, resizing, losses.
@NullMarked
package io.miniinference.ops.nn;

import org.jspecify.annotations.NullMarked;
