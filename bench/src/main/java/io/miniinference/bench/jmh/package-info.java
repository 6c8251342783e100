/// JMH, run from within a suite.
@NullMarked
package io.miniinference.bench.jmh;

import org.jspecify.annotations.NullMarked;
