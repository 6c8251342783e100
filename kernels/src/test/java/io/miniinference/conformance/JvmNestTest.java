package io.miniinference.conformance;

import io.miniinference.codegen.jvm.JvmGenerator;
import io.miniinference.device.Devices;
import java.nio.file.Path;

/// The JVM device.
final class JvmNestTest extends NestContract {
  @Override
  Rig open() {
    Devices devices = new Devices(Path.of("target", "device-cache"));
    return Rig.of(devices.open(Devices.Choice.JVM), new JvmGenerator());
  }

  @Override
  int randomGraphs() {
    return 500;
  }

  @Override
  int faultyGraphs() {
    return 400;
  }
}
