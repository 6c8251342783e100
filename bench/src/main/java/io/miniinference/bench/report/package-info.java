/// What a benchmark run found, as JSON that a script compares and as tables that a person reads.
@NullMarked
package io.miniinference.bench.report;

import org.jspecify.annotations.NullMarked;
