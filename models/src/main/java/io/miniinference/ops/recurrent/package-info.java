/// Recurrent layers, written as loops over the steps of their sequences.
@NullMarked
package io.miniinference.ops.recurrent;

import org.jspecify.annotations.NullMarked;
