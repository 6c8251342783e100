@NullMarked
package io.miniinference.pass;

import org.jspecify.annotations.NullMarked;
