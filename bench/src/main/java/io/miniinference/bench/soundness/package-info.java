/// Random models, whose plans are verified and whose outputs are compared with the interpreter's.
@NullMarked
package io.miniinference.bench.soundness;

import org.jspecify.annotations.NullMarked;
