package io.miniinference.device;

/// The device or its driver failed: names the call, the CL error by code and name, and what was
/// being done.
public sealed class DeviceException extends RuntimeException permits NoDiskException {
  private static final long serialVersionUID = 1L;

  public DeviceException(String message) {
    super(message);
  }

  public DeviceException(String message, Throwable cause) {
    super(message, cause);
  }
}
