package io.miniinference.loading;

import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;

/// [LoadCycles] on an OpenCL device.
@OnEachDevice(value = TestedDevice.CPU, optimised = false)
final class OpenClLoadCyclesTest extends LoadCycles {}
