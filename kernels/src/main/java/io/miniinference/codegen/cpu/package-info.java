/// The writer of kernels for CPUs: a work item is a whole register tile or row, weights are packed,
/// convolutions work in blocked layout with border taps left out (`float16` and `fma`).
@NullMarked
package io.miniinference.codegen.cpu;

import org.jspecify.annotations.NullMarked;
