@NullMarked
package io.miniinference.lower;

import org.jspecify.annotations.NullMarked;
