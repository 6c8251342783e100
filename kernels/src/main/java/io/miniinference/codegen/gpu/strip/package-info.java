/// Direct convolutions on GPUs whose work items own strips of neighbouring pixels.
@NullMarked
package io.miniinference.codegen.gpu.strip;

import org.jspecify.annotations.NullMarked;
