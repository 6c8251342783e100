/// The Open Inference Protocol V2 over REST, with JSON tensors.
@NullMarked
package io.miniinference.service.inference;

import org.jspecify.annotations.NullMarked;
