/// Health of device, pool and models, for probes.
@NullMarked
package io.miniinference.service.health;

import org.jspecify.annotations.NullMarked;
