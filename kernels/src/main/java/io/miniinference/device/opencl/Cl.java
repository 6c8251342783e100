package io.miniinference.device.opencl;

import static org.jocl.CL.CL_SUCCESS;

import io.miniinference.device.DeviceException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jocl.CL;
import org.jocl.Pointer;
import org.jocl.cl_device_id;
import org.jocl.cl_platform_id;

/// Return codes and queries of OpenCL.
public final class Cl {
  private static final int LONGEST_TEXT_BYTES = 1 << 20;

  private Cl() {}

  /// @throws DeviceException with code, name and call unless `code` is success
  public static void check(int code, String call) {
    if (code != CL_SUCCESS) {
      throw failure(code, call, "");
    }
  }

  static DeviceException failure(int code, String call, String doing) {
    String what = doing.isEmpty() ? "" : " for " + doing;
    return new DeviceException("%s failed with %s%s".formatted(call, name(code), what));
  }

  /// `CL_OUT_OF_RESOURCES (-5)`.
  static String name(int code) {
    return CL.stringFor_errorCode(code) + " (" + code + ")";
  }

  static String text(cl_platform_id platform, int name) {
    return text(
        "clGetPlatformInfo",
        (bytes, at, size) -> CL.clGetPlatformInfo(platform, name, bytes, at, size));
  }

  static String text(cl_device_id device, int name) {
    return text(
        "clGetDeviceInfo", (bytes, at, size) -> CL.clGetDeviceInfo(device, name, bytes, at, size));
  }

  /// A driver's answer of at most [#LONGEST_TEXT_BYTES].
  static String text(String call, Query query) {
    long[] size = {0};
    check(query.ask(0, null, size), call);
    byte[] bytes = new byte[(int) Math.clamp(size[0], 0, LONGEST_TEXT_BYTES)];
    if (bytes.length < size[0]) {
      return "(" + size[0] + " bytes of text)";
    }
    check(query.ask(bytes.length, Pointer.to(bytes), null), call);
    return new String(bytes, StandardCharsets.UTF_8).replace("\0", "").strip();
  }

  /// A number of 4 or 8 bytes, as the driver has it.
  static long number(cl_device_id device, int name) {
    byte[] bytes = new byte[Long.BYTES];
    check(
        CL.clGetDeviceInfo(device, name, bytes.length, Pointer.to(bytes), null), "clGetDeviceInfo");
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getLong();
  }

  /// A two-step query: first the size, then the bytes.
  @FunctionalInterface
  interface Query {
    int ask(
        long bytes,
        org.jocl.@org.jspecify.annotations.Nullable Pointer target,
        long @org.jspecify.annotations.Nullable [] size);
  }
}
