package io.miniinference.device.cuda;

import io.miniinference.device.host.StagedTransfers;
import java.lang.foreign.MemorySegment;

/// Pinned host memory through which an instance's inputs, or its outputs, cross to a GPU and back.
///
/// @param transfers where what lies in it
record CudaStaging(CudaContext context, MemorySegment memory, StagedTransfers transfers)
    implements AutoCloseable {

  static CudaStaging of(CudaContext context, long bytes) {
    MemorySegment memory = context.pinned(Math.max(bytes, StagedTransfers.ALIGNMENT));
    return new CudaStaging(context, memory, new StagedTransfers(memory));
  }

  /// Queues the transfers of all regions to the pool.
  ///
  /// @return how many there are
  int write(CudaPool pool, MemorySegment stream) {
    transfers
        .all()
        .forEach(it -> CudaCalls.toDevice(pool.address() + it.poolOffset(), it.host(), stream));
    return transfers.all().size();
  }

  /// Queues the transfers of all regions from the pool.
  ///
  /// @return how many there are
  int read(CudaPool pool, MemorySegment stream) {
    transfers
        .all()
        .forEach(it -> CudaCalls.toHost(it.host(), pool.address() + it.poolOffset(), stream));
    return transfers.all().size();
  }

  @Override
  public void close() {
    context.freePinned(memory);
  }
}
