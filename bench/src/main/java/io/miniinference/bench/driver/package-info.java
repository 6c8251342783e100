/// What programs without a pool do: one OpenCL buffer per block. The benchmarks' only package that
/// touches JOCL.
@NullMarked
package io.miniinference.bench.driver;

import org.jspecify.annotations.NullMarked;
