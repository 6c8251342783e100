/// Tensors as people have them: files of arrays and images, random numbers, printed text.
@NullMarked
package io.miniinference.service.tensors;

import org.jspecify.annotations.NullMarked;
