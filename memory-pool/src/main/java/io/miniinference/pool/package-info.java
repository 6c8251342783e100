/// The best-fit pool over one device buffer of fixed capacity (RFC 0002), and what stands on it.
///
/// A [io.miniinference.pool.MemoryPool] cuts the buffer's addresses into blocks: free, used by a
/// handle, or held under a tag. It only ever deals in byte offsets, which kernels get beside the
/// one buffer. The RFC puts a 16-byte header into each block; here headers are objects on the host,
/// since a header in front of the data would break the 256-byte alignment of what follows (or cost
/// 256 bytes a block), and since the host cannot read device memory cheaply when it looks for a
/// block. Blocks form a ring in address order, for neighbours in O(1); free blocks are indexed by
/// size for best fit and by address, held ones by tag and by age, all in balanced trees.
/// [io.miniinference.pool.Lease] groups the allocations of one load into a transaction,
/// [io.miniinference.pool.OwnedBlocks] own them until the unload, and
/// [io.miniinference.pool.HeldBlocks] serve requests that repeat and cannot be reserved at load.
@NullMarked
package io.miniinference.pool;

import org.jspecify.annotations.NullMarked;
