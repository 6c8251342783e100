/// What all code generators and devices are held to.
@NullMarked
package io.miniinference.conformance;

import org.jspecify.annotations.NullMarked;
