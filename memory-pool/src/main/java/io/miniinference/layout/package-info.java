/// Where the elements of an array lie inside a memory block: sizes that grow with the batch
/// ([Affine]) and index functions ([IndexFunction]) that turn a logical index into an element
/// offset, so that most movement operators cost nothing.
@NullMarked
package io.miniinference.layout;

import org.jspecify.annotations.NullMarked;
