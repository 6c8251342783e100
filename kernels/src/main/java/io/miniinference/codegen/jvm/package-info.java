/// The writer of kernels for the JVM: each step is the interpreter's kernel over the arena.
@NullMarked
package io.miniinference.codegen.jvm;

import org.jspecify.annotations.NullMarked;
