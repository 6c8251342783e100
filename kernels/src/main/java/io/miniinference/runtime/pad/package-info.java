/// Open sizes that are filled up to multiples, so that requests of many lengths are planned as few,
/// and run together.
@NullMarked
package io.miniinference.runtime.pad;

import org.jspecify.annotations.NullMarked;
