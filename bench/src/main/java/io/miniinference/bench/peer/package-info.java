/// Other engines, what they are asked to do, and what is fed to all alike.
@NullMarked
package io.miniinference.bench.peer;

import org.jspecify.annotations.NullMarked;
