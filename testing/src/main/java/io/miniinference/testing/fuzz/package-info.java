/// Fuzzers: what takes bytes from outside, and the two ways to feed it, Jazzer and changes at
/// random.
@NullMarked
package io.miniinference.testing.fuzz;

import org.jspecify.annotations.NullMarked;
