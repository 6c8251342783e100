@NullMarked
package io.miniinference.device;

import org.jspecify.annotations.NullMarked;
