@NullMarked
package io.miniinference.ir;

import org.jspecify.annotations.NullMarked;
