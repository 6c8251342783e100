package io.miniinference.conformance;

import io.miniinference.codegen.jvm.JvmGenerator;
import io.miniinference.device.Devices;
import java.nio.file.Path;

/// The JVM device.
final class JvmLoopTest extends LoopContract {
  @Override
  Rig open() {
    Devices devices = new Devices(Path.of("target", "device-cache"));
    return Rig.of(devices.open(Devices.Choice.JVM), new JvmGenerator());
  }
}
