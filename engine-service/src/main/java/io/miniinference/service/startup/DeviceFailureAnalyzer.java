package io.miniinference.service.startup;

import io.miniinference.device.DeviceException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/// Tells why the service has no device.
final class DeviceFailureAnalyzer extends AbstractFailureAnalyzer<DeviceException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, DeviceException cause) {
    return new FailureAnalysis(
        "The device could not be opened: " + cause.getMessage(),
        "Run './mie devices' to see what there is, and choose with engine.device,"
            + " engine.opencl.platform, engine.opencl.device and engine.pool.capacity.",
        cause);
  }
}
