package io.miniinference.loading;

import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;

/// [LoadCycles] on the JVM device.
@OnEachDevice(TestedDevice.JVM)
final class JvmLoadCyclesTest extends LoadCycles {}
