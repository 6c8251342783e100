@NullMarked
package io.miniinference.pass.exact;

import org.jspecify.annotations.NullMarked;
