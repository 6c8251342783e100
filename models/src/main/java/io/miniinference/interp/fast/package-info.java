/// Kernels over `F32` in stretches, tiles and panels, where the data of a run lies so that they can
/// ([FastKernels]). They give the bits of the plain ones.
@NullMarked
package io.miniinference.interp.fast;

import org.jspecify.annotations.NullMarked;
