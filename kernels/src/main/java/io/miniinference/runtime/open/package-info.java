/// Engines, opened: a device is chosen, a pool is taken from it ([Engines]).
@NullMarked
package io.miniinference.runtime.open;

import org.jspecify.annotations.NullMarked;
