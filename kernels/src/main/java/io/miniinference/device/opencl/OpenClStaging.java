package io.miniinference.device.opencl;

import static org.jocl.CL.*;

import io.miniinference.device.Binding;
import io.miniinference.device.DeviceException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jocl.CL;
import org.jocl.cl_command_queue;
import org.jocl.cl_mem;

/// Pinned host memory through which an instance's inputs, or its outputs, cross to a device and
/// back. Regions lie one behind the other, each rounded up to 256 bytes.
///
/// Outputs that are close to each other in the pool, as failure slots and the outputs of small
/// batches are, come back in one transfer with what lies between them: to queue another one takes
/// longer than some kilobytes more.
final class OpenClStaging implements AutoCloseable {
  private static final long ALIGNMENT = 256;

  /// Most bytes between two outputs that are transferred together.
  private static final long MOST_BETWEEN_BYTES = 32 << 10;

  /// Room for what lies between a few outputs.
  static final long BETWEEN_BYTES = 2 * MOST_BETWEEN_BYTES;

  /// A transfer of bytes of the pool, from or to staging.
  private record Transfer(long poolOffset, MemorySegment host) {}

  private final OpenClContext context;
  private final cl_mem pinned;
  private final MemorySegment memory;
  private MemorySegment[] segments = {};
  private List<Transfer> transfers = List.of();

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

  /// Lays the regions out for a batch, each with a transfer of its own.
  void bind(List<Binding.Region> regions, int n) {
    segments = new MemorySegment[regions.size()];
    transfers = new ArrayList<>();
    long at = 0;
    for (int i = 0; i < segments.length; i++) {
      long size = regions.get(i).sizeBytes().at(n);
      if (size > memory.byteSize() - at) {
        throw new IllegalArgumentException(
            "region %d takes %d bytes at batch size %d, and staging was prepared with %d in all"
                .formatted(i, size, n, memory.byteSize()));
      }
      segments[i] = memory.asSlice(at, size);
      if (size > 0) {
        transfers.add(new Transfer(regions.get(i).offsetBytes(), segments[i]));
      }
      at = aligned(at + size);
    }
  }

  /// Lays the regions out for a batch, those together that are close to each other, as far as there
  /// is room for what is between them.
  void bindTogether(List<Binding.Region> regions, int n) {
    bind(regions, n);
    List<Integer> order =
        IntStream.range(0, segments.length)
            .filter(i -> segments[i].byteSize() > 0)
            .boxed()
            .sorted(Comparator.comparingLong(i -> regions.get(i).offsetBytes()))
            .toList();
    List<Transfer> together = new ArrayList<>();
    MemorySegment[] parts = segments.clone();
    long at = 0;
    for (List<Integer> group : groups(order, regions)) {
      long start = regions.get(group.getFirst()).offsetBytes();
      at += start % ALIGNMENT;
      long bytes = end(group, regions) - start;
      if (bytes > memory.byteSize() - at) {
        return;
      }
      MemorySegment host = memory.asSlice(at, bytes);
      together.add(new Transfer(start, host));
      for (int i : group) {
        parts[i] = host.asSlice(regions.get(i).offsetBytes() - start, segments[i].byteSize());
      }
      at = aligned(at + bytes);
    }
    segments = parts;
    transfers = together;
  }

  /* Regions, in order of their offsets, parted where there is too much between them. */
  private List<List<Integer>> groups(List<Integer> order, List<Binding.Region> regions) {
    List<List<Integer>> groups = new ArrayList<>();
    for (int i : order) {
      long start = regions.get(i).offsetBytes();
      if (groups.isEmpty() || start > end(groups.getLast(), regions) + MOST_BETWEEN_BYTES) {
        groups.add(new ArrayList<>());
      }
      groups.getLast().add(i);
    }
    return groups;
  }

  private long end(List<Integer> group, List<Binding.Region> regions) {
    return group.stream()
        .mapToLong(i -> regions.get(i).offsetBytes() + segments[i].byteSize())
        .max()
        .orElseThrow();
  }

  private static long aligned(long bytes) {
    return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
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
    for (Transfer transfer : transfers) {
      long bytes = transfer.host.byteSize();
      OpenClTransfers.write(queue, pool, transfer.poolOffset, bytes, transfer.host);
      context.counters().transfers.increment();
    }
  }

  /// Queues the transfers of all regions from the pool. The queue is in order, so the end of the
  /// last one is the end of all.
  ///
  /// @param event takes the mark of that end
  /// @return whether there was anything to transfer, and so a mark
  boolean read(MemorySegment queue, MemorySegment pool, MemorySegment event) {
    for (int i = 0; i < transfers.size(); i++) {
      Transfer transfer = transfers.get(i);
      MemorySegment mark = i == transfers.size() - 1 ? event : MemorySegment.NULL;
      long bytes = transfer.host.byteSize();
      OpenClTransfers.read(queue, pool, transfer.poolOffset, bytes, transfer.host, mark);
      context.counters().transfers.increment();
    }
    return !transfers.isEmpty();
  }

  @Override
  public void close() {
    cl_command_queue queue = context.queue(0);
    OpenClTransfers.unmap(OpenClTransfers.address(queue), OpenClTransfers.address(pinned), memory);
    CL.clFinish(queue);
    CL.clReleaseMemObject(pinned);
  }
}
