/// Operators that make strings anew, computed on the host before a request runs: what they give are
/// further inputs of the model that is loaded.
///
/// [StringPrefix] is the way in.
@NullMarked
package io.miniinference.runtime.strings;

import org.jspecify.annotations.NullMarked;
