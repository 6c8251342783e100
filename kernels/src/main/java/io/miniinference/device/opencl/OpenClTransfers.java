package io.miniinference.device.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.miniinference.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jocl.NativePointerObject;

/// The queued transfers of the request path, called in the OpenCL library directly.
///
/// JOCL keeps track of a transfer that is only queued through callbacks from the driver's threads:
/// it costs microseconds, and one process in four died of it in trials. Staging outlives every
/// transfer anyhow, since a run waits for its own.
final class OpenClTransfers {
  private static final List<String> LIBRARIES =
      List.of("libOpenCL.so.1", "libOpenCL.so", "OpenCL.dll");

  private static final FunctionDescriptor TRANSFER =
      FunctionDescriptor.of(
          JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT, ADDRESS,
          ADDRESS);
  private static final SymbolLookup LIBRARY = library();
  private static final MethodHandle WRITE = find("clEnqueueWriteBuffer", TRANSFER);
  private static final MethodHandle READ = find("clEnqueueReadBuffer", TRANSFER);
  private static final MethodHandle FILL =
      find(
          "clEnqueueFillBuffer",
          FunctionDescriptor.of(
              JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT,
              ADDRESS, ADDRESS));
  private static final MemorySegment ZERO = Arena.global().allocate(JAVA_INT);
  private static final MethodHandle UNMAP =
      find(
          "clEnqueueUnmapMemObject",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle MARK =
      find(
          "clEnqueueMarkerWithWaitList",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle FLUSH =
      find("clFlush", FunctionDescriptor.of(JAVA_INT, ADDRESS));
  private static final MethodHandle WAIT =
      find("clWaitForEvents", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
  private static final MethodHandle RELEASE =
      find("clReleaseEvent", FunctionDescriptor.of(JAVA_INT, ADDRESS));

  private OpenClTransfers() {}

  private static SymbolLookup library() {
    for (String name : LIBRARIES) {
      try {
        return SymbolLookup.libraryLookup(name, Arena.global());
      } catch (IllegalArgumentException e) {
        // the next name
      }
    }
    throw new DeviceException("none of the OpenCL loaders " + LIBRARIES + " can be opened");
  }

  private static MethodHandle find(String name, FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(LIBRARY.findOrThrow(name), type);
  }

  /// The address behind one of JOCL's objects.
  static MemorySegment address(NativePointerObject object) {
    return MemorySegment.ofAddress(object.getNativePointer());
  }

  /// Queues a transfer from host to pool.
  static void write(
      MemorySegment queue, MemorySegment pool, long at, long bytes, MemorySegment host) {
    try {
      int code =
          (int)
              WRITE.invokeExact(
                  queue, pool, 0, at, bytes, host, 0, MemorySegment.NULL, MemorySegment.NULL);
      checkTransfer(code, "clEnqueueWriteBuffer", at, bytes);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /// Queues a transfer from pool to host.
  ///
  /// @param event takes a mark of the transfer's end, or is null
  static void read(
      MemorySegment queue,
      MemorySegment pool,
      long at,
      long bytes,
      MemorySegment host,
      MemorySegment event) {
    try {
      int code =
          (int) READ.invokeExact(queue, pool, 0, at, bytes, host, 0, MemorySegment.NULL, event);
      checkTransfer(code, "clEnqueueReadBuffer", at, bytes);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /// Queues zeroes for bytes of the pool, of which there is a multiple of four.
  static void zero(MemorySegment queue, MemorySegment pool, long at, long bytes) {
    try {
      int code =
          (int)
              FILL.invokeExact(
                  queue,
                  pool,
                  ZERO,
                  ZERO.byteSize(),
                  at,
                  bytes,
                  0,
                  MemorySegment.NULL,
                  MemorySegment.NULL);
      checkTransfer(code, "clEnqueueFillBuffer", at, bytes);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  private static void checkTransfer(int code, String call, long at, long bytes) {
    if (code != 0) {
      throw Cl.failure(code, call, bytes + " bytes at " + at + " of the pool");
    }
  }

  /// Queues the end of a mapping.
  static void unmap(MemorySegment queue, MemorySegment buffer, MemorySegment mapped) {
    try {
      int code =
          (int) UNMAP.invokeExact(queue, buffer, mapped, 0, MemorySegment.NULL, MemorySegment.NULL);
      Cl.check(code, "clEnqueueUnmapMemObject");
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /// Marks the end of what is queued now.
  ///
  /// @param event takes the mark
  static void mark(MemorySegment queue, MemorySegment event) {
    try {
      int code = (int) MARK.invokeExact(queue, 0, MemorySegment.NULL, event);
      Cl.check(code, "clEnqueueMarkerWithWaitList");
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /// Lets the device begin.
  static void flush(MemorySegment queue) {
    try {
      Cl.check((int) FLUSH.invokeExact(queue), "clFlush");
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /// Waits until the device has come to a mark, and forgets the mark.
  static void await(MemorySegment event) {
    try {
      int waited = (int) WAIT.invokeExact(1, event);
      int released = (int) RELEASE.invokeExact(event.get(ADDRESS, 0));
      Cl.check(waited, "clWaitForEvents");
      Cl.check(released, "clReleaseEvent");
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  private static RuntimeException rethrown(Throwable failure) {
    return switch (failure) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new DeviceException("a call into OpenCL failed: " + failure, failure);
    };
  }
}
