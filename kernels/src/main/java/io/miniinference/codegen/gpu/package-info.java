/// The writer of kernels for GPUs: a work item per element in memory order, a work-group per long
/// row, tiles in local memory for matrix products and convolutions, channels innermost.
@NullMarked
package io.miniinference.codegen.gpu;

import org.jspecify.annotations.NullMarked;
