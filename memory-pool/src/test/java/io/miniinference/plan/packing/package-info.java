@NullMarked
package io.miniinference.plan.packing;

import org.jspecify.annotations.NullMarked;
