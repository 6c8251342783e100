/// What devices behind a driver share, whichever driver it is.
@NullMarked
package io.miniinference.device.driver;

import org.jspecify.annotations.NullMarked;
