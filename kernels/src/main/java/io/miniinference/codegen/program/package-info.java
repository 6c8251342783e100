/// Whole programs of kernels as text: what stands in front of the kernels, and in which order they
/// follow ([ProgramText]).
@NullMarked
package io.miniinference.codegen.program;

import org.jspecify.annotations.NullMarked;
