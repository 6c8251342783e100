@NullMarked
package io.miniinference.runtime;

import org.jspecify.annotations.NullMarked;
