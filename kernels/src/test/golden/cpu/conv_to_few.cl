#ifdef POCL_DEVICE_ADDRESS_BITS
#define OUTLINED __attribute__((noinline))
#else
#define OUTLINED
#endif
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
// A work item owns a few runs of 16 neighbouring elements, and takes 16 of them at a time in a vector.
// All arrays are read in the order of the result's memory: vector by vector;
// elements that lie apart there are gathered, each from an address that is one stride on.
kernel __attribute__((reqd_work_group_size(1,1,1))) void convert_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long p0 = item % ((long)n); item /= ((long)n);
  for (long p1 = 0; p1 < 1; p1++) {
    for (long p2 = 0; p2 < 160; p2++) {
      for (long e = 0; e < 16; e += 16) {
        const float16 v0 = gather_float16(16, x0 + p0 * 2560 + p1 * 2560 + p2 * 1 + e * 160, 160);
        vstore16(v0, 0, y + p0 * 2560 + p1 * 2560 + p2 * 16 + e);
      }
    }
  }
}

// A work item owns 16 pixels of an output row, one output channel after the other:
//
//                input channels, 16 a vector
//                +-------+
//  pixel 0       |  a0   |  += x (16 channels of a pixel) * v (as many weights of the tap)
//  ...           |  ...  |  for each tap and block of channels
//  pixel 15      |  a15  |
//                +-------+
//                 summed up over the lanes, the pixels are the lanes of the result
//
// x: sixteen channels innermost (NCHW16c). w: [output channel][ky][kx][input channel], read in order.
// y: channel by channel.
// Where all taps of all pixels are inside the row, they are not tested.
kernel __attribute__((reqd_work_group_size(1,1,1))) void conv_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global const float* w = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  long item = (long)get_global_id(0) + first;
  const int tile = item % 2; item /= 2;
  const int oy = item % 8; item /= 8;
  if (item >= ((long)n)) return;
  x += 0 + item * 2560;
  const int ox = tile * 16;
  const int left = ox * 1 - 1;
  const int count = min(16, 20 - ox);
  const int isInside = count == 16 && left >= 0 && left + 17 < 20;
  const long at = 0 + item * 160 + oy * 20L;
  for (int k = 0; k < 1; k++) {
    float16 a0 = 0;
    float16 a1 = 0;
    float16 a2 = 0;
    float16 a3 = 0;
    float16 a4 = 0;
    float16 a5 = 0;
    float16 a6 = 0;
    float16 a7 = 0;
    float16 a8 = 0;
    float16 a9 = 0;
    float16 a10 = 0;
    float16 a11 = 0;
    float16 a12 = 0;
    float16 a13 = 0;
    float16 a14 = 0;
    float16 a15 = 0;
    for (int ky = 0; ky < 3; ky++) {
      const int iy = oy * 1 - 1 + ky * 1;
      if (iy < 0 || iy >= 8) continue;
      for (int kx = 0; kx < 3; kx++) {
        {
          const int ix = left + kx * 1;
          global const float* p = x + iy * 320L + ix * 16L;
          global const float* f = w + ((k * 3 + ky) * 3 + kx) * 16L;
          if (isInside) {
            for (int c = 0; c < 1; c++, p += 2560L, f += 16) {
              const float16 v0 = vload16(0, f + 0);
              a0 = fma(vload16(0, p + 0), v0, a0);
              a1 = fma(vload16(0, p + 16), v0, a1);
              a2 = fma(vload16(0, p + 32), v0, a2);
              a3 = fma(vload16(0, p + 48), v0, a3);
              a4 = fma(vload16(0, p + 64), v0, a4);
              a5 = fma(vload16(0, p + 80), v0, a5);
              a6 = fma(vload16(0, p + 96), v0, a6);
              a7 = fma(vload16(0, p + 112), v0, a7);
              a8 = fma(vload16(0, p + 128), v0, a8);
              a9 = fma(vload16(0, p + 144), v0, a9);
              a10 = fma(vload16(0, p + 160), v0, a10);
              a11 = fma(vload16(0, p + 176), v0, a11);
              a12 = fma(vload16(0, p + 192), v0, a12);
              a13 = fma(vload16(0, p + 208), v0, a13);
              a14 = fma(vload16(0, p + 224), v0, a14);
              a15 = fma(vload16(0, p + 240), v0, a15);
            }
          } else {
            for (int c = 0; c < 1; c++, p += 2560L, f += 16) {
              const float16 v0 = vload16(0, f + 0);
              if (ix + 0 >= 0 && ix + 0 < 20) a0 = fma(vload16(0, p + 0), v0, a0);
              if (ix + 1 >= 0 && ix + 1 < 20) a1 = fma(vload16(0, p + 16), v0, a1);
              if (ix + 2 >= 0 && ix + 2 < 20) a2 = fma(vload16(0, p + 32), v0, a2);
              if (ix + 3 >= 0 && ix + 3 < 20) a3 = fma(vload16(0, p + 48), v0, a3);
              if (ix + 4 >= 0 && ix + 4 < 20) a4 = fma(vload16(0, p + 64), v0, a4);
              if (ix + 5 >= 0 && ix + 5 < 20) a5 = fma(vload16(0, p + 80), v0, a5);
              if (ix + 6 >= 0 && ix + 6 < 20) a6 = fma(vload16(0, p + 96), v0, a6);
              if (ix + 7 >= 0 && ix + 7 < 20) a7 = fma(vload16(0, p + 112), v0, a7);
              if (ix + 8 >= 0 && ix + 8 < 20) a8 = fma(vload16(0, p + 128), v0, a8);
              if (ix + 9 >= 0 && ix + 9 < 20) a9 = fma(vload16(0, p + 144), v0, a9);
              if (ix + 10 >= 0 && ix + 10 < 20) a10 = fma(vload16(0, p + 160), v0, a10);
              if (ix + 11 >= 0 && ix + 11 < 20) a11 = fma(vload16(0, p + 176), v0, a11);
              if (ix + 12 >= 0 && ix + 12 < 20) a12 = fma(vload16(0, p + 192), v0, a12);
              if (ix + 13 >= 0 && ix + 13 < 20) a13 = fma(vload16(0, p + 208), v0, a13);
              if (ix + 14 >= 0 && ix + 14 < 20) a14 = fma(vload16(0, p + 224), v0, a14);
              if (ix + 15 >= 0 && ix + 15 < 20) a15 = fma(vload16(0, p + 240), v0, a15);
            }
          }
        }
      }
    }
    const float16 raw = lane_sums(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15);
    store_float16(count, select(raw, (float16)(0.0f), ((raw) < ((float16)(0.0f)))), y + at + k * 160L + ox * 1L);
  }
}

