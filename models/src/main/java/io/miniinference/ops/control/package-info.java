/// Rules of the operators with bodies: If, Loop and Scan.
@NullMarked
package io.miniinference.ops.control;

import org.jspecify.annotations.NullMarked;
