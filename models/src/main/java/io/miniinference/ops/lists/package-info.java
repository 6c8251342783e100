/// Operators of lists and optionals, which are resolved while a model is imported: behind the
/// import there are tensors alone.
@NullMarked
package io.miniinference.ops.lists;

import org.jspecify.annotations.NullMarked;
