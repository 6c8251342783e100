/// Files that mean harm, and what they cost.
@NullMarked
package io.miniinference.hostile;

import org.jspecify.annotations.NullMarked;
