/// What requests to a model may look like: the types of its inputs and outputs, whose dimensions
/// are fixed, the batch, or open by name.
@NullMarked
package io.miniinference.signature;

import org.jspecify.annotations.NullMarked;
