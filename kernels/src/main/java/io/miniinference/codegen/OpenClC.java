package io.miniinference.codegen;

import java.util.List;
import java.util.stream.IntStream;

/// OpenCL C 1.2.
///
/// @param options build options
/// @param unrolling whether kernels ask for loops to be unrolled
public record OpenClC(String options, boolean unrolling) implements Dialect {
  /// PoCL has nothing of unrolling: it takes several times as long to compile unrolled loops, and
  /// goes wrong over some with conditions inside.
  private static final String UNROLLING =
      """
      #ifdef POCL_DEVICE_ADDRESS_BITS
      #define UNROLL
      #define UNROLL_BY_4
      #else
      #define UNROLL _Pragma("unroll")
      #define UNROLL_BY_4 _Pragma("unroll 4")
      #endif
      """;

  /// LLVM would put functions that are called once in the place of the call, and takes long over
  /// kernels of tens of thousands of lines.
  private static final String OUTLINING =
      """
      #ifdef POCL_DEVICE_ADDRESS_BITS
      #define OUTLINED __attribute__((noinline))
      #else
      #define OUTLINED
      #endif
      """;

  /// PoCL copies the end of a kernel for each branch that leads there from behind a barrier, if one
  /// from ahead of all barriers does so too, and then has all work items of a work-group take the
  /// branch that the first takes. At a barrier all branches meet ahead of the end.
  private static final String ENDING =
      """
      #ifdef POCL_DEVICE_ADDRESS_BITS
      #define GROUP_END barrier(CLK_LOCAL_MEM_FENCE);
      #else
      #define GROUP_END
      #endif
      """;

  /// PoCL's own looks at one lane after the other.
  private static final String ANY_LANE =
      """
      #ifdef POCL_DEVICE_ADDRESS_BITS
      inline int any_lane(const int16 lanes) {
        const int8 eight = lanes.lo | lanes.hi;
        const int4 four = eight.lo | eight.hi;
        const int2 two = four.lo | four.hi;
        return (two.x | two.y) < 0;
      }
      #else
      #define any_lane any
      #endif
      """;

  /// Half of the lanes are added to the other half, of two vectors at a time, four times over.
  private static final String LANE_SUMS =
      """
      inline float16 halves_of(const float16 a, const float16 b) {
        return (float16)(a.lo, b.lo) + (float16)(a.hi, b.hi);
      }
      inline float16 quarters_of(const float16 a, const float16 b) {
        return (float16)(a.lo.lo, a.hi.lo, b.lo.lo, b.hi.lo) + (float16)(a.lo.hi, a.hi.hi, b.lo.hi, b.hi.hi);
      }
      inline float16 pairs_of(const float16 a, const float16 b) {
        return (float16)(a.even, b.even) + (float16)(a.odd, b.odd);
      }
      inline float16 sums_of_four(const float16 a, const float16 b, const float16 c, const float16 d) {
        return quarters_of(halves_of(a, b), halves_of(c, d));
      }
      inline float16 lane_sums(
          const float16 a0, const float16 a1, const float16 a2, const float16 a3,
          const float16 a4, const float16 a5, const float16 a6, const float16 a7,
          const float16 a8, const float16 a9, const float16 a10, const float16 a11,
          const float16 a12, const float16 a13, const float16 a14, const float16 a15) {
        const float16 low = pairs_of(sums_of_four(a0, a1, a2, a3), sums_of_four(a4, a5, a6, a7));
        const float16 high = pairs_of(sums_of_four(a8, a9, a10, a11), sums_of_four(a12, a13, a14, a15));
        return pairs_of(low, high);
      }
      """;

  /// PoCL does nothing for `prefetch` of OpenCL C.
  private static final String PREFETCHING =
      """
      #ifdef POCL_DEVICE_ADDRESS_BITS
      #define PREFETCH(p) __builtin_prefetch((const void*)(size_t)(p))
      #else
      #define PREFETCH(p) prefetch(p, 1)
      #endif
      """;

  /// Vectors at any address: PoCL's own loads and stores take small integers one by one, and make
  /// vectors of floats of pairs, which stay pairs where several vectors share them.
  private static final String SMALL =
      """
      typedef float16 __attribute__((aligned(4))) unaligned_float16;
      typedef char16 __attribute__((aligned(1))) unaligned_char16;
      typedef uchar16 __attribute__((aligned(1))) unaligned_uchar16;
      typedef short16 __attribute__((aligned(2))) unaligned_short16;
      typedef ushort16 __attribute__((aligned(2))) unaligned_ushort16;
      """;

