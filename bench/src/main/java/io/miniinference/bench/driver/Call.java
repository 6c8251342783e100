package io.miniinference.bench.driver;

import io.miniinference.device.DeviceException;
import org.jocl.CL;

/// Return codes of OpenCL.
final class Call {
  private Call() {}

  /// @throws DeviceException with call, name and code unless `code` is success
  static void check(int code, String call) {
    if (code != CL.CL_SUCCESS) {
      throw new DeviceException(
          "%s failed with %s (%d)".formatted(call, CL.stringFor_errorCode(code), code));
    }
  }
}
