/// Kernels of tree ensembles, for CPUs and for GPUs.
@NullMarked
package io.miniinference.codegen.trees;

import org.jspecify.annotations.NullMarked;
