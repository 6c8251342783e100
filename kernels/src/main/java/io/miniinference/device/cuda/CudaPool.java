package io.miniinference.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.miniinference.device.DeviceException;
import io.miniinference.device.driver.DevicePool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The one pool buffer of a GPU.
///
/// @param address in the device's memory
record CudaPool(CudaContext context, long address, long bytes) implements DevicePool {
  private static final int CHUNK_BYTES = 16 << 20;

  static CudaPool open(CudaContext context, long bytes) {
    CudaPool pool = new CudaPool(context, room(context, bytes), bytes);
    try {
      CudaCalls.zero(pool.address, bytes, context.stream());
      context.finish();
      return pool;
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private static long room(CudaContext context, long bytes) {
    try {
      return context.allocate(bytes);
    } catch (DeviceException e) {
      throw new DeviceException(
          "no room for a pool of %,d bytes: the GPU has %s, since other processes or the driver have the rest; set engine.pool.capacity lower, or end others (%s)"
              .formatted(bytes, context.freeMemory(), e.getMessage()),
          e);
    }
  }

  @Override
  public void upload(long offset, MemorySegment source) {
    MethodHandle copy = Cuda.find("cuMemcpyHtoD_v2", JAVA_LONG, ADDRESS, JAVA_LONG);
    inChunks(
        offset,
        source.byteSize(),
        (at, staging) -> {
          staging.copyFrom(source.asSlice(at, staging.byteSize()));
          long to = address + offset + at;
          Cuda.call("cuMemcpyHtoD", copy, to, staging, staging.byteSize());
        });
  }

  @Override
  public void download(long offset, MemorySegment target) {
    MethodHandle copy = Cuda.find("cuMemcpyDtoH_v2", ADDRESS, JAVA_LONG, JAVA_LONG);
    inChunks(
        offset,
        target.byteSize(),
        (at, staging) -> {
          long from = address + offset + at;
          Cuda.call("cuMemcpyDtoH", copy, staging, from, staging.byteSize());
          target.asSlice(at, staging.byteSize()).copyFrom(staging);
        });
  }

  /// One blocking transfer of some bytes.
  private interface Transfer {
    void run(long at, MemorySegment staging);
  }

  private void inChunks(long offset, long size, Transfer transfer) {
    if (offset < 0 || size > bytes - offset) {
      throw new IndexOutOfBoundsException(
          "%d bytes at %d of a pool of %d bytes".formatted(size, offset, bytes));
    }
    context.finish(); // such copies wait for no stream
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment staging = arena.allocate(Math.clamp(size, 1, CHUNK_BYTES));
      for (long at = 0; at < size; at += CHUNK_BYTES) {
        transfer.run(at, staging.asSlice(0, Math.min(CHUNK_BYTES, size - at)));
        context.counters().transfers.increment();
      }
    }
  }

  @Override
  public void close() {
    context.free(address);
  }
}
