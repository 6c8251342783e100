@NullMarked
package io.miniinference.ops;

import org.jspecify.annotations.NullMarked;
