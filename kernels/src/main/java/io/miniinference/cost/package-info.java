/// What a step costs: operations, bytes and the bound that they and a machine's peaks imply, beside
/// the algorithm that computes it.
@NullMarked
package io.miniinference.cost;

import org.jspecify.annotations.NullMarked;
