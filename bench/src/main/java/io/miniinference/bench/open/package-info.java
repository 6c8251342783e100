/// Models with open sizes in random shapes.
@NullMarked
package io.miniinference.bench.open;

import org.jspecify.annotations.NullMarked;
