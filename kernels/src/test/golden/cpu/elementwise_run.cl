#ifdef POCL_DEVICE_ADDRESS_BITS
#define OUTLINED __attribute__((noinline))
#else
#define OUTLINED
#endif
OUTLINED float16 load_some_float(int count, global const float* from) {
  float some[16] = {0};
  for (int j = 0; j < count; j++) some[j] = from[j];
  return vload16(0, some);
}
inline float16 load_float16(int count, global const float* from) {
  if (count == 16) return vload16(0, from);
  #ifdef __AVX512F__
  float16 some;
  __asm__ volatile("vmovups (%1), %0 %{%2%}%{z%}" : "=v"(some) : "r"(from), "Yk"((ushort)((1 << count) - 1)) : "memory");
  return some;
  #endif
  return load_some_float(count, from);
}
OUTLINED void store_some_float(int count, float16 v, global float* to) {
  float some[16];
  vstore16(v, 0, some);
  for (int j = 0; j < count; j++) to[j] = some[j];
}
inline void store_float16(int count, float16 v, global float* to) {
  if (count == 16) {
    vstore16(v, 0, to);
    return;
  }
  #ifdef __AVX512F__
  __asm__ volatile("vmovups %0, (%1) %{%2%}" : : "v"(v), "r"(to), "Yk"((ushort)((1 << count) - 1)) : "memory");
  return;
  #endif
  store_some_float(count, v, to);
}
inline float16 exp_float16(float16 x) {
  const float16 least = select(x, (float16)(-104.0f), x < (float16)(-104.0f));
  const float16 t = select(least, (float16)(89.0f), least > (float16)(89.0f));
  const float16 whole = fma(t, (float16)(1.442695f), (float16)(12582912.0f));
  const float16 k = whole - (float16)(12582912.0f);
  const float16 r = fma(k, (float16)(1.9046543e-9f), fma(k, (float16)(-0.6931472f), t));
  const float16 e = fma(r * r, fma(r, fma(r, fma(r, fma(r, (float16)(0.0013814538f), (float16)(0.008368745f)), (float16)(0.04166839f)), (float16)(0.16666521f)), (float16)(0.49999994f)), r) + (float16)(1.0f);
  const int16 power = as_int16(whole) - (int16)(0x4B400000);
  const int16 part = power >> (int16)(1);
  const float16 scaled = e * as_float16((part + (int16)(127)) << (int16)(23));
  return scaled * as_float16((power - part + (int16)(127)) << (int16)(23));
}
// A work item owns a few runs of 50 neighbouring elements, and takes 16 of them at a time in a vector.
// All arrays are read in the order of the result's memory: vector by vector, and what repeats along it once, ahead.
kernel __attribute__((reqd_work_group_size(1,1,1))) void elementwise_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global const float* x2 = (global const float*)(pool + o2);
  global float* y = (global float*)(pool + o3);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long p0 = item % ((long)n); item /= ((long)n);
  for (long p1 = 0; p1 < 4; p1++) {
    const float16 v1 = (float16)(x1[p1 * 1]);
    for (long e = 0; e < 50; e += 16) {
      const int count = (int)min(16L, 50 - e);
      const float16 v0 = load_float16(count, x0 + p0 * 200 + p1 * 50 + e);
      const float16 v2 = load_float16(count, x2 + 0 + e);
      store_float16(count, ((select(((v0) + (v1)), (float16)(0.0f), ((((v0) + (v1))) < ((float16)(0.0f))))) * (exp_float16(v2))), y + p0 * 200 + p1 * 50 + e);
    }
  }
}