  private static final String DOUBLES = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";

  @Override
  public String spell(Word word, List<String> arguments) {
    return switch (word) {
      case GLOBAL -> "global";
      case LOCAL, SHARED -> "local";
      case ALIGNED -> "__attribute__((aligned(16)))";
      case OUTLINED -> "OUTLINED";
      case FUNCTION -> "inline";
      case LOCAL_ID -> "get_local_id(0)";
      case GROUP_ID -> "get_group_id(" + arguments.getFirst() + ")";
      case GLOBAL_ID -> "get_global_id(0)";
      case BARRIER -> "barrier(CLK_LOCAL_MEM_FENCE)";
      case GROUP_END -> "GROUP_END";
      case UNROLL -> "UNROLL";
      case UNROLL_BY_4 -> "UNROLL_BY_4";
      case ATOMIC_OR -> call("atomic_or", arguments);
      case ATOMIC_NEXT -> call("atomic_inc", arguments);
      case ATOMIC_ADD -> call("atomic_add", arguments);
      case ATOMIC_SET -> call("atomic_xchg", arguments);
      case ATOMIC_MAX -> call("atomic_max", arguments);
      case SPLAT -> "(float" + arguments.get(0) + ")(" + arguments.get(1) + ")";
      case LOAD -> call("vload" + arguments.getFirst(), arguments.subList(1, 3));
      case LOAD_NEAR -> "(*(global const unaligned_float16*)(" + arguments.getFirst() + "))";
      case STORE -> call("vstore" + arguments.getFirst(), arguments.subList(1, 4));
      case LOAD_SMALL ->
          "(*(global const unaligned_" + arguments.get(0) + "16*)(" + arguments.get(1) + "))";
      case GATHER -> gather(arguments.get(0), arguments.get(1), arguments.get(2));
      case STORE_SMALL ->
          "*(global unaligned_"
              + arguments.get(0)
              + "16*)("
              + arguments.get(2)
              + ") = "
              + arguments.get(1);
      case PREFETCH -> call("PREFETCH", arguments);
      case SELECT -> call("select", arguments);
      case MASK -> "(int16)(" + arguments.getFirst() + ")";
      case ANY -> call("any_lane", arguments);
      case LANE_SUMS -> call("lane_sums", arguments);
      case LOAD_HALF -> call("vload_half", arguments);
      case STORE_HALF -> call("vstore_half_rte", arguments);
      case SHARED_ADDRESS -> "(uint)(size_t)(" + arguments.getFirst() + ")";
      case BITS_OF -> call("as_uint", arguments);
      case FLOAT_OF -> call("as_float", arguments);
      case LONG_OF -> call("as_long", arguments);
      case DOUBLE_OF -> call("as_double", arguments);
      case FLOATS_OF -> call("as_float16", arguments);
      case INTS_OF -> call("as_int16", arguments);
      case CONVERT -> "convert_" + arguments.get(0) + "(" + arguments.get(1) + ")";
      case SATURATED -> "convert_" + arguments.get(0) + "_sat(" + arguments.get(1) + ")";
      case TYPE_OF -> call("__typeof__", arguments);
    };
  }

  private static String gather(String type, String pointer, String stride) {
    List<String> lanes =
        IntStream.range(0, 16)
            .mapToObj(lane -> pointer + "[" + lane + " * " + stride + "]")
            .toList();
    return call("(" + type + "16)", lanes);
  }

  private static String call(String function, List<String> arguments) {
    return function + "(" + String.join(", ", arguments) + ")";
  }

  @Override
  public String kernel(String name, int group, int offsets) {
    StringBuilder text = new StringBuilder("kernel ");
    text.append("__attribute__((reqd_work_group_size(").append(group).append(",1,1))) void ");
    text.append(name).append("(global uchar* pool, const int n, const int first");
    for (int i = 0; i < offsets; i++) {
      text.append(", const ulong o").append(i);
    }
    return text.append(")").toString();
  }

  @Override
  public String preamble(String code, String shared) {
    return (unrolling && code.contains("UNROLL") ? UNROLLING : "")
        + ((code + shared).contains("OUTLINED") ? OUTLINING : "")
        + (code.contains("GROUP_END") ? ENDING : "")
        + ((code + shared).contains("any_lane(") ? ANY_LANE : "")
        + (code.contains("lane_sums(") ? LANE_SUMS : "")
        + ((code + shared).contains("unaligned_") ? SMALL : "")
        + ((code + shared).contains("PREFETCH") ? PREFETCHING : "")
        + (code.contains("double") ? DOUBLES : "");
  }
}
