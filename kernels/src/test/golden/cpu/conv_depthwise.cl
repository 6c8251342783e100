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
// A work item owns up to 12 pixels of an output row x 16 output channels, all in registers:
//
//                 channels, 16 a vector
//                +------+
//  pixel 0       | c0_0 |   += x (one float, broadcast) * w0 (one packed row of weights)
//  pixel 1       | c1_0 |   for each tap and input channel
//  ...           | ...  |
//                +------+
//
// x: any layout, read float by float; here channel by channel.
// w: [block of channels][ky][input channel][kx][lane], read once from front to back.
// y: sixteen channels innermost (NCHW16c).
// Taps on the left and right border are left out of the text of the tiles that have them; rows above
// and below are skipped by one test for all pixels.
kernel __attribute__((reqd_work_group_size(1,1,1))) void conv_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global const float* w = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  long item = (long)get_global_id(0) + first;
  const int tile = item % 3; item /= 3;
  const int oy = item % 1; item /= 1;
  const int ob = item % 1; item /= 1;
  if (item >= ((long)n)) return;
  x += 0 + item * 576;
  w += ob * 256L;
  const long at = 0 + item * 576 + ob * 576L + oy * 96L;
  {
    float16 c0_0 = 0;
    float16 c1_0 = 0;
    float16 c2_0 = 0;
    float16 c3_0 = 0;
    float16 c4_0 = 0;
    float16 c5_0 = 0;
    float16 c6_0 = 0;
    float16 c7_0 = 0;
    float16 c8_0 = 0;
    float16 c9_0 = 0;
    float16 c10_0 = 0;
    float16 c11_0 = 0;
    for (int ky = 0; ky < 1; ky++) {
      const int iy = oy * 1 - 0 + ky * 1;
      if (iy < 0 || iy >= 1) continue;
      global const float* wr = w + ky * 256L;
      global const float* xr = x + iy * 0L + (tile * 12) * 1L;
      global const float* xc = xr;
      for (int ci = 0; ci < 16; ci++, xc += 36L, wr += 16) {
        { const float16 w0 = vload16(0, wr + 0);
          { const float16 v = (float16)(xc[0]); c0_0 = fma(v, w0, c0_0); }
          { const float16 v = (float16)(xc[1]); c1_0 = fma(v, w0, c1_0); }
          { const float16 v = (float16)(xc[2]); c2_0 = fma(v, w0, c2_0); }
          { const float16 v = (float16)(xc[3]); c3_0 = fma(v, w0, c3_0); }
          { const float16 v = (float16)(xc[4]); c4_0 = fma(v, w0, c4_0); }
          { const float16 v = (float16)(xc[5]); c5_0 = fma(v, w0, c5_0); }
          { const float16 v = (float16)(xc[6]); c6_0 = fma(v, w0, c6_0); }
          { const float16 v = (float16)(xc[7]); c7_0 = fma(v, w0, c7_0); }
          { const float16 v = (float16)(xc[8]); c8_0 = fma(v, w0, c8_0); }
          { const float16 v = (float16)(xc[9]); c9_0 = fma(v, w0, c9_0); }
          { const float16 v = (float16)(xc[10]); c10_0 = fma(v, w0, c10_0); }
          { const float16 v = (float16)(xc[11]); c11_0 = fma(v, w0, c11_0); }
        }
      }
    }
    {
      vstore16(c0_0, 0, y + at + ((tile * 12) + 0) * 16L);
    }
    {
      vstore16(c1_0, 0, y + at + ((tile * 12) + 1) * 16L);
    }
    {
      vstore16(c2_0, 0, y + at + ((tile * 12) + 2) * 16L);
    }
    {
      vstore16(c3_0, 0, y + at + ((tile * 12) + 3) * 16L);
    }
    {
      vstore16(c4_0, 0, y + at + ((tile * 12) + 4) * 16L);
    }
    {
      vstore16(c5_0, 0, y + at + ((tile * 12) + 5) * 16L);
    }
    {
      vstore16(c6_0, 0, y + at + ((tile * 12) + 6) * 16L);
    }
    {
      vstore16(c7_0, 0, y + at + ((tile * 12) + 7) * 16L);
    }
    {
      vstore16(c8_0, 0, y + at + ((tile * 12) + 8) * 16L);
    }
    {
      vstore16(c9_0, 0, y + at + ((tile * 12) + 9) * 16L);
    }
    {
      vstore16(c10_0, 0, y + at + ((tile * 12) + 10) * 16L);
    }
    {
      vstore16(c11_0, 0, y + at + ((tile * 12) + 11) * 16L);
    }
  }
}

