/// Rules of the operators on signals: Fourier transforms and what is made of their results.
@NullMarked
package io.miniinference.ops.signal;

import org.jspecify.annotations.NullMarked;
