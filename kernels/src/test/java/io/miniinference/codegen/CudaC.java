package io.miniinference.codegen;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// CUDA C++ as NVRTC takes it: the proof that kernel text does not depend on OpenCL. There is no
/// driver for it. Of operators and functions of vectors the preamble has one of each kind.
record CudaC() implements Dialect {
  private static final String PREAMBLE =
      """
      typedef unsigned char uchar;
      typedef unsigned short ushort;
      typedef unsigned int uint;
      typedef unsigned long ulong;
      struct float16 { float s[16]; };
      struct int16 { int s[16]; };
      __device__ inline float16 splat16(float x) { float16 v; for (int i = 0; i < 16; i++) v.s[i] = x; return v; }
      __device__ inline int16 mask16(int x) { int16 v; for (int i = 0; i < 16; i++) v.s[i] = x; return v; }
      __device__ inline int any16(int16 v) { int r = 0; for (int i = 0; i < 16; i++) r |= v.s[i]; return r != 0; }
      __device__ inline float16 selectEach(float16 a, float16 b, int16 c) { for (int i = 0; i < 16; i++) a.s[i] = c.s[i] ? b.s[i] : a.s[i]; return a; }
      __device__ inline float16 operator+(float16 a, float16 b) { for (int i = 0; i < 16; i++) a.s[i] += b.s[i]; return a; }
      __device__ inline int16 operator<(float16 a, float16 b) { int16 c; for (int i = 0; i < 16; i++) c.s[i] = -(a.s[i] < b.s[i]); return c; }
      __device__ inline float16 exp(float16 a) { for (int i = 0; i < 16; i++) a.s[i] = expf(a.s[i]); return a; }
      __device__ inline float4 splat4(float x) { return make_float4(x, x, x, x); }
      __device__ inline float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
      __device__ inline float4 operator/(float4 a, float4 b) { return make_float4(a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w); }
      __device__ inline void operator+=(float4& a, float4 b) { a = a + b; }
      __device__ inline void operator/=(float4& a, float4 b) { a = a / b; }
      __device__ inline float4 fma(float4 a, float4 b, float4 c) { return make_float4(fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)); }
      """;

  @Override
  public String spell(Word word, List<String> arguments) {
    return switch (word) {
      case GLOBAL, LOCAL -> "";
      case SHARED -> "__shared__";
      case ALIGNED -> "__align__(16)";
      case OUTLINED -> "__device__ __noinline__";
      case FUNCTION -> "__device__ inline";
      case LOCAL_ID -> "(int)threadIdx.x";
      case GROUP_ID -> "(long)blockIdx." + "xyz".charAt(Integer.parseInt(arguments.getFirst()));
      case GLOBAL_ID -> "(long)blockIdx.x * blockDim.x + threadIdx.x";
      case BARRIER -> "__syncthreads()";
      case GROUP_END -> "";
      case UNROLL -> "#pragma unroll";
      case UNROLL_BY_4 -> "#pragma unroll 4";
      case ATOMIC_OR -> call("atomicOr", arguments);
      case ATOMIC_NEXT -> "atomicAdd(" + arguments.getFirst() + ", 1)";
      case ATOMIC_ADD -> call("atomicAdd", arguments);
      case ATOMIC_SET -> call("atomicExch", arguments);
      case ATOMIC_MAX -> call("atomicMax", arguments);
      case SPLAT, LOAD, STORE ->
          call(word.spelling() + arguments.getFirst(), arguments.subList(1, arguments.size()));
      case LOAD_NEAR -> call("load16", List.of("0", arguments.getFirst()));
      case LOAD_SMALL, STORE_SMALL, GATHER ->
          call(
              word.spelling() + "_" + arguments.getFirst(), arguments.subList(1, arguments.size()));
      case PREFETCH ->
          "asm volatile(\"prefetch.global.L2 [%0];\" :: \"l\"(" + arguments.getFirst() + "))";
      case SELECT -> call("selectEach", arguments);
      case MASK -> call("mask16", arguments);
      case ANY -> call("any16", arguments);
      case LANE_SUMS -> call("laneSums", arguments);
      case LOAD_HALF -> "__half2float((%2$s)[%1$s])".formatted(arguments.toArray());
      case STORE_HALF -> "(%3$s)[%2$s] = __float2half_rn(%1$s)".formatted(arguments.toArray());
      case SHARED_ADDRESS -> "(uint)__cvta_generic_to_shared(" + arguments.getFirst() + ")";
      case BITS_OF -> call("__float_as_uint", arguments);
      case FLOAT_OF -> call("__uint_as_float", arguments);
      case LONG_OF -> call("__double_as_longlong", arguments);
      case DOUBLE_OF -> call("__longlong_as_double", arguments);
      case FLOATS_OF -> call("floatsOf16", arguments);
      case INTS_OF -> call("intsOf16", arguments);
      case CONVERT -> call("convert_" + arguments.get(0), arguments.subList(1, 2));
      case SATURATED -> call("saturated_" + arguments.get(0), arguments.subList(1, 2));
      case TYPE_OF -> call("decltype", arguments);
    };
  }

  private static String call(String function, List<String> arguments) {
    return function + "(" + String.join(", ", arguments) + ")";
  }

  @Override
  public String kernel(String name, int group, int offsets) {
    String places =
        IntStream.range(0, offsets)
            .mapToObj(i -> ", const ulong o" + i)
            .collect(Collectors.joining());
    return "extern \"C\" __global__ void __launch_bounds__(%d) %s(uchar* pool, const int n, const int first%s)"
        .formatted(group, name, places);
  }

  @Override
  public String preamble(String code, String shared) {
    return PREAMBLE;
  }

  @Override
  public String options() {
    return "--fmad=true";
  }
}
