/// Rules of elementwise operators, reductions and products.
@NullMarked
package io.miniinference.ops.math;

import org.jspecify.annotations.NullMarked;
