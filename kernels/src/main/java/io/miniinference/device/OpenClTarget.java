package io.miniinference.device;

import java.util.List;
import org.jocl.cl_device_id;
import org.jocl.cl_platform_id;

/// An OpenCL device that could be opened, or the team of single-threaded ones that PoCL makes of a
/// CPU.
///
/// @param devices one, or a team's
record OpenClTarget(cl_platform_id platform, List<cl_device_id> devices, DeviceInfo info) {
  OpenClTarget {
    devices = List.copyOf(devices);
  }

  boolean isPocl() {
    return info.platform().contains("Portable Computing Language");
  }

  /// The first device alone, used as if its memory were its own, as a GPU's is: how the path of
  /// GPUs is tested without one.
  OpenClTarget asSeparateMemory() {
    DeviceInfo separate =
        new DeviceInfo(
            info.kind(),
            info.name(),
            info.vendor(),
            info.driver(),
            info.platform(),
            1,
            info.memoryBytes(),
            info.maxPoolBytes(),
            info.localMemoryBytes(),
            false,
            info.doubles());
    return new OpenClTarget(platform, devices.subList(0, 1), separate);
  }
}
