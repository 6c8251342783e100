package io.miniinference.bench.pool;

import module io.miniinference.kernels;
import module jocl;

import io.miniinference.device.opencl.Cl;
import io.miniinference.device.opencl.OpenClTarget;
import io.miniinference.device.opencl.OpenClTargets;
import java.nio.file.Path;

/// A device of an OpenCL driver, with a queue and a kernel that touches memory. For one thread.
final class Driver implements AutoCloseable {
  /// The kernel writes a byte in each page of this many bytes. Larger pages are met more than once.
  private static final long PAGE_BYTES = 4096;

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
  private final cl_kernel kernel;

  private Driver(OpenClTarget target) {
    int[] code = {0};
    cl_device_id device = target.devices().getFirst();
    var properties = new cl_context_properties();
    properties.addProperty(CL.CL_CONTEXT_PLATFORM, target.platform());
    context = CL.clCreateContext(properties, 1, new cl_device_id[] {device}, null, null, code);
    Cl.check(code[0], "clCreateContext");
    queue = CL.clCreateCommandQueueWithProperties(context, device, new cl_queue_properties(), code);
    Cl.check(code[0], "clCreateCommandQueueWithProperties");
    cl_program program = CL.clCreateProgramWithSource(context, 1, new String[] {TOUCH}, null, code);
    Cl.check(code[0], "clCreateProgramWithSource");
    Cl.check(CL.clBuildProgram(program, 0, null, "", null, null), "clBuildProgram");
    kernel = CL.clCreateKernel(program, "touch", code);
    Cl.check(code[0], "clCreateKernel");
    CL.clReleaseProgram(program);
  }

  /// Opens the device that the engine calls so; of several that are alike, the first.
  ///
  /// @param cache where drivers keep what they compile
  /// @throws DeviceException if there is none
  static Driver open(DeviceInfo wanted, Path cache) {
    return OpenClTargets.find(cache).targets().stream()
        .filter(target -> isCalled(target.info(), wanted))
        .findFirst()
        .map(Driver::new)
        .orElseThrow(() ->
            new DeviceException(
                "no OpenCL device '%s' of '%s'".formatted(wanted.name(), wanted.platform())));
  }

  private static boolean isCalled(DeviceInfo info, DeviceInfo wanted) {
    return info.name().equals(wanted.name()) && info.platform().equals(wanted.platform());
  }

  /// A buffer whose pages are untouched.
  cl_mem create(long bytes) {
    int[] code = {0};
    cl_mem buffer = CL.clCreateBuffer(context, CL.CL_MEM_READ_WRITE, bytes, null, code);
    Cl.check(code[0], "clCreateBuffer");
    return buffer;
  }

  /// Writes a byte into each page of a range, from its first byte on, and waits for it.
  void touch(cl_mem buffer, long first, long length) {
    long[] items = {Math.ceilDiv(length, PAGE_BYTES * GROUP[0]) * GROUP[0]};
    Cl.check(CL.clSetKernelArg(kernel, 0, Sizeof.cl_mem, Pointer.to(buffer)), "clSetKernelArg");
    argument(1, first);
    argument(2, length);
    Cl.check(
        CL.clEnqueueNDRangeKernel(queue, kernel, 1, null, items, GROUP, 0, null, null),
        "clEnqueueNDRangeKernel");
    Cl.check(CL.clFinish(queue), "clFinish");
  }

  private void argument(int index, long value) {
    Cl.check(
        CL.clSetKernelArg(kernel, index, Long.BYTES, Pointer.to(new long[] {value})),
        "clSetKernelArg");
  }

  void release(cl_mem buffer) {
    Cl.check(CL.clReleaseMemObject(buffer), "clReleaseMemObject");
  }

  @Override
  public void close() {
    CL.clReleaseKernel(kernel);
    CL.clReleaseCommandQueue(queue);
    CL.clReleaseContext(context);
  }
}
