/// What may enter: bounds on requests and bytes in flight, and the circuit breaker of the device.
@NullMarked
package io.miniinference.service.admission;

import org.jspecify.annotations.NullMarked;
