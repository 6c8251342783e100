/// What failure checks cost, and what a failure does.
@NullMarked
package io.miniinference.bench.failures;

import org.jspecify.annotations.NullMarked;
