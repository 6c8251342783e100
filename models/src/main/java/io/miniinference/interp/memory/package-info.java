/// Memory as kernels of the interpreter see it: views with strides ([TensorView]), walks over them
/// ([Cursor], [Runs]), and where a failure is reported ([FailureSink]).
@NullMarked
package io.miniinference.interp.memory;

import org.jspecify.annotations.NullMarked;
