@NullMarked
package io.miniinference.layout;

import org.jspecify.annotations.NullMarked;
