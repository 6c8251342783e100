@NullMarked
package io.miniinference.plan;

import org.jspecify.annotations.NullMarked;
