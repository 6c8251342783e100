@NullMarked
package io.miniinference.codegen;

import org.jspecify.annotations.NullMarked;
