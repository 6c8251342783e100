/// Models in the ONNX test layout, run and compared with what is expected.
@NullMarked
package io.miniinference.service.verify;

import org.jspecify.annotations.NullMarked;
