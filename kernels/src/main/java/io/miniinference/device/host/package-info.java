/// What all devices need on the host: bound requests, counters of driver calls, and host memory.
@NullMarked
package io.miniinference.device.host;

import org.jspecify.annotations.NullMarked;
