package io.miniinference.device.cuda;

import io.miniinference.device.Binding;
import io.miniinference.device.Parts.Part;
import io.miniinference.device.cuda.CudaCopies.Range;
import io.miniinference.device.host.StagedTransfers;
import io.miniinference.device.host.StagedTransfers.Transfer;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Pinned host memory through which an instance's inputs, or its outputs, cross to a GPU and back.
///
/// @param memory all of it
/// @param transfers where what lies in it
/// @param mark of runs whose outputs it takes
record CudaStaging(
    CudaContext context, MemorySegment memory, StagedTransfers transfers, CudaMark mark)
    implements AutoCloseable {

  static CudaStaging of(CudaContext context, long bytes) {
    long regions = Math.ceilDiv(Math.max(bytes, 1), StagedTransfers.ALIGNMENT);
    long markAt = regions * StagedTransfers.ALIGNMENT;
    MemorySegment memory = context.pinned(markAt + CudaMark.BYTES);
    return new CudaStaging(
        context,
        memory,
        new StagedTransfers(memory.asSlice(0, markAt)),
        new CudaMark(memory.asSlice(markAt)));
  }

  /// Lays outputs out for a batch. Of one that goes in parts, what the parts do not bring crosses
  /// at the end: the failure slots.
  void bind(Binding binding, int n) {
    transfers.bindOutputs(binding, n);
  }

  /// Queues the transfers of all regions to the pool.
  ///
  /// @return how many there are
  int write(CudaPool pool, CudaCopies copies, MemorySegment stream) {
    return write(transfers.all(), pool, copies, stream);
  }

  /// Queues the transfers of a part's rows of inputs to its lane.
  ///
  /// @return how many there are
  int write(Part part, CudaPool pool, CudaCopies copies, MemorySegment stream) {
    return write(transfers.rows(part, part.binding().inputs()), pool, copies, stream);
  }

  private static int write(
      List<Transfer> all, CudaPool pool, CudaCopies copies, MemorySegment stream) {
    copies.queue(
        ranges(all, (host, inPool, bytes) -> new Range(inPool, host, bytes), pool), stream);
    return all.size();
  }

  /// Queues the transfers of a part's rows of outputs from its lane.
  ///
  /// @return how many there are
  int read(Part part, CudaPool pool, CudaCopies copies, MemorySegment stream) {
    List<Transfer> all = transfers.rows(part, part.binding().outputs());
    copies.queue(ranges(all, Range::new, pool), stream);
    return all.size();
  }

  /// Queues the transfers of all regions from the pool, which are the last of a run.
  ///
  /// @return whether the mark tells of the run's end
  boolean read(CudaPool pool, CudaCopies copies, MemorySegment stream) {
    List<Range> ranges = ranges(transfers.all(), Range::new, pool);
    boolean isMarked = context.isSpinning() && CudaCopies.areLast(ranges);
    if (isMarked) {
      copies.queueLast(ranges, mark, stream);
    } else {
      copies.queue(ranges, stream);
    }
    return isMarked;
  }

  private interface Direction {
    Range of(long host, long inPool, long bytes);
  }

  private static List<Range> ranges(List<Transfer> all, Direction direction, CudaPool pool) {
    return all.stream()
        .map(it ->
            direction.of(
                it.host().address(), pool.address() + it.poolOffset(), it.host().byteSize()))
        .toList();
  }

  @Override
  public void close() {
    context.freePinned(memory);
  }
}
