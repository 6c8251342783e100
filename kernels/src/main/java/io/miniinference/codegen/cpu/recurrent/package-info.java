/// Recurrent layers on CPUs, sixteen elements of the states at a time.
@NullMarked
package io.miniinference.codegen.cpu.recurrent;

import org.jspecify.annotations.NullMarked;
