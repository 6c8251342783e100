/// Small networks as one kernel of a GPU: a work-group takes some rows of a batch through all
/// steps, and keeps what is between inputs and outputs in local memory.
@NullMarked
package io.miniinference.codegen.gpu.whole;

import org.jspecify.annotations.NullMarked;
