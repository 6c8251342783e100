@NullMarked
package io.miniinference.interp;

import org.jspecify.annotations.NullMarked;
