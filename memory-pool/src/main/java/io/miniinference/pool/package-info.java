@NullMarked
package io.miniinference.pool;

import org.jspecify.annotations.NullMarked;
