/// What a device is: where programs are built and launched and the pool's memory lies. `opencl` and
/// `jvm` are devices, on `team` and `host`; `choice` finds them.
@NullMarked
package io.miniinference.device;

import org.jspecify.annotations.NullMarked;