// A work item owns one output row x 16 channels, 6 pixels at a time in registers (c0, c1, ...).
//
//  input row    x  x  x  x  x  x  ...    one vector each, 16 channels
//               \_____/                  c0: 3 taps a row
//                  \_____/               c1: as many, a stride further; so a vector is loaded once
//                                        for all pixels that it is a tap of
//
// x: sixteen channels innermost (NCHW16c), so that channels are lanes. w: [block of 16 channels][ky][kx][lane].
// y: sixteen channels innermost (NCHW16c).
// Taps on the left and right border are not written; rows above and below are skipped by one test.
kernel __attribute__((reqd_work_group_size(1,1,1))) void conv_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global const float* w = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  long item = (long)get_global_id(0) + first;
  const int oy = item % 6; item /= 6;
  const int ob = item % 1; item /= 1;
  if (item >= ((long)n)) return;
  x += 0 + item * 576 + ob * 576L;
  w += ob * 144;
  const long at = 0 + item * 576 + ob * 576L + oy * 96L;
  {
    float16 c0 = 0;
    float16 c1 = 0;
    float16 c2 = 0;
    float16 c3 = 0;
    float16 c4 = 0;
    float16 c5 = 0;
    {
      const int iy = oy * 1 + -1;
      if (iy >= 0 && iy < 6) {
        global const float* xr = x + iy * 96L;
        const float16 w0 = vload16(0, w);
        const float16 w1 = vload16(1, w);
        const float16 w2 = vload16(2, w);
        { const float16 v = vload16(0, xr + 0); c0 = fma(v, w1, c0); c1 = fma(v, w0, c1); }
        { const float16 v = vload16(0, xr + 16); c0 = fma(v, w2, c0); c1 = fma(v, w1, c1); c2 = fma(v, w0, c2); }
        { const float16 v = vload16(0, xr + 32); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 48); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 64); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 80); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); }
      }
    }
    {
      const int iy = oy * 1 + 0;
      if (iy >= 0 && iy < 6) {
        global const float* xr = x + iy * 96L;
        const float16 w0 = vload16(3, w);
        const float16 w1 = vload16(4, w);
        const float16 w2 = vload16(5, w);
        { const float16 v = vload16(0, xr + 0); c0 = fma(v, w1, c0); c1 = fma(v, w0, c1); }
        { const float16 v = vload16(0, xr + 16); c0 = fma(v, w2, c0); c1 = fma(v, w1, c1); c2 = fma(v, w0, c2); }
        { const float16 v = vload16(0, xr + 32); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 48); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 64); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 80); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); }
      }
    }
    {
      const int iy = oy * 1 + 1;
      if (iy >= 0 && iy < 6) {
        global const float* xr = x + iy * 96L;
        const float16 w0 = vload16(6, w);
        const float16 w1 = vload16(7, w);
        const float16 w2 = vload16(8, w);
        { const float16 v = vload16(0, xr + 0); c0 = fma(v, w1, c0); c1 = fma(v, w0, c1); }
        { const float16 v = vload16(0, xr + 16); c0 = fma(v, w2, c0); c1 = fma(v, w1, c1); c2 = fma(v, w0, c2); }
        { const float16 v = vload16(0, xr + 32); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 48); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 64); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 80); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); }
      }
    }
    {
      vstore16(c0, 0, y + at + (0 + 0) * 16L);
    }
    {
      vstore16(c1, 0, y + at + (0 + 1) * 16L);
    }
    {
      vstore16(c2, 0, y + at + (0 + 2) * 16L);
    }
    {
      vstore16(c3, 0, y + at + (0 + 3) * 16L);
    }
    {
      vstore16(c4, 0, y + at + (0 + 4) * 16L);
    }
    {
      vstore16(c5, 0, y + at + (0 + 5) * 16L);
    }
  }
}

