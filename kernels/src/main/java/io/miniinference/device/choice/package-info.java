/// The devices of this host, and the choice among them.
@NullMarked
package io.miniinference.device.choice;

import org.jspecify.annotations.NullMarked;
