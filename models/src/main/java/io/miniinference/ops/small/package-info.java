/// Elements of 8 bits and fewer that core IR has as codes: floats of 8 and 4 bits, powers of two,
/// and integers of 4 and 2 bits.
@NullMarked
package io.miniinference.ops.small;

import org.jspecify.annotations.NullMarked;
