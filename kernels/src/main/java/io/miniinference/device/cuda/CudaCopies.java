package io.miniinference.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.miniinference.device.ProgramCode;
import io.miniinference.device.ProgramCode.OpenClKernel;
import io.miniinference.device.opencl.PtxCompiler;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Transfers between pinned memory and the pool. Kernels make small ones, which read the one and
/// write the other: the copy engine takes several microseconds to begin and to hand back, a launch
/// one. Many bytes move as fast through the engine, and leave the processors to other requests. One
/// thread submits at a time.
final class CudaCopies implements AutoCloseable {
  /// Most bytes of a range that a kernel takes: an input of 200 kB came sooner so on an H200, one
  /// of 800 kB as soon.
  private static final long MOST_BYTES = 256 << 10;

  /// Most bytes that a single group writes ahead of a mark.
  private static final long MOST_MARKED_BYTES = 16 << 10;

  /// Ranges of a launch.
  private static final int RANGES = 4;

  /// Of a range: target, source, bytes.
  private static final int WORDS = 3;

  private static final int VECTOR_BYTES = 16;
  private static final int GROUP = 256;
  private static final int[] LOCAL = {GROUP, 1, 1};

  /// A work item takes 16 bytes of a range, and those that are so many items further. Target and
  /// source lie equally far behind a multiple of 16. In `copies` the second dimension says which
  /// range it is, and there are items for all of its bytes; in `last` one group copies all, and
  /// then writes the mark, which the host sees behind them.
  private static final String TEXT =
      """
      static void copy(ulong target, ulong source, ulong bytes, ulong items) {
        global uchar *to = (global uchar *)target;
        global const uchar *from = (global const uchar *)source;
        ulong item = get_global_id(0);
        ulong head = min((16 - (target & 15)) & 15, bytes);
        ulong vectors = (bytes - head) / 16;
        for (ulong v = item; v < vectors; v += items) {
          ((global uint4 *)(to + head))[v] = ((global const uint4 *)(from + head))[v];
        }
        if (item < head) {
          to[item] = from[item];
        }
        ulong tail = head + 16 * vectors + item;
        if (tail < bytes) {
          to[tail] = from[tail];
        }
      }

      __attribute__((reqd_work_group_size(256, 1, 1)))
      kernel void copies(ulong t0, ulong s0, ulong b0, ulong t1, ulong s1, ulong b1,
                         ulong t2, ulong s2, ulong b2, ulong t3, ulong s3, ulong b3) {
        switch (get_group_id(1)) {
          case 0: copy(t0, s0, b0, b0); break;
          case 1: copy(t1, s1, b1, b1); break;
          case 2: copy(t2, s2, b2, b2); break;
          default: copy(t3, s3, b3, b3);
        }
      }

      __attribute__((reqd_work_group_size(256, 1, 1)))
      kernel void last(ulong t0, ulong s0, ulong b0, ulong t1, ulong s1, ulong b1,
                       ulong t2, ulong s2, ulong b2, ulong t3, ulong s3, ulong b3, ulong mark) {
        copy(t0, s0, b0, 256);
        copy(t1, s1, b1, 256);
        copy(t2, s2, b2, 256);
        copy(t3, s3, b3, 256);
        __asm__ volatile("membar.sys;" ::: "memory");
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (get_global_id(0) == 0 && mark != 0) {
          *(volatile global int *)mark = 1;
        }
      }
      """;

  private final CudaProgram program;
  private final MemorySegment copies;
  private final MemorySegment last;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment words = arena.allocate(JAVA_LONG, (long) RANGES * WORDS + 1);
  private final MemorySegment addresses = arena.allocate(ADDRESS, (long) RANGES * WORDS + 1);
  private final int[] groups = {1, 1, 1};

  /// Bytes to copy.
  record Range(long target, long source, long bytes) {
    /// Whether a kernel takes it.
    boolean isSmall() {
      return bytes <= MOST_BYTES && target % VECTOR_BYTES == source % VECTOR_BYTES;
    }
  }

  CudaCopies(CudaContext context, PtxCompiler compiler) {
    var code =
        new ProgramCode(
            "transfers",
            TEXT,
            "",
            List.of(new OpenClKernel("copies", 0), new OpenClKernel("last", 0)));
    program = new CudaProgram(context, code, compiler.compile(code), _ -> {});
    copies = program.function("copies");
    last = program.function("last");
    for (int i = 0; i <= RANGES * WORDS; i++) {
      addresses.setAtIndex(ADDRESS, i, words.asSlice((long) i * Long.BYTES));
    }
    // launches of no bytes, with which the driver loads them
    CudaCalls.launch(copies, groups, LOCAL, context.stream(), addresses);
    CudaCalls.launch(last, groups, LOCAL, context.stream(), addresses);
    context.finish();
  }

  /// Queues copies of all ranges, in any order.
  void queue(List<Range> ranges, MemorySegment stream) {
    List<Range> small = ranges.stream().filter(Range::isSmall).toList();
    for (int from = 0; from < small.size(); from += RANGES) {
      List<Range> together = small.subList(from, Math.min(from + RANGES, small.size()));
      long most = together.stream().mapToLong(Range::bytes).max().orElseThrow();
      groups[0] = Math.toIntExact(Math.ceilDiv(most, (long) VECTOR_BYTES * GROUP));
      groups[1] = together.size();
      launch(copies, together, 0, stream);
    }
    ranges.stream()
        .filter(range -> !range.isSmall())
        .forEach(range -> CudaCalls.copy(range.target, range.source, range.bytes, stream));
  }

  /// Whether one group copies them all, ahead of a mark.
  static boolean areLast(List<Range> ranges) {
    return ranges.size() <= RANGES
        && ranges.stream().allMatch(Range::isSmall)
        && ranges.stream().mapToLong(Range::bytes).sum() <= MOST_MARKED_BYTES;
  }

  /// Queues copies, and a mark behind them.
  void queueLast(List<Range> ranges, CudaMark mark, MemorySegment stream) {
    groups[0] = 1;
    groups[1] = 1;
    launch(last, ranges, mark.address(), stream);
  }

  private void launch(MemorySegment kernel, List<Range> ranges, long mark, MemorySegment stream) {
    words.fill((byte) 0);
    for (int i = 0; i < ranges.size(); i++) {
      Range range = ranges.get(i);
      words.setAtIndex(JAVA_LONG, (long) i * WORDS, range.target);
      words.setAtIndex(JAVA_LONG, (long) i * WORDS + 1, range.source);
      words.setAtIndex(JAVA_LONG, (long) i * WORDS + 2, range.bytes);
    }
    words.setAtIndex(JAVA_LONG, (long) RANGES * WORDS, mark);
    CudaCalls.launch(kernel, groups, LOCAL, stream, addresses);
  }

  @Override
  public void close() {
    program.close();
    arena.close();
  }
}
