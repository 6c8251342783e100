/// What tests of applications need.
@NullMarked
package io.miniinference.spring.test;

import org.jspecify.annotations.NullMarked;
