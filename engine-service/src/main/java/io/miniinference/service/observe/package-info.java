/// Meters, and the Actuator endpoints that show the pool and the plans.
@NullMarked
package io.miniinference.service.observe;

import org.jspecify.annotations.NullMarked;
