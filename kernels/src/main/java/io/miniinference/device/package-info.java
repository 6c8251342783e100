/// Devices: where programs are built and launched and the pool's memory lies. The only package that
/// touches `org.jocl`.
@NullMarked
package io.miniinference.device;

import org.jspecify.annotations.NullMarked;
