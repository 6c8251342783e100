/// Passes over convolutions, by their windows.
@NullMarked
package io.miniinference.pass.windows;

import org.jspecify.annotations.NullMarked;
