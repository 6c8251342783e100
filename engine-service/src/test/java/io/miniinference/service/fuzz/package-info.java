/// Fuzzers of what comes over the network.
@NullMarked
package io.miniinference.service.fuzz;

import org.jspecify.annotations.NullMarked;
