/// The JVM as a device.
@NullMarked
package io.miniinference.device.jvm;

import org.jspecify.annotations.NullMarked;
