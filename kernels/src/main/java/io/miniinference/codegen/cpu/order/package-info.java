/// Kernels for CPUs that put rows in order, as far as that is asked for.
@NullMarked
package io.miniinference.codegen.cpu.order;

import org.jspecify.annotations.NullMarked;
