/// NVIDIA GPUs behind the CUDA driver, which takes whole runs as graphs.
@NullMarked
package io.miniinference.device.cuda;

import org.jspecify.annotations.NullMarked;
