package io.miniinference.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The driver's functions in the request path. They queue, and wait for nothing unless they say so.
/// The thread's context is the one that is meant ([CudaContext#enter]).
final class CudaCalls {
  private static final MethodHandle SET_CURRENT = Cuda.find("cuCtxSetCurrent", ADDRESS);
  private static final MethodHandle TO_DEVICE =
      Cuda.find("cuMemcpyHtoDAsync_v2", JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);
  private static final MethodHandle TO_HOST =
      Cuda.find("cuMemcpyDtoHAsync_v2", ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS);
  private static final MethodHandle FILL =
      Cuda.find("cuMemsetD8Async", JAVA_LONG, JAVA_BYTE, JAVA_LONG, ADDRESS);
  private static final MethodHandle LAUNCH =
      Cuda.find(
          "cuLaunchKernel",
          ADDRESS,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          ADDRESS,
          ADDRESS,
          ADDRESS);
  private static final MethodHandle GRAPH_LAUNCH = Cuda.find("cuGraphLaunch", ADDRESS, ADDRESS);
  private static final MethodHandle RECORD = Cuda.find("cuEventRecord", ADDRESS, ADDRESS);
  private static final MethodHandle AWAIT = Cuda.find("cuEventSynchronize", ADDRESS);
  private static final MethodHandle FINISH = Cuda.find("cuStreamSynchronize", ADDRESS);

  private CudaCalls() {}

  /// Makes a context that of this thread.
  static void setCurrent(MemorySegment context) {
    try {
      Cuda.check((int) SET_CURRENT.invokeExact(context), "cuCtxSetCurrent");
    } catch (Throwable e) {
      throw Cuda.rethrown(e);
    }
  }

  /// Copies from pinned memory.
  static void toDevice(long address, MemorySegment host, MemorySegment stream) {
    try {
      Cuda.check(
          (int) TO_DEVICE.invokeExact(address, host, host.byteSize(), stream), "cuMemcpyHtoDAsync");
    } catch (Throwable e) {
      throw Cuda.rethrown(e);
    }
  }

  /// Copies to pinned memory.
  static void toHost(MemorySegment host, long address, MemorySegment stream) {
    try {
      Cuda.check(
          (int) TO_HOST.invokeExact(host, address, host.byteSize(), stream), "cuMemcpyDtoHAsync");
    } catch (Throwable e) {
      throw Cuda.rethrown(e);
    }
  }

  /// Zeroes memory of the device.
  static void zero(long address, long bytes, MemorySegment stream) {
    try {
      Cuda.check((int) FILL.invokeExact(address, (byte) 0, bytes, stream), "cuMemsetD8Async");
    } catch (Throwable e) {
      throw Cuda.rethrown(e);
    }
  }

  /// Launches a grid of groups.
  ///
  /// @param arguments the addresses of the kernel's arguments, which are read before it returns
  static void launch(
      MemorySegment function,
      int[] groups,
      int[] local,
      MemorySegment stream,
      MemorySegment arguments) {
    try {
      Cuda.check(
          (int)
              LAUNCH.invokeExact(
                  function,
                  groups[0],
                  groups[1],
                  groups[2],
                  local[0],
                  local[1],
                  local[2],
                  0,
                  stream,
                  arguments,
                  MemorySegment.NULL),
          "cuLaunchKernel");
    } catch (Throwable e) {
      throw Cuda.rethrown(e);
    }
  }

  static void graphLaunch(MemorySegment graph, MemorySegment stream) {
    try {
      Cuda.check((int) GRAPH_LAUNCH.invokeExact(graph, stream), "cuGraphLaunch");
    } catch (Throwable e) {
      throw Cuda.rethrown(e);
    }
  }

  /// Marks the end of what is queued now.
  static void record(MemorySegment event, MemorySegment stream) {
    try {
      Cuda.check((int) RECORD.invokeExact(event, stream), "cuEventRecord");
    } catch (Throwable e) {
      throw Cuda.rethrown(e);
    }
  }

  /// Waits until the device has come to a mark.
  static void await(MemorySegment event) {
    try {
      Cuda.check((int) AWAIT.invokeExact(event), "cuEventSynchronize");
    } catch (Throwable e) {
      throw Cuda.rethrown(e);
    }
  }

  /// Waits for all that is queued.
  static void finish(MemorySegment stream) {
    try {
      Cuda.check((int) FINISH.invokeExact(stream), "cuStreamSynchronize");
    } catch (Throwable e) {
      throw Cuda.rethrown(e);
    }
  }
}
