/// All of a load that touches neither device nor pool: from messages to kernels ([Compiler]).
@NullMarked
package io.miniinference.runtime.compile;

import org.jspecify.annotations.NullMarked;
