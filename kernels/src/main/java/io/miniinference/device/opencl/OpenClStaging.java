package io.miniinference.device.opencl;

import static org.jocl.CL.*;

import io.miniinference.device.Binding;
import io.miniinference.device.DeviceException;
import io.miniinference.device.Parts.Part;
import io.miniinference.device.host.StagedTransfers;
import io.miniinference.device.host.StagedTransfers.Transfer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.jocl.CL;
import org.jocl.cl_command_queue;
import org.jocl.cl_mem;

/// Pinned host memory through which an instance's inputs, or its outputs, cross to a device and
/// back ([StagedTransfers]).
final class OpenClStaging implements AutoCloseable {
  private final OpenClContext context;
  private final cl_mem pinned;
  private final MemorySegment memory;
  private final StagedTransfers transfers;

  OpenClStaging(OpenClContext context, long bytes) {
    this.context = context;
    long size = Math.max(bytes, StagedTransfers.ALIGNMENT);
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
    transfers = new StagedTransfers(memory);
  }

  /// Lays the regions out for a batch, each with a transfer of its own.
  void bind(List<Binding.Region> regions, int n) {
    transfers.bind(regions, n);
  }

  /// Lays the outputs of a batch out, those together that are close to each other.
  void bindOutputs(Binding binding, int n) {
    transfers.bindOutputs(binding, n);
  }

  /// Some of its bytes, whatever the regions are.
  MemorySegment part(long at, long bytes) {
    return transfers.part(at, bytes);
  }

  MemorySegment segment(int index) {
    return transfers.segment(index);
  }

  /// Queues the transfers of all regions to the pool.
  void write(MemorySegment queue, MemorySegment pool) {
    write(transfers.all(), queue, pool);
  }

  /// Queues the transfers of a part's rows of inputs to its lane.
  void write(Part part, MemorySegment queue, MemorySegment pool) {
    write(transfers.rows(part, part.binding().inputs()), queue, pool);
  }

  private void write(List<Transfer> all, MemorySegment queue, MemorySegment pool) {
    for (Transfer transfer : all) {
      long bytes = transfer.host().byteSize();
      OpenClTransfers.write(queue, pool, transfer.poolOffset(), bytes, transfer.host());
      context.counters().transfers.increment();
    }
  }

  /// Queues the transfers of a part's rows of outputs from its lane.
  void read(Part part, MemorySegment queue, MemorySegment pool) {
    read(transfers.rows(part, part.binding().outputs()), queue, pool, MemorySegment.NULL);
  }

  /// Queues the transfers of all regions from the pool. The queue is in order, so the end of the
  /// last one is the end of all.
  ///
  /// @param event takes the mark of that end
  /// @return whether there was anything to transfer, and so a mark
  boolean read(MemorySegment queue, MemorySegment pool, MemorySegment event) {
    read(transfers.all(), queue, pool, event);
    return !transfers.all().isEmpty();
  }

  private void read(
      List<Transfer> all, MemorySegment queue, MemorySegment pool, MemorySegment event) {
    for (int i = 0; i < all.size(); i++) {
      Transfer transfer = all.get(i);
      MemorySegment mark = i == all.size() - 1 ? event : MemorySegment.NULL;
      long bytes = transfer.host().byteSize();
      OpenClTransfers.read(queue, pool, transfer.poolOffset(), bytes, transfer.host(), mark);
      context.counters().transfers.increment();
    }
  }

  @Override
  public void close() {
    cl_command_queue queue = context.queue(0);
    OpenClTransfers.unmap(OpenClTransfers.address(queue), OpenClTransfers.address(pinned), memory);
    CL.clFinish(queue);
    CL.clReleaseMemObject(pinned);
  }
}
