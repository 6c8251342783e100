/// The orders in which the CPU kernels want constant weights.
@NullMarked
package io.miniinference.codegen.cpu.packing;

import org.jspecify.annotations.NullMarked;
