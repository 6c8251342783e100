/// What NVIDIA's management library (NVML) tells of GPUs: memory, power, how busy they are.
@NullMarked
package io.miniinference.device.nvml;

import org.jspecify.annotations.NullMarked;
