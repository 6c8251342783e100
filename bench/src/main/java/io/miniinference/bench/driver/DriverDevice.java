package io.miniinference.bench.driver;

import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jocl.CL;
import org.jocl.Pointer;
import org.jocl.Sizeof;
import org.jocl.cl_command_queue;
import org.jocl.cl_context;
import org.jocl.cl_context_properties;
import org.jocl.cl_device_id;
import org.jocl.cl_kernel;
import org.jocl.cl_mem;
import org.jocl.cl_platform_id;
import org.jocl.cl_program;
import org.jocl.cl_queue_properties;

/// A device of an OpenCL driver, with a queue and a kernel that touches memory. For one thread.
public final class DriverDevice implements AutoCloseable {
  /// The kernel writes a byte in each page of this many bytes. Larger pages are met more than once.
  public static final long PAGE_BYTES = 4096;

  private static final String TOUCH =
      """
      __kernel void touch(__global uchar* memory, ulong from, ulong bytes) {
        ulong at = get_global_id(0) * %dUL;
        if (at < bytes) {
          memory[from + at] = 1;
        }
      }
      """
          .formatted(PAGE_BYTES);

  /// One size for all launches: some drivers compile a kernel anew for each.
  private static final long[] GROUP = {32};

  private final cl_context context;
  private final cl_command_queue queue;
  private final cl_program program;
  private final cl_kernel kernel;
  private final ByteBuffer range =
      ByteBuffer.allocateDirect(2 * Long.BYTES).order(ByteOrder.nativeOrder());
  private final Pointer from = Pointer.to(range);
  private final Pointer bytes = from.withByteOffset(Long.BYTES);
  private final long[] items = new long[1];

  private DriverDevice(cl_platform_id platform, cl_device_id device) {
    int[] code = {0};
    var properties = new cl_context_properties();
    properties.addProperty(CL.CL_CONTEXT_PLATFORM, platform);
    context = CL.clCreateContext(properties, 1, new cl_device_id[] {device}, null, null, code);
    check(code[0], "clCreateContext");
    queue = CL.clCreateCommandQueueWithProperties(context, device, new cl_queue_properties(), code);
    check(code[0], "clCreateCommandQueueWithProperties");
    program = CL.clCreateProgramWithSource(context, 1, new String[] {TOUCH}, null, code);
    check(code[0], "clCreateProgramWithSource");
    check(CL.clBuildProgram(program, 0, null, "", null, null), "clBuildProgram");
    kernel = CL.clCreateKernel(program, "touch", code);
    check(code[0], "clCreateKernel");
  }

  /// Opens the device that the engine calls so; of several that are alike, the first.
  ///
  /// @throws DeviceException if the driver has none
  public static DriverDevice open(DeviceInfo wanted) {
    for (cl_platform_id platform : platforms()) {
      for (cl_device_id device : devices(platform)) {
        if (is(wanted, platform, device)) {
          return new DriverDevice(platform, device);
        }
      }
    }
    throw new DeviceException(
        "no OpenCL device '%s' of '%s'".formatted(wanted.name(), wanted.platform()));
  }

  private static cl_platform_id[] platforms() {
    int[] count = {0};
    check(CL.clGetPlatformIDs(0, null, count), "clGetPlatformIDs");
    var platforms = new cl_platform_id[count[0]];
    check(CL.clGetPlatformIDs(platforms.length, platforms, null), "clGetPlatformIDs");
    return platforms;
  }

  private static cl_device_id[] devices(cl_platform_id platform) {
    int[] count = {0};
    int code = CL.clGetDeviceIDs(platform, CL.CL_DEVICE_TYPE_ALL, 0, null, count);
    if (code == CL.CL_DEVICE_NOT_FOUND) {
      return new cl_device_id[0];
    }
    check(code, "clGetDeviceIDs");
    var devices = new cl_device_id[count[0]];
    check(
        CL.clGetDeviceIDs(platform, CL.CL_DEVICE_TYPE_ALL, devices.length, devices, null),
        "clGetDeviceIDs");
    return devices;
  }

  private static boolean is(DeviceInfo wanted, cl_platform_id platform, cl_device_id device) {
    return text((size, to, needed) ->
            CL.clGetPlatformInfo(platform, CL.CL_PLATFORM_NAME, size, to, needed))
            .equals(wanted.platform())
        && text((size, to, needed) ->
                CL.clGetDeviceInfo(device, CL.CL_DEVICE_NAME, size, to, needed))
            .equals(wanted.name())
        && text((size, to, needed) ->
                CL.clGetDeviceInfo(device, CL.CL_DRIVER_VERSION, size, to, needed))
            .equals(wanted.driver());
  }

  @FunctionalInterface
  private interface Query {
    int ask(long size, Pointer to, long[] needed);
  }

  private static String text(Query query) {
    byte[] bytes = new byte[1 << 10];
    check(query.ask(bytes.length, Pointer.to(bytes), new long[1]), "clGet…Info");
    String text = new String(bytes, StandardCharsets.UTF_8);
    return text.substring(0, text.indexOf('\0')).strip();
  }

  /// For tests, which look into buffers.
  cl_command_queue queue() {
    return queue;
  }

  /// A buffer whose pages are untouched.
  cl_mem create(long bytes) {
    int[] code = {0};
    cl_mem buffer = CL.clCreateBuffer(context, CL.CL_MEM_READ_WRITE, bytes, null, code);
    check(code[0], "clCreateBuffer");
    return buffer;
  }

  /// Writes a byte into each page of a range, from its first byte on, and waits for it.
  void touch(cl_mem buffer, long first, long length) {
    launch(buffer, first, length);
    finish();
  }

  /// Queues [#touch].
  void launch(cl_mem buffer, long first, long length) {
    range.putLong(0, first).putLong(Long.BYTES, length);
    items[0] = Math.ceilDiv(length, PAGE_BYTES * GROUP[0]) * GROUP[0];
    check(CL.clSetKernelArg(kernel, 0, Sizeof.cl_mem, Pointer.to(buffer)), "clSetKernelArg");
    check(CL.clSetKernelArg(kernel, 1, Long.BYTES, from), "clSetKernelArg");
    check(CL.clSetKernelArg(kernel, 2, Long.BYTES, bytes), "clSetKernelArg");
    check(
        CL.clEnqueueNDRangeKernel(queue, kernel, 1, null, items, GROUP, 0, null, null),
        "clEnqueueNDRangeKernel");
  }

  void finish() {
    check(CL.clFinish(queue), "clFinish");
  }

  void release(cl_mem buffer) {
    check(CL.clReleaseMemObject(buffer), "clReleaseMemObject");
  }

  /// @throws DeviceException with call, name and code unless `code` is success
  static void check(int code, String call) {
    if (code != CL.CL_SUCCESS) {
      throw new DeviceException(
          "%s failed with %s (%d)".formatted(call, CL.stringFor_errorCode(code), code));
    }
  }

  @Override
  public void close() {
    CL.clReleaseKernel(kernel);
    CL.clReleaseProgram(program);
    CL.clReleaseCommandQueue(queue);
    CL.clReleaseContext(context);
  }
}
