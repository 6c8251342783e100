/// Graphs of core IR by hand, node by node ([GraphBuilder]): for tests and benchmarks.
@NullMarked
package io.miniinference.ir.build;

import org.jspecify.annotations.NullMarked;
