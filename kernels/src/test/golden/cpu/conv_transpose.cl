#ifdef POCL_DEVICE_ADDRESS_BITS
#define OUTLINED __attribute__((noinline))
#else
#define OUTLINED
#endif
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
OUTLINED float16 gather_some_float(int count, global const float* from, long stride) {
  float some[16] = {0};
  for (int j = 0; j < count; j++) some[j] = from[j * stride];
  return vload16(0, some);
}
inline float16 gather_float16(int count, global const float* from, long stride) {
  return count == 16 ? (float16)(from[0 * stride], from[1 * stride], from[2 * stride], from[3 * stride], from[4 * stride], from[5 * stride], from[6 * stride], from[7 * stride], from[8 * stride], from[9 * stride], from[10 * stride], from[11 * stride], from[12 * stride], from[13 * stride], from[14 * stride], from[15 * stride]) : gather_some_float(count, from, stride);
}
// A work item owns one output row x 16 output channels, a pixel at a time in a vector.
// Each pixel gathers the taps that reach it, so that nothing is added up in memory; input channels go to
// four accumulators in turn, so that one fma does not wait for the one before.
// x: channel by channel. w: [block of 16 channels][ky][kx][input channel][lane], read in order.
// y: sixteen channels innermost (NCHW16c).
kernel __attribute__((reqd_work_group_size(1,1,1))) void conv_transpose_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global const float* w = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  long item = (long)get_global_id(0) + first;
  const int oy = item % 9; item /= 9;
  const int ob = item % 1; item /= 1;
  if (item >= ((long)n)) return;
  x += 0 + item * 96;
  w += ob * 864L;
  const long at = 0 + item * 1296 + ob * 1296L + oy * 144L;
  for (int ox = 0; ox < 9; ox++) {
    float16 c0 = 0;
    float16 c1 = 0;
    float16 c2 = 0;
    float16 c3 = 0;
    for (int ky = 0; ky < 3; ky++) {
      const int qy = oy + 0 - ky * 1;
      if (qy < 0 || qy % 2 != 0 || qy / 2 >= 4) continue;
      for (int kx = 0; kx < 3; kx++) {
        const int qx = ox + 0 - kx * 1;
        if (qx < 0 || qx % 2 != 0 || qx / 2 >= 4) continue;
        global const float* p = x + qy / 2 * 4L + qx / 2 * 1L;
        global const float* wt = w + (ky * 3 + kx) * 96L;
        for (int c = 0; c < 4; c += 4) {
          c0 = fma((float16)(p[(c + 0) * 16]), vload16(0, wt + (c + 0) * 16), c0);
          c1 = fma((float16)(p[(c + 1) * 16]), vload16(0, wt + (c + 1) * 16), c1);
          c2 = fma((float16)(p[(c + 2) * 16]), vload16(0, wt + (c + 2) * 16), c2);
          c3 = fma((float16)(p[(c + 3) * 16]), vload16(0, wt + (c + 3) * 16), c3);
        }
        c0 = fma((float16)(p[4 * 16]), vload16(0, wt + 4 * 16), c0);
        c0 = fma((float16)(p[5 * 16]), vload16(0, wt + 5 * 16), c0);
      }
    }
    const float16 raw = (c0 + c1) + (c2 + c3);
    {
      vstore16(raw, 0, y + at + (ox) * 16L);
    }
  }
}

// A work item owns a few runs of 81 neighbouring elements, and takes 16 of them at a time in a vector.
// All arrays are read in the order of the result's memory: vector by vector;
// elements that lie apart there are gathered, each from an address that is one stride on.
kernel __attribute__((reqd_work_group_size(1,1,1))) void output_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long p0 = item % ((long)n); item /= ((long)n);
  for (long p1 = 0; p1 < 1; p1++) {
    for (long p2 = 0; p2 < 16; p2++) {
      for (long e = 0; e < 81; e += 16) {
        const int count = (int)min(16L, 81 - e);
        const float16 v0 = gather_float16(count, x0 + p0 * 1296 + p1 * 1296 + p2 * 1 + e * 16, 16);
        store_float16(count, v0, y + p0 * 1296 + p1 * 1296 + p2 * 81 + e);
      }
    }
  }
}

