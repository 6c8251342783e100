package io.miniinference.device.opencl;

import io.miniinference.device.host.Counters;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jocl.CL;
import org.jocl.cl_kernel;
import org.jocl.cl_program;
import org.jspecify.annotations.Nullable;

/// The kernel objects of a program. Those that a shape of an open model leaves serve the next one,
/// so that ever new shapes make no more of them than are in use at once.
final class KernelHandles implements AutoCloseable {
  private final cl_program program;
  private final Counters counters;

  /// By name of the kernel; guarded by this.
  private final Map<String, Deque<cl_kernel>> spare = new HashMap<>();

  /// Guarded by this.
  private boolean closed;

  KernelHandles(cl_program program, Counters counters) {
    this.program = program;
    this.counters = counters;
  }

  /// A kernel object with whatever arguments it had last.
  cl_kernel take(String name) {
    cl_kernel known = known(name);
    return known == null ? made(name) : known;
  }

  private synchronized @Nullable cl_kernel known(String name) {
    Deque<cl_kernel> ofName = spare.get(name);
    return ofName == null ? null : ofName.poll();
  }

  private cl_kernel made(String name) {
    int[] code = {0};
    cl_kernel handle = CL.clCreateKernel(program, name, code);
    Cl.check(code[0], "clCreateKernel of '" + name + "'");
    counters.allocations.increment();
    return handle;
  }

  /// Takes a kernel object back that nothing is queued of.
  synchronized void giveBack(String name, cl_kernel handle) {
    if (closed) {
      CL.clReleaseKernel(handle);
    } else {
      spare.computeIfAbsent(name, _ -> new ArrayDeque<>()).push(handle);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    spare.values().forEach(ofName -> ofName.forEach(CL::clReleaseKernel));
    spare.clear();
  }
}
