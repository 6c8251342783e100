#ifdef POCL_DEVICE_ADDRESS_BITS
#define OUTLINED __attribute__((noinline))
#else
#define OUTLINED
#endif
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
OUTLINED float16 gather_some_float(int count, global const float* from, long stride) {
  float some[16] = {0};
  for (int j = 0; j < count; j++) some[j] = from[j * stride];
  return vload16(0, some);
}
inline float16 gather_float16(int count, global const float* from, long stride) {
  return count == 16 ? (float16)(from[0 * stride], from[1 * stride], from[2 * stride], from[3 * stride], from[4 * stride], from[5 * stride], from[6 * stride], from[7 * stride], from[8 * stride], from[9 * stride], from[10 * stride], from[11 * stride], from[12 * stride], from[13 * stride], from[14 * stride], from[15 * stride]) : gather_some_float(count, from, stride);
}
// A work item owns up to 13 pixels of an output row x 16 output channels, all in registers:
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
  const int tile = item % 5; item /= 5;
  const int oy = item % 1; item /= 1;
  const int ob = item % 1; item /= 1;
  if (item >= ((long)n)) return;
  x += 0 + item * 1024;
  w += ob * 256L;
  const long at = 0 + item * 1024 + ob * 1024L + oy * 128L;
  if (tile == 4) {
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
      global const float* xr = x + iy * 0L;
      global const float* xc = xr;
      for (int ci = 0; ci < 16; ci++, xc += 64L, wr += 16) {
        { const float16 w0 = vload16(0, wr + 0);
          { const float16 v = (float16)(xc[52]); c0_0 = fma(v, w0, c0_0); }
          { const float16 v = (float16)(xc[53]); c1_0 = fma(v, w0, c1_0); }
          { const float16 v = (float16)(xc[54]); c2_0 = fma(v, w0, c2_0); }
          { const float16 v = (float16)(xc[55]); c3_0 = fma(v, w0, c3_0); }
          { const float16 v = (float16)(xc[56]); c4_0 = fma(v, w0, c4_0); }
          { const float16 v = (float16)(xc[57]); c5_0 = fma(v, w0, c5_0); }
          { const float16 v = (float16)(xc[58]); c6_0 = fma(v, w0, c6_0); }
          { const float16 v = (float16)(xc[59]); c7_0 = fma(v, w0, c7_0); }
          { const float16 v = (float16)(xc[60]); c8_0 = fma(v, w0, c8_0); }
          { const float16 v = (float16)(xc[61]); c9_0 = fma(v, w0, c9_0); }
          { const float16 v = (float16)(xc[62]); c10_0 = fma(v, w0, c10_0); }
          { const float16 v = (float16)(xc[63]); c11_0 = fma(v, w0, c11_0); }
        }
      }
    }
    {
      vstore16(c0_0, 0, y + at + (52 + 0) * 16L);
    }
    {
      vstore16(c1_0, 0, y + at + (52 + 1) * 16L);
    }
    {
      vstore16(c2_0, 0, y + at + (52 + 2) * 16L);
    }
    {
      vstore16(c3_0, 0, y + at + (52 + 3) * 16L);
    }
    {
      vstore16(c4_0, 0, y + at + (52 + 4) * 16L);
    }
    {
      vstore16(c5_0, 0, y + at + (52 + 5) * 16L);
    }
    {
      vstore16(c6_0, 0, y + at + (52 + 6) * 16L);
    }
    {
      vstore16(c7_0, 0, y + at + (52 + 7) * 16L);
    }
    {
      vstore16(c8_0, 0, y + at + (52 + 8) * 16L);
    }
    {
      vstore16(c9_0, 0, y + at + (52 + 9) * 16L);
    }
    {
      vstore16(c10_0, 0, y + at + (52 + 10) * 16L);
    }
    {
      vstore16(c11_0, 0, y + at + (52 + 11) * 16L);
    }
  }
  else {
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
    float16 c12_0 = 0;
    for (int ky = 0; ky < 1; ky++) {
      const int iy = oy * 1 - 0 + ky * 1;
      if (iy < 0 || iy >= 1) continue;
      global const float* wr = w + ky * 256L;
      global const float* xr = x + iy * 0L + (tile * 13) * 1L;
      global const float* xc = xr;
      for (int ci = 0; ci < 16; ci++, xc += 64L, wr += 16) {
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
          { const float16 v = (float16)(xc[12]); c12_0 = fma(v, w0, c12_0); }
        }
      }
    }
    {
      vstore16(c0_0, 0, y + at + ((tile * 13) + 0) * 16L);
    }
    {
      vstore16(c1_0, 0, y + at + ((tile * 13) + 1) * 16L);
    }
    {
      vstore16(c2_0, 0, y + at + ((tile * 13) + 2) * 16L);
    }
    {
      vstore16(c3_0, 0, y + at + ((tile * 13) + 3) * 16L);
    }
    {
      vstore16(c4_0, 0, y + at + ((tile * 13) + 4) * 16L);
    }
    {
      vstore16(c5_0, 0, y + at + ((tile * 13) + 5) * 16L);
    }
    {
      vstore16(c6_0, 0, y + at + ((tile * 13) + 6) * 16L);
    }
    {
      vstore16(c7_0, 0, y + at + ((tile * 13) + 7) * 16L);
    }
    {
      vstore16(c8_0, 0, y + at + ((tile * 13) + 8) * 16L);
    }
    {
      vstore16(c9_0, 0, y + at + ((tile * 13) + 9) * 16L);
    }
    {
      vstore16(c10_0, 0, y + at + ((tile * 13) + 10) * 16L);
    }
    {
      vstore16(c11_0, 0, y + at + ((tile * 13) + 11) * 16L);
    }
    {
      vstore16(c12_0, 0, y + at + ((tile * 13) + 12) * 16L);
    }
  }
}

