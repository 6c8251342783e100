package io.miniinference.device;

import static org.jocl.CL.*;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.jocl.CL;
import org.jocl.cl_command_queue;
import org.jocl.cl_mem;

/// Pinned host memory through which an instance's inputs, or its outputs, cross to a device and
/// back. Regions lie one behind the other, each rounded up to 256 bytes.
final class OpenClStaging implements AutoCloseable {
  private static final long ALIGNMENT = 256;

  private final OpenClContext context;
  private final cl_mem pinned;
  private final MemorySegment memory;
  private MemorySegment[] segments = {};
  private long[] sizes = {};
  private long[] poolOffsets = {};

  OpenClStaging(OpenClContext context, long bytes) {
    this.context = context;
    long size = Math.max(bytes, ALIGNMENT);
    if (size > Integer.MAX_VALUE) {
      throw new DeviceException(
          "staging of %d bytes is more than one mapping can be; lower engine.batching.max-size"
              .formatted(size));
    }
    pinned = context.buffer(CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size, null);
    int[] code = {0};
    long flags = CL_MAP_READ | CL_MAP_WRITE;
    ByteBuffer mapped =
        CL.clEnqueueMapBuffer(context.queue(0), pinned, true, flags, 0, size, 0, null, null, code);
    Cl.check(code[0], "clEnqueueMapBuffer");
    memory = MemorySegment.ofBuffer(mapped);
  }

  /// Lays the regions out for a batch.
  void bind(List<Binding.Region> regions, int n) {
    segments = new MemorySegment[regions.size()];
    sizes = new long[regions.size()];
    poolOffsets = new long[regions.size()];
    long at = 0;
    for (int i = 0; i < segments.length; i++) {
      long size = regions.get(i).sizeBytes().at(n);
      if (size > memory.byteSize() - at) {
        throw new IllegalArgumentException(
            "region %d takes %d bytes at batch size %d, and staging was prepared with %d in all"
                .formatted(i, size, n, memory.byteSize()));
      }
      segments[i] = memory.asSlice(at, size);
      sizes[i] = size;
      poolOffsets[i] = regions.get(i).offsetBytes();
      at = Math.ceilDiv(at + size, ALIGNMENT) * ALIGNMENT;
    }
  }

  /// Some of its bytes, whatever the regions are.
  MemorySegment part(long at, long bytes) {
    return memory.asSlice(at, bytes);
  }

  MemorySegment segment(int index) {
    return segments[index];
  }

  /// Queues the transfers of all regions to the pool.
  void write(MemorySegment queue, MemorySegment pool) {
    for (int i = 0; i < segments.length; i++) {
      if (sizes[i] > 0) {
        OpenClTransfers.write(queue, pool, poolOffsets[i], sizes[i], segments[i]);
        context.counters().transfers.increment();
      }
    }
  }

  /// Queues the transfers of all regions from the pool. The queue is in order, so the end of the
  /// last one is the end of all.
  ///
  /// @param event takes the mark of that end
  /// @return whether there was anything to transfer, and so a mark
  boolean read(MemorySegment queue, MemorySegment pool, MemorySegment event) {
    int last = sizes.length - 1;
    while (last >= 0 && sizes[last] == 0) {
      last--;
    }
    for (int i = 0; i <= last; i++) {
      if (sizes[i] > 0) {
        MemorySegment mark = i == last ? event : MemorySegment.NULL;
        OpenClTransfers.read(queue, pool, poolOffsets[i], sizes[i], segments[i], mark);
        context.counters().transfers.increment();
      }
    }
    return last >= 0;
  }

  @Override
  public void close() {
    cl_command_queue queue = context.queue(0);
    OpenClTransfers.unmap(OpenClTransfers.address(queue), OpenClTransfers.address(pinned), memory);
    CL.clFinish(queue);
    CL.clReleaseMemObject(pinned);
  }
}
