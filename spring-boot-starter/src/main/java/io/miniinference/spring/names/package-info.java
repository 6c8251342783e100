/// Which names of properties there are, and what happens to others.
@NullMarked
package io.miniinference.spring.names;

import org.jspecify.annotations.NullMarked;