// A work item owns one output row x 16 channels, a pixel at a time in a vector.
// x: sixteen channels innermost (NCHW16c), so that a tap is one vector, and no lane asks for itself. y: sixteen channels innermost (NCHW16c).
kernel __attribute__((reqd_work_group_size(1,1,1))) void pool_max_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  const int oy = item % 4; item /= 4;
  const int ob = item % 1; item /= 1;
  if (item >= ((long)n)) return;
  x += 0 + item * 1024 + ob * 1024L;
  const long at = 0 + item * 256 + ob * 256L + oy * 64L;
  for (int ox = 0; ox < 4; ox++) {
    const int left = ox * 2 - 0;
    float16 acc = (float16)(-INFINITY);
    int count = 0;
    int isEdge = left < 0 || left + 1 >= 8;
    if (!isEdge) {
      float16 odd = (float16)(0.0f);
      for (int ky = 0; ky < 2; ky++) {
        const int iy = oy * 2 - 0 + ky * 1;
        if (iy < 0 || iy >= 8) continue;
        global const float* row = x + iy * 128L + left * 16;
        { const float16 v = vload16(0, row + 0 * 16); acc = select(acc, v, v > acc); odd = fma(v, (float16)(0.0f), odd); }
        { const float16 v = vload16(0, row + 1 * 16); acc = select(acc, v, v > acc); odd = fma(v, (float16)(0.0f), odd); }
        count += 2;
      }
      if (any_lane(odd != odd)) {
        isEdge = 1;
        acc = (float16)(-INFINITY);
        count = 0;
      }
    }
    if (isEdge) {
      for (int ky = 0; ky < 2; ky++) {
        const int iy = oy * 2 - 0 + ky * 1;
        if (iy < 0 || iy >= 8) continue;
        for (int kx = 0; kx < 2; kx++) {
          const int ix = left + kx * 1;
          if (ix < 0 || ix >= 8) continue;
          const float16 v = vload16(0, x + iy * 128L + ix * 16);
          acc = select(acc, v, (v > acc) | (v != v));
          count++;
        }
      }
    }
    vstore16(acc, 0, y + at + ox * 16L);
  }
}

// A work item owns up to 8 pixels of an output row x 16 output channels, all in registers:
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
  const int tile = item % 2; item /= 2;
  const int oy = item % 1; item /= 1;
  const int ob = item % 1; item /= 1;
  if (item >= ((long)n)) return;
  x += 0 + item * 256;
  w += ob * 256L;
  const long at = 0 + item * 256 + ob * 256L + oy * 64L;
  {
    float16 c0_0 = 0;
    float16 c1_0 = 0;
    float16 c2_0 = 0;
    float16 c3_0 = 0;
    float16 c4_0 = 0;
    float16 c5_0 = 0;
    float16 c6_0 = 0;
    float16 c7_0 = 0;
    for (int ky = 0; ky < 1; ky++) {
      const int iy = oy * 1 - 0 + ky * 1;
      if (iy < 0 || iy >= 1) continue;
      global const float* wr = w + ky * 256L;
      global const float* xr = x + iy * 0L + (tile * 8) * 16L;
      for (int cb = 0; cb < 1; cb++) {
        global const float* xc = xr + cb * 256L;
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
          }
        }
      }
    }
    {
      vstore16(c0_0, 0, y + at + ((tile * 8) + 0) * 16L);
    }
    {
      vstore16(c1_0, 0, y + at + ((tile * 8) + 1) * 16L);
    }
    {
      vstore16(c2_0, 0, y + at + ((tile * 8) + 2) * 16L);
    }
    {
      vstore16(c3_0, 0, y + at + ((tile * 8) + 3) * 16L);
    }
    {
      vstore16(c4_0, 0, y + at + ((tile * 8) + 4) * 16L);
    }
    {
      vstore16(c5_0, 0, y + at + ((tile * 8) + 5) * 16L);
    }
    {
      vstore16(c6_0, 0, y + at + ((tile * 8) + 6) * 16L);
    }
    {
      vstore16(c7_0, 0, y + at + ((tile * 8) + 7) * 16L);
    }
  }
}

// A work item owns a few runs of 16 neighbouring elements, and takes 16 of them at a time in a vector.
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
      for (long e = 0; e < 16; e += 16) {
        const float16 v0 = gather_float16(16, x0 + p0 * 256 + p1 * 256 + p2 * 1 + e * 16, 16);
        vstore16(v0, 0, y + p0 * 256 + p1 * 256 + p2 * 16 + e);
      }
    }
  }
}

