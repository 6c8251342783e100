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
// A work item owns one output row x 16 output channels. Pixels that are a stride (2) apart have the same
// taps, of input pixels side by side: 4 of them are a tile in registers,
//
//                 channels, 16 a vector
//  pixel 0        c0_0  += x (one float, broadcast) * w0 (one packed row of weights)
//  pixel 2        c1_0  for each tap that reaches them and each input channel
//  ...
//
// and where taps are outside the row, or few pixels are left, 4, with 0 for what is missing.
// x: channel by channel. w: [block of channels][ky][kx][input channel][lane], read in order.
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
  for (int px = 0; px < 2 && px < 9; px++) {
    const int count = (9 - px + 2 - 1) / 2;
    int least = 0;
    int most = 0;
    for (int kx = 0; kx < 3; kx++) {
      const int qx = px + 0 - kx * 1;
      if (qx % 2 != 0) continue;
      least = min(least, qx / 2);
      most = max(most, qx / 2);
    }
    for (int t = 0; t < count;) {
      if (t + least >= 0 && t + 4 <= min(count, 4 - most)) {
        float16 c0_0 = 0;
        float16 c1_0 = 0;
        float16 c2_0 = 0;
        float16 c3_0 = 0;
        for (int ky = 0; ky < 3; ky++) {
          const int qy = oy + 0 - ky * 1;
          if (qy < 0 || qy % 2 != 0 || qy / 2 >= 4) continue;
          for (int kx = 0; kx < 3; kx++) {
            const int qx = px + 0 - kx * 1;
            if (qx % 2 != 0) continue;
            const int ix = t + qx / 2;
            global const float* p = x + qy / 2 * 4L;
            global const float* wt = w + (ky * 3 + kx) * 96L;
            p += ix * 1L;
            for (int c = 0; c < 6; c++, p += 16L, wt += 16) {
              const float16 w0 = vload16(0, wt + 0);
              { const float16 v = (float16)(p[0]); c0_0 = fma(v, w0, c0_0); }
              { const float16 v = (float16)(p[1]); c1_0 = fma(v, w0, c1_0); }
              { const float16 v = (float16)(p[2]); c2_0 = fma(v, w0, c2_0); }
              { const float16 v = (float16)(p[3]); c3_0 = fma(v, w0, c3_0); }
            }
          }
        }
        {
          vstore16(c0_0, 0, y + at + (px + (t + 0) * 2) * 16L);
        }
        {
          vstore16(c1_0, 0, y + at + (px + (t + 1) * 2) * 16L);
        }
        {
          vstore16(c2_0, 0, y + at + (px + (t + 2) * 2) * 16L);
        }
        {
          vstore16(c3_0, 0, y + at + (px + (t + 3) * 2) * 16L);
        }
        t += 4;
      } else {
        float16 c0_0 = 0;
        float16 c1_0 = 0;
        float16 c2_0 = 0;
        float16 c3_0 = 0;
        for (int ky = 0; ky < 3; ky++) {
          const int qy = oy + 0 - ky * 1;
          if (qy < 0 || qy % 2 != 0 || qy / 2 >= 4) continue;
          for (int kx = 0; kx < 3; kx++) {
            const int qx = px + 0 - kx * 1;
            if (qx % 2 != 0) continue;
            const int ix = t + qx / 2;
            global const float* p = x + qy / 2 * 4L;
            global const float* wt = w + (ky * 3 + kx) * 96L;
            const int in0 = ix + 0 >= 0 && ix + 0 <= 3;
            const long at0 = min(max(ix + 0, 0), 3) * 1L;
            const int in1 = ix + 1 >= 0 && ix + 1 <= 3;
            const long at1 = min(max(ix + 1, 0), 3) * 1L;
            const int in2 = ix + 2 >= 0 && ix + 2 <= 3;
            const long at2 = min(max(ix + 2, 0), 3) * 1L;
            const int in3 = ix + 3 >= 0 && ix + 3 <= 3;
            const long at3 = min(max(ix + 3, 0), 3) * 1L;
            for (int c = 0; c < 6; c++, p += 16L, wt += 16) {
              const float16 w0 = vload16(0, wt + 0);
              { const float16 v = (float16)(in0 ? p[at0] : 0.0f); c0_0 = fma(v, w0, c0_0); }
              { const float16 v = (float16)(in1 ? p[at1] : 0.0f); c1_0 = fma(v, w0, c1_0); }
              { const float16 v = (float16)(in2 ? p[at2] : 0.0f); c2_0 = fma(v, w0, c2_0); }
              { const float16 v = (float16)(in3 ? p[at3] : 0.0f); c3_0 = fma(v, w0, c3_0); }
            }
          }
        }
        {
          vstore16(c0_0, 0, y + at + (px + (t + 0) * 2) * 16L);
        }
        if (t + 1 < count) {
          vstore16(c1_0, 0, y + at + (px + (t + 1) * 2) * 16L);
        }
        if (t + 2 < count) {
          vstore16(c2_0, 0, y + at + (px + (t + 2) * 2) * 16L);
        }
        if (t + 3 < count) {
          vstore16(c3_0, 0, y + at + (px + (t + 3) * 2) * 16L);
        }
        t += 4;
      }
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

