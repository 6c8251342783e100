/// What a suite of benchmarks is, and what it is told.
@NullMarked
package io.miniinference.bench.suite;

import org.jspecify.annotations.NullMarked;
