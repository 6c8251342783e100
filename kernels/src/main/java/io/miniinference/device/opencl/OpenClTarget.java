package io.miniinference.device.opencl;

import io.miniinference.device.DeviceInfo;
import java.util.List;
import org.jocl.cl_device_id;
import org.jocl.cl_platform_id;

/// An OpenCL device that could be opened, or the team of single-threaded ones that PoCL makes of a
/// CPU.
///
/// @param devices one, or a team's: the last of several is for first launches, the others work
/// @param exactDivision whether the compiler can be told to round quotients and square roots of
///   floats correctly
public record OpenClTarget(
    cl_platform_id platform, List<cl_device_id> devices, DeviceInfo info, boolean exactDivision) {
  static final String POCL = "Portable Computing Language";

  public OpenClTarget {
    devices = List.copyOf(devices);
  }

  static int workers(List<cl_device_id> devices) {
    return Math.max(1, devices.size() - 1);
  }

  boolean isPocl() {
    return info.platform().contains(POCL);
  }

  /// Whether built programs are kept on disk. PoCL keeps what it compiles itself, and asked for a
  /// program's binary it compiles each kernel once more; where it stands for a GPU it is used like
  /// one.
  boolean keepsPrograms() {
    return !isPocl() || !info.hostShared();
  }

  boolean isOclgrind() {
    return info.platform().equals("Oclgrind");
  }

  /// What every program is built with, whatever its own options. OpenCL C lets a float quotient be
  /// off by 2.5 units in the last place unless told otherwise, which a rounding behind it makes a
  /// whole step (DynamicQuantizeLinear).
  String buildOptions() {
    return exactDivision ? "-cl-fp32-correctly-rounded-divide-sqrt" : "";
  }

  /// The first device alone, used as if its memory were its own, as a GPU's is: how the path of
  /// GPUs is tested without one.
  ///
  /// @param streams of runs that might overlap
  OpenClTarget asSeparateMemory(int streams) {
    DeviceInfo separate =
        new DeviceInfo(
            info.kind(),
            info.name(),
            info.vendor(),
            info.driver(),
            info.platform(),
            1,
            streams,
            info.memoryBytes(),
            info.maxPoolBytes(),
            info.localMemoryBytes(),
            false,
            info.doubles(),
            info.tensorCores(),
            info.byteSums());
    return new OpenClTarget(platform, devices.subList(0, 1), separate, exactDivision);
  }
}
