/// Direct convolutions on GPUs whose work items own patches of an image.
@NullMarked
package io.miniinference.codegen.gpu.patch;

import org.jspecify.annotations.NullMarked;
