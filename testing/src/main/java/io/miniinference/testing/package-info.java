/// Models that tests and benchmarks make up: written line by line, or drawn at random. No part of
/// the product.
@NullMarked
package io.miniinference.testing;

import org.jspecify.annotations.NullMarked;
