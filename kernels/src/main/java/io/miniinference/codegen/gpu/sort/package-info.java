/// Sorted rows on GPUs, for all that needs them.
@NullMarked
package io.miniinference.codegen.gpu.sort;

import org.jspecify.annotations.NullMarked;
