package io.miniinference.device.cuda;

import io.miniinference.device.cuda.CudaCopies.Range;
import io.miniinference.device.host.StagedTransfers;
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

  /// Queues the transfers of all regions to the pool.
  ///
  /// @return how many there are
  int write(CudaPool pool, CudaCopies copies, MemorySegment stream) {
    copies.queue(ranges((host, inPool, bytes) -> new Range(inPool, host, bytes), pool), stream);
    return transfers.all().size();
  }

  /// Queues the transfers of all regions from the pool, which are the last of a run.
  ///
  /// @return whether the mark tells of the run's end
  boolean read(CudaPool pool, CudaCopies copies, MemorySegment stream) {
    List<Range> ranges = ranges(Range::new, pool);
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

  private List<Range> ranges(Direction direction, CudaPool pool) {
    return transfers.all().stream()
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
