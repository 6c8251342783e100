/// What tests and benchmarks hold a device and its writer of kernels to: graphs that are run on it
/// as the runtime does, without a model's file.
@NullMarked
package io.miniinference.conformance;

import org.jspecify.annotations.NullMarked;