// A work item owns up to 12 pixels of an output row x 16 output channels, all in registers:
//
//                 channels, 16 a vector
//                +------+
//  pixel 0       | c0_0 |   += x (one float, broadcast) * w0 (one packed row of weights)
//  pixel 1       | c1_0 |   for each tap and input channel
//  ...           | ...  |
//                +------+
//
// x: any layout, read float by float; here sixteen channels innermost (NCHW16c).
// w: [block of channels][ky][input channel][kx][lane], read once from front to back.
// y: sixteen channels innermost (NCHW16c).
// Taps on the left and right border are left out of the text of the tiles that have them; rows above
// and below are skipped by one test for all pixels.
kernel __attribute__((reqd_work_group_size(1,1,1))) void conv_2(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global const float* w = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  long item = (long)get_global_id(0) + first;
  const int tile = item % 3; item /= 3;
  const int oy = item % 1; item /= 1;
  const int ob = item % 1; item /= 1;
  if (item >= ((long)n)) return;
  x += 0 + item * 576;
  w += ob * 256L;
  const long at = 0 + item * 576 + ob * 576L + oy * 96L;
  {
    float16 c0_0 = 0;
    float16 c1_0 = 0;
    float16 c2_0 = 0;
    float16 c3_0 = 0;
    float16 c4_0 = 0;
    float16 c5_0 = 0;
    float16 c6_0 = 0;
    float16 c7_0 = 0;
    float16 c8_0 = 0;
    float16 c9_0 = 0;
    float16 c10_0 = 0;
    float16 c11_0 = 0;
    for (int ky = 0; ky < 1; ky++) {
      const int iy = oy * 1 - 0 + ky * 1;
      if (iy < 0 || iy >= 1) continue;
      global const float* wr = w + ky * 256L;
      global const float* xr = x + iy * 0L + (tile * 12) * 16L;
      for (int cb = 0; cb < 1; cb++) {
        global const float* xc = xr + cb * 576L;
        for (int ci = 0; ci < 16; ci++, xc += 1, wr += 16) {
          { const float16 w0 = vload16(0, wr + 0);
            { const float16 v = (float16)(xc[0]); c0_0 = fma(v, w0, c0_0); }
            { const float16 v = (float16)(xc[16]); c1_0 = fma(v, w0, c1_0); }
            { const float16 v = (float16)(xc[32]); c2_0 = fma(v, w0, c2_0); }
            { const float16 v = (float16)(xc[48]); c3_0 = fma(v, w0, c3_0); }
            { const float16 v = (float16)(xc[64]); c4_0 = fma(v, w0, c4_0); }
            { const float16 v = (float16)(xc[80]); c5_0 = fma(v, w0, c5_0); }
            { const float16 v = (float16)(xc[96]); c6_0 = fma(v, w0, c6_0); }
            { const float16 v = (float16)(xc[112]); c7_0 = fma(v, w0, c7_0); }
            { const float16 v = (float16)(xc[128]); c8_0 = fma(v, w0, c8_0); }
            { const float16 v = (float16)(xc[144]); c9_0 = fma(v, w0, c9_0); }
            { const float16 v = (float16)(xc[160]); c10_0 = fma(v, w0, c10_0); }
            { const float16 v = (float16)(xc[176]); c11_0 = fma(v, w0, c11_0); }
          }
        }
      }
    }
    {
      vstore16(c0_0, 0, y + at + ((tile * 12) + 0) * 16L);
    }
    {
      vstore16(c1_0, 0, y + at + ((tile * 12) + 1) * 16L);
    }
    {
      vstore16(c2_0, 0, y + at + ((tile * 12) + 2) * 16L);
    }
    {
      vstore16(c3_0, 0, y + at + ((tile * 12) + 3) * 16L);
    }
    {
      vstore16(c4_0, 0, y + at + ((tile * 12) + 4) * 16L);
    }
    {
      vstore16(c5_0, 0, y + at + ((tile * 12) + 5) * 16L);
    }
    {
      vstore16(c6_0, 0, y + at + ((tile * 12) + 6) * 16L);
    }
    {
      vstore16(c7_0, 0, y + at + ((tile * 12) + 7) * 16L);
    }
    {
      vstore16(c8_0, 0, y + at + ((tile * 12) + 8) * 16L);
    }
    {
      vstore16(c9_0, 0, y + at + ((tile * 12) + 9) * 16L);
    }
    {
      vstore16(c10_0, 0, y + at + ((tile * 12) + 10) * 16L);
    }
    {
      vstore16(c11_0, 0, y + at + ((tile * 12) + 11) * 16L);
    }
  }
}

// A work item owns a few runs of 36 neighbouring elements, and takes 16 of them at a time in a vector.
// All arrays are read in the order of the result's memory: vector by vector;
// elements that lie apart there are gathered, each from an address that is one stride on.
kernel __attribute__((reqd_work_group_size(1,1,1))) void output_3(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long p0 = item % ((long)n); item /= ((long)n);
  for (long p1 = 0; p1 < 1; p1++) {
    for (long p2 = 0; p2 < 16; p2++) {
      for (long e = 0; e < 36; e += 16) {
        const int count = (int)min(16L, 36 - e);
        const float16 v0 = gather_float16(count, x0 + p0 * 576 + p1 * 576 + p2 * 1 + e * 16, 16);
        store_float16(count, v0, y + p0 * 576 + p1 * 576 + p2 * 36 + e);
      }
    }
  }
}

