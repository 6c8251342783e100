/// The benchmarks' command line. Suites are in packages of their own; nothing else of the engine
/// depends on any of them.
@NullMarked
package io.miniinference.bench;

import org.jspecify.annotations.NullMarked;
