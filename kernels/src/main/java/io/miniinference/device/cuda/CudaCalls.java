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
  /// What the driver answers while something runs.
  private static final int NOT_READY = 600;

  private static final MethodHandle SET_CURRENT = Cuda.find("cuCtxSetCurrent", ADDRESS);
  private static final MethodHandle COPY =
      Cuda.find("cuMemcpyAsync", JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS);
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
  private static final MethodHandle WAIT =
      Cuda.find("cuStreamWaitEvent", ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle AWAIT = Cuda.find("cuEventSynchronize", ADDRESS);
  private static final MethodHandle QUERY = Cuda.find("cuStreamQuery", ADDRESS);
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

  /// Copies between pinned memory and that of the device, whose addresses tell which is which.
  static void copy(long target, long source, long bytes, MemorySegment stream) {
    try {
      Cuda.check((int) COPY.invokeExact(target, source, bytes, stream), "cuMemcpyAsync");
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

  /// Has a stream wait until another one has come to a mark.
  static void wait(MemorySegment stream, MemorySegment event) {
    try {
      Cuda.check((int) WAIT.invokeExact(stream, event, 0), "cuStreamWaitEvent");
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

  /// Whether all that was queued has run.
  static boolean isIdle(MemorySegment stream) {
    try {
      int status = (int) QUERY.invokeExact(stream);
      if (status != NOT_READY) {
        Cuda.check(status, "cuStreamQuery");
      }
      return status != NOT_READY;
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
