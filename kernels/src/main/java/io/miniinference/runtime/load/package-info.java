/// One load as a transaction on the pool: weights, arenas, program, warm instances ([ModelLoader]).
@NullMarked
package io.miniinference.runtime.load;

import org.jspecify.annotations.NullMarked;
