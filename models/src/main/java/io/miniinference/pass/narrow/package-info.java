@NullMarked
package io.miniinference.pass.narrow;

import org.jspecify.annotations.NullMarked;
