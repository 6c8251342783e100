/// Rules of the operators that move or make elements: shapes, slices, gathers, pads, constants.
@NullMarked
package io.miniinference.ops.movement;

import org.jspecify.annotations.NullMarked;
