/// Faults of devices on purpose.
@NullMarked
package io.miniinference.device.fault;

import org.jspecify.annotations.NullMarked;
