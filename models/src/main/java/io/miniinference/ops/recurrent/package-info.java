/// Recurrent layers, a core operation for each direction.
@NullMarked
package io.miniinference.ops.recurrent;

import org.jspecify.annotations.NullMarked;
