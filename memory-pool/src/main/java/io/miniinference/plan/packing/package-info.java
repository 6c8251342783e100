/// Offline storage allocation: rectangles in time × address, whose times are given and whose
/// addresses are wanted, packed so that the highest byte is as low as can be.
@NullMarked
package io.miniinference.plan.packing;

import org.jspecify.annotations.NullMarked;
