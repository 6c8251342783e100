/// How long memory planning takes.
@NullMarked
package io.miniinference.bench.planner;

import org.jspecify.annotations.NullMarked;
