@NullMarked
package io.miniinference.pass.bytes;

import org.jspecify.annotations.NullMarked;
