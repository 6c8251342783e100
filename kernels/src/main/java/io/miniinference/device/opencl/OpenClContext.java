package io.miniinference.device.opencl;

import io.miniinference.device.host.Counters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jocl.CL;
import org.jocl.cl_command_queue;
import org.jocl.cl_context;
import org.jocl.cl_device_id;
import org.jocl.cl_mem;
import org.jocl.cl_queue_properties;
import org.jspecify.annotations.Nullable;

/// A context over the devices of a target, with one in-order queue each: those of its workers, and
/// one for first launches where the target has a device to spare.
final class OpenClContext implements AutoCloseable {
  private final OpenClTarget target;
  private final Counters counters;
  private final Runnable onLoss;

  private final AtomicInteger variants = new AtomicInteger();
  private final cl_context handle;
  private final cl_command_queue[] queues;

  OpenClContext(OpenClTarget target, Counters counters, Runnable onLoss) {
    this.onLoss = onLoss;
    this.target = target;
    this.counters = counters;
    handle = DriverContexts.open(target);
    queues = queues(handle, target.devices(), counters);
  }

  /// A queue for each device. Where one fails, the context is given back and given to no other.
  static cl_command_queue[] queues(
      cl_context context, List<cl_device_id> devices, Counters counters) {
    List<cl_command_queue> made = new ArrayList<>();
    try {
      for (cl_device_id device : devices) {
        made.add(queue(context, device));
        counters.allocations.increment();
      }
    } catch (RuntimeException e) {
      made.forEach(CL::clReleaseCommandQueue);
      DriverContexts.forget(context);
      DriverContexts.close(context);
      throw e;
    }
    return made.toArray(cl_command_queue[]::new);
  }

  private static cl_command_queue queue(cl_context context, cl_device_id device) {
    int[] code = {0};
    cl_command_queue queue =
        CL.clCreateCommandQueueWithProperties(context, device, new cl_queue_properties(), code);
    Cl.check(code[0], "clCreateCommandQueueWithProperties");
    return queue;
  }

  OpenClTarget target() {
    return target;
  }

  Counters counters() {
    return counters;
  }

  /// The lock under which runs go one at a time while there are more kernels than PoCL keeps; null
  /// while there are not, which is for good on any other driver.
  @Nullable ReentrantLock turn() {
    return target.isPocl() ? LoadedKernels.OF_PROCESS.turn() : null;
  }

  /// Counts kernels that were compiled, or −1 for each that went.
  void addVariants(int count) {
    variants.addAndGet(count);
  }

  /// How many kernels the driver has compiled for a local size.
  int variants() {
    return variants.get();
  }

  /// Says that a call of the request path failed: the device may be lost.
  void lost() {
    DriverContexts.forget(handle);
    onLoss.run();
  }

  cl_context handle() {
    return handle;
  }

  /// How many launches run side by side.
  int workers() {
    return OpenClTarget.workers(target.devices());
  }

  /// Whether first launches have a device that no worker uses.
  boolean hasSpare() {
    return queues.length > workers();
  }

  /// The queue of first launches: that of the spare device, or of the only one.
  cl_command_queue spareQueue() {
    return queues[queues.length - 1];
  }

  cl_command_queue queue(int worker) {
    return queues[worker];
  }

  cl_device_id[] devices() {
    return target.devices().toArray(cl_device_id[]::new);
  }

  cl_mem buffer(long flags, long bytes, org.jocl.@Nullable Pointer host) {
    int[] code = {0};
    cl_mem buffer = CL.clCreateBuffer(handle, flags, bytes, host, code);
    if (code[0] != CL.CL_SUCCESS) {
      throw Cl.failure(code[0], "clCreateBuffer", bytes + " bytes on " + target.info().name());
    }
    counters.allocations.increment();
    return buffer;
  }

  static void finish(cl_command_queue queue, String doing) {
    int code = CL.clFinish(queue);
    if (code != CL.CL_SUCCESS) {
      throw Cl.failure(code, "clFinish", doing);
    }
  }

  /// Waits for all that is queued anywhere, whether it fails or not.
  void finishAll() {
    for (cl_command_queue queue : queues) {
      CL.clFinish(queue);
    }
  }

  @Override
  public void close() {
    for (cl_command_queue queue : queues) {
      CL.clReleaseCommandQueue(queue);
    }
    DriverContexts.close(handle);
  }
}
