/// Strings as codes: the numbers that stand for them wherever they are moved and compared.
///
/// A [Dictionary] has those of a model, a [StringTable] those of one request besides.
@NullMarked
package io.miniinference.strings;

import org.jspecify.annotations.NullMarked;
