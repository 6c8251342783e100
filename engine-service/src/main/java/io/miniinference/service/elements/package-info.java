/// Elements of tensors as the protocols carry them: JSON values, and strings behind their lengths.
@NullMarked
package io.miniinference.service.elements;

import org.jspecify.annotations.NullMarked;
