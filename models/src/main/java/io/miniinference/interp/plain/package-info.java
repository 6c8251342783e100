/// A kernel for every operator, element by element, in any layout ([PlainKernels]): the oracle.
@NullMarked
package io.miniinference.interp.plain;

import org.jspecify.annotations.NullMarked;
