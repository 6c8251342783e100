/// Shapes as Triton's `config.pbtxt` has them, beside those of a model's file.
@NullMarked
package io.miniinference.service.shapes;

import org.jspecify.annotations.NullMarked;
