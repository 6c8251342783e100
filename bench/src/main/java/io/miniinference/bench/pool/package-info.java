/// The pool's allocate and free, beside the buffers of an OpenCL driver.
@NullMarked
package io.miniinference.bench.pool;

import org.jspecify.annotations.NullMarked;
