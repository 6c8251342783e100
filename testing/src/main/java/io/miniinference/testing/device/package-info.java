/// The devices that tests are held to: a further one is a line of [TestedDevice].
@NullMarked
package io.miniinference.testing.device;

import org.jspecify.annotations.NullMarked;
