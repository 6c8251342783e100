package io.miniinference.device.opencl;

import static org.jocl.CL.*;

import io.miniinference.device.driver.DevicePool;
import io.miniinference.device.host.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jocl.CL;
import org.jocl.Pointer;
import org.jocl.cl_command_queue;
import org.jocl.cl_mem;

/// The one pool buffer of an OpenCL device.
sealed interface OpenClPool extends DevicePool {
  cl_mem buffer();

  /// What a driver needs between the host's writes and the launches that read them.
  default void settle() {}

  /// A pool in host memory that kernels address, too.
  record Shared(Arena arena, MemorySegment memory, cl_mem buffer) implements OpenClPool {

    static Shared open(OpenClContext context, long bytes) {
      Arena arena = Arena.ofShared();
      try {
        MemorySegment memory = HostMemory.allocate(arena, bytes, context.target().info());
        // only the address of the view counts: buffers of NIO end at 2 GB
        ByteBuffer view = memory.asSlice(0, Math.min(bytes, HostMemory.PAGE_BYTES)).asByteBuffer();
        long flags = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
        return new Shared(arena, memory, context.buffer(flags, bytes, Pointer.to(view)));
      } catch (RuntimeException e) {
        arena.close();
        throw e;
      }
    }

    @Override
    public void upload(long offsetBytes, MemorySegment source) {
      memory.asSlice(offsetBytes, source.byteSize()).copyFrom(source);
    }

    @Override
    public void download(long offsetBytes, MemorySegment target) {
      target.copyFrom(memory.asSlice(offsetBytes, target.byteSize()));
    }

    @Override
    public void close() {
      CL.clReleaseMemObject(buffer);
      arena.close();
    }
  }

  /// A pool in the device's own memory.
  record Separate(OpenClContext context, cl_mem buffer, long bytes) implements OpenClPool {
    private static final int CHUNK_BYTES = 16 << 20;

    static Separate open(OpenClContext context, long bytes) {
      cl_mem buffer = context.buffer(CL_MEM_READ_WRITE, bytes, null);
      Separate pool = new Separate(context, buffer, bytes);
      try {
        pool.touch();
        return pool;
      } catch (RuntimeException e) {
        pool.close();
        throw e;
      }
    }

    /// Drivers allocate at first use, so use all of it.
    private void touch() {
      cl_command_queue queue = context.queue(0);
      OpenClTransfers.zero(
          OpenClTransfers.address(queue), OpenClTransfers.address(buffer), 0, bytes & -4);
      OpenClContext.finish(queue, "a pool of " + bytes + " bytes");
      settle();
    }

    @Override
    public void upload(long offsetBytes, MemorySegment source) {
      inChunks(
          source.byteSize(),
          offsetBytes,
          (queue, at, size, staging, pointer) -> {
            staging.asSlice(0, size).copyFrom(source.asSlice(at - offsetBytes, size));
            Cl.check(
                CL.clEnqueueWriteBuffer(queue, buffer, true, at, size, pointer, 0, null, null),
                "clEnqueueWriteBuffer");
          });
      settle();
    }

    @Override
    public void download(long offsetBytes, MemorySegment target) {
      inChunks(
          target.byteSize(),
          offsetBytes,
          (queue, at, size, staging, pointer) -> {
            Cl.check(
                CL.clEnqueueReadBuffer(queue, buffer, true, at, size, pointer, 0, null, null),
                "clEnqueueReadBuffer");
            target.asSlice(at - offsetBytes, size).copyFrom(staging.asSlice(0, size));
          });
    }

    /// Oclgrind keeps in mind which bytes have a value; a write to some of a buffer makes it forget
    /// the others, so it is shown all of them.
    @Override
    public void settle() {
      if (!context.target().isOclgrind()) {
        return;
      }
      try (Arena arena = Arena.ofConfined()) {
        Pointer all = Pointer.to(arena.allocate(bytes).asByteBuffer());
        cl_command_queue queue = context.queue(0);
        Cl.check(
            CL.clEnqueueReadBuffer(queue, buffer, true, 0, bytes, all, 0, null, null),
            "clEnqueueReadBuffer");
        Cl.check(
            CL.clEnqueueWriteBuffer(queue, buffer, true, 0, bytes, all, 0, null, null),
            "clEnqueueWriteBuffer");
      }
    }

    private void inChunks(long size, long offset, Transfer transfer) {
      if (offset < 0 || size > bytes - offset) {
        throw new IndexOutOfBoundsException(
            "%d bytes at %d of a pool of %d bytes".formatted(size, offset, bytes));
      }
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment staging = arena.allocate(Math.clamp(size, 1, CHUNK_BYTES));
        Pointer pointer = Pointer.to(staging.asByteBuffer());
        for (long done = 0; done < size; done += CHUNK_BYTES) {
          transfer.run(
              context.queue(0),
              offset + done,
              Math.min(CHUNK_BYTES, size - done),
              staging,
              pointer);
          context.counters().transfers.increment();
        }
      }
    }

    @Override
    public void close() {
      CL.clReleaseMemObject(buffer);
    }

    /// One blocking transfer between staging memory and the pool.
    @FunctionalInterface
    private interface Transfer {
      void run(cl_command_queue queue, long at, long size, MemorySegment staging, Pointer pointer);
    }
  }
}
