package io.miniinference.device;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.miniinference.device.ProgramCode.JavaKernel;
import io.miniinference.device.ProgramCode.OpenClKernel;
import java.util.List;

/// Small kernels over 32-bit integers, written twice.
public final class TestKernels {
  private static final String ITEM = "__attribute__((reqd_work_group_size(1, 1, 1))) kernel void ";

  private static final String OPEN_CL =
      ITEM
          + """
          count(global uchar* pool, int n, int first, ulong o0) {
            if (n < 0) return;
            global int* cells = (global int*) (pool + o0);
            cells[first + (int) get_global_id(0)] += 1;
          }
          """
          + ITEM
          + """
          mirror(global uchar* pool, int n, int first, ulong o0, ulong o1) {
            if (n < 0) return;
            global int* from = (global int*) (pool + o0);
            global int* to = (global int*) (pool + o1);
            int i = first + (int) get_global_id(0);
            to[i] = from[n - 1 - i] + i;
          }
          """
          + ITEM
          + """
          batch(global uchar* pool, int n, int first, ulong o0) {
            if (n < 0) return;
            *(global int*) (pool + o0) = n;
          }
          """;

  private TestKernels() {}

  public static ProgramCode openCl() {
    return openCl("");
  }

  /// The same program with another text, so that no cache knows it: PoCL's do not look at comments.
  public static ProgramCode openCl(String remark) {
    return new ProgramCode(
        "test kernels",
        "constant char REMARK[] = \"" + remark + "\";\n" + OPEN_CL,
        "",
        List.of(
            new OpenClKernel("count", 1),
            new OpenClKernel("mirror", 2),
            new OpenClKernel("batch", 1)));
  }

  public static ProgramCode java() {
    return new ProgramCode(
        "test kernels",
        "",
        "",
        List.of(
            new JavaKernel("count", TestKernels::count),
            new JavaKernel("mirror", TestKernels::mirror),
            new JavaKernel("batch", TestKernels::batch)));
  }

  private static void count(
      java.lang.foreign.MemorySegment pool, int n, long first, long count, long[] offsets) {
    for (long i = first; i < first + count; i++) {
      long at = offsets[0] + 4 * i;
      pool.set(JAVA_INT_UNALIGNED, at, pool.get(JAVA_INT_UNALIGNED, at) + 1);
    }
  }

  private static void mirror(
      java.lang.foreign.MemorySegment pool, int n, long first, long count, long[] offsets) {
    for (long i = first; i < first + count; i++) {
      int value = pool.get(JAVA_INT_UNALIGNED, offsets[0] + 4 * (n - 1 - i));
      pool.set(JAVA_INT_UNALIGNED, offsets[1] + 4 * i, value + (int) i);
    }
  }

  private static void batch(
      java.lang.foreign.MemorySegment pool, int n, long first, long count, long[] offsets) {
    pool.set(JAVA_INT_UNALIGNED, offsets[0], n);
  }
}
