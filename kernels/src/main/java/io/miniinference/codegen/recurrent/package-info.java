/// Recurrent layers: what kernels of both writers have in common, and the kernel that needs nothing
/// of its operands.
@NullMarked
package io.miniinference.codegen.recurrent;

import org.jspecify.annotations.NullMarked;
