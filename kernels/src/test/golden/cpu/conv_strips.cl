#ifdef POCL_DEVICE_ADDRESS_BITS
#define OUTLINED __attribute__((noinline))
#else
#define OUTLINED
#endif
OUTLINED float16 gather_some_float(int count, global const float* from, long stride) {
  float some[16] = {0};
  for (int j = 0; j < count; j++) some[j] = from[j * stride];
  return vload16(0, some);
}
inline float16 gather_float16(int count, global const float* from, long stride) {
  return count == 16 ? (float16)(from[0 * stride], from[1 * stride], from[2 * stride], from[3 * stride], from[4 * stride], from[5 * stride], from[6 * stride], from[7 * stride], from[8 * stride], from[9 * stride], from[10 * stride], from[11 * stride], from[12 * stride], from[13 * stride], from[14 * stride], from[15 * stride]) : gather_some_float(count, from, stride);
}
// A work item owns up to 7 pixels of an output row x 32 output channels, all in registers:
//
//                 channels, 16 a vector
//                +------+------+
//  pixel 0       | c0_0 | c0_1 |  += x (one float, broadcast) * w0, w1 (one packed row of weights)
//  pixel 1       | c1_0 | c1_1 |  for each tap and input channel
//  ...           | ...  |      |
//                +------+------+
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
  const int tile = item % 19; item /= 19;
  const int oy = item % 128; item /= 128;
  const int ob = item % 2; item /= 2;
  if (item >= ((long)n)) return;
  x += 0 + item * 49152;
  w += ob * 864L;
  const long at = 0 + item * 1048576 + ob * 524288L + oy * 2048L;
  if (tile == 0) {
    float16 c0_0 = 0;
    float16 c0_1 = 0;
    float16 c1_0 = 0;
    float16 c1_1 = 0;
    float16 c2_0 = 0;
    float16 c2_1 = 0;
    float16 c3_0 = 0;
    float16 c3_1 = 0;
    float16 c4_0 = 0;
    float16 c4_1 = 0;
    float16 c5_0 = 0;
    float16 c5_1 = 0;
    float16 c6_0 = 0;
    float16 c6_1 = 0;
    for (int ky = 0; ky < 3; ky++) {
      const int iy = oy * 1 - 1 + ky * 1;
      if (iy < 0 || iy >= 128) continue;
      global const float* wr = w + ky * 288L;
      global const float* xr = x + iy * 128L;
      global const float* xc = xr;
      for (int ci = 0; ci < 3; ci++, xc += 16384L, wr += 96) {
        { const float16 w0 = vload16(0, wr + 0); const float16 w1 = vload16(1, wr + 0);
          { const float16 v = (float16)(xc[0]); c1_0 = fma(v, w0, c1_0); c1_1 = fma(v, w1, c1_1); }
          { const float16 v = (float16)(xc[1]); c2_0 = fma(v, w0, c2_0); c2_1 = fma(v, w1, c2_1); }
          { const float16 v = (float16)(xc[2]); c3_0 = fma(v, w0, c3_0); c3_1 = fma(v, w1, c3_1); }
          { const float16 v = (float16)(xc[3]); c4_0 = fma(v, w0, c4_0); c4_1 = fma(v, w1, c4_1); }
          { const float16 v = (float16)(xc[4]); c5_0 = fma(v, w0, c5_0); c5_1 = fma(v, w1, c5_1); }
          { const float16 v = (float16)(xc[5]); c6_0 = fma(v, w0, c6_0); c6_1 = fma(v, w1, c6_1); }
        }
        { const float16 w0 = vload16(0, wr + 32); const float16 w1 = vload16(1, wr + 32);
          { const float16 v = (float16)(xc[0]); c0_0 = fma(v, w0, c0_0); c0_1 = fma(v, w1, c0_1); }
          { const float16 v = (float16)(xc[1]); c1_0 = fma(v, w0, c1_0); c1_1 = fma(v, w1, c1_1); }
          { const float16 v = (float16)(xc[2]); c2_0 = fma(v, w0, c2_0); c2_1 = fma(v, w1, c2_1); }
          { const float16 v = (float16)(xc[3]); c3_0 = fma(v, w0, c3_0); c3_1 = fma(v, w1, c3_1); }
          { const float16 v = (float16)(xc[4]); c4_0 = fma(v, w0, c4_0); c4_1 = fma(v, w1, c4_1); }
          { const float16 v = (float16)(xc[5]); c5_0 = fma(v, w0, c5_0); c5_1 = fma(v, w1, c5_1); }
          { const float16 v = (float16)(xc[6]); c6_0 = fma(v, w0, c6_0); c6_1 = fma(v, w1, c6_1); }
        }
        { const float16 w0 = vload16(0, wr + 64); const float16 w1 = vload16(1, wr + 64);
          { const float16 v = (float16)(xc[1]); c0_0 = fma(v, w0, c0_0); c0_1 = fma(v, w1, c0_1); }
          { const float16 v = (float16)(xc[2]); c1_0 = fma(v, w0, c1_0); c1_1 = fma(v, w1, c1_1); }
          { const float16 v = (float16)(xc[3]); c2_0 = fma(v, w0, c2_0); c2_1 = fma(v, w1, c2_1); }
          { const float16 v = (float16)(xc[4]); c3_0 = fma(v, w0, c3_0); c3_1 = fma(v, w1, c3_1); }
          { const float16 v = (float16)(xc[5]); c4_0 = fma(v, w0, c4_0); c4_1 = fma(v, w1, c4_1); }
          { const float16 v = (float16)(xc[6]); c5_0 = fma(v, w0, c5_0); c5_1 = fma(v, w1, c5_1); }
          { const float16 v = (float16)(xc[7]); c6_0 = fma(v, w0, c6_0); c6_1 = fma(v, w1, c6_1); }
        }
      }
    }
    {
      vstore16(select(c0_0, (float16)(0.0f), ((c0_0) < ((float16)(0.0f)))), 0, y + at + (0 + 0) * 16L);
    }
    {
      vstore16(select(c0_1, (float16)(0.0f), ((c0_1) < ((float16)(0.0f)))), 0, y + at + 262144L + (0 + 0) * 16L);
    }
    {
      vstore16(select(c1_0, (float16)(0.0f), ((c1_0) < ((float16)(0.0f)))), 0, y + at + (0 + 1) * 16L);
    }
    {
      vstore16(select(c1_1, (float16)(0.0f), ((c1_1) < ((float16)(0.0f)))), 0, y + at + 262144L + (0 + 1) * 16L);
    }
    {
      vstore16(select(c2_0, (float16)(0.0f), ((c2_0) < ((float16)(0.0f)))), 0, y + at + (0 + 2) * 16L);
    }
    {
      vstore16(select(c2_1, (float16)(0.0f), ((c2_1) < ((float16)(0.0f)))), 0, y + at + 262144L + (0 + 2) * 16L);
    }
    {
      vstore16(select(c3_0, (float16)(0.0f), ((c3_0) < ((float16)(0.0f)))), 0, y + at + (0 + 3) * 16L);
    }
    {
      vstore16(select(c3_1, (float16)(0.0f), ((c3_1) < ((float16)(0.0f)))), 0, y + at + 262144L + (0 + 3) * 16L);
    }
    {
      vstore16(select(c4_0, (float16)(0.0f), ((c4_0) < ((float16)(0.0f)))), 0, y + at + (0 + 4) * 16L);
    }
    {
      vstore16(select(c4_1, (float16)(0.0f), ((c4_1) < ((float16)(0.0f)))), 0, y + at + 262144L + (0 + 4) * 16L);
    }
    {
      vstore16(select(c5_0, (float16)(0.0f), ((c5_0) < ((float16)(0.0f)))), 0, y + at + (0 + 5) * 16L);
    }
    {
      vstore16(select(c5_1, (float16)(0.0f), ((c5_1) < ((float16)(0.0f)))), 0, y + at + 262144L + (0 + 5) * 16L);
    }
    {
      vstore16(select(c6_0, (float16)(0.0f), ((c6_0) < ((float16)(0.0f)))), 0, y + at + (0 + 6) * 16L);
    }
    {
      vstore16(select(c6_1, (float16)(0.0f), ((c6_1) < ((float16)(0.0f)))), 0, y + at + 262144L + (0 + 6) * 16L);
    }
  }
  else if (tile == 18) {
    float16 c0_0 = 0;
    float16 c0_1 = 0;
    float16 c1_0 = 0;
    float16 c1_1 = 0;
    for (int ky = 0; ky < 3; ky++) {
      const int iy = oy * 1 - 1 + ky * 1;
      if (iy < 0 || iy >= 128) continue;
      global const float* wr = w + ky * 288L;
      global const float* xr = x + iy * 128L;
      global const float* xc = xr;
      for (int ci = 0; ci < 3; ci++, xc += 16384L, wr += 96) {
        { const float16 w0 = vload16(0, wr + 0); const float16 w1 = vload16(1, wr + 0);
          { const float16 v = (float16)(xc[125]); c0_0 = fma(v, w0, c0_0); c0_1 = fma(v, w1, c0_1); }
          { const float16 v = (float16)(xc[126]); c1_0 = fma(v, w0, c1_0); c1_1 = fma(v, w1, c1_1); }
        }
        { const float16 w0 = vload16(0, wr + 32); const float16 w1 = vload16(1, wr + 32);
          { const float16 v = (float16)(xc[126]); c0_0 = fma(v, w0, c0_0); c0_1 = fma(v, w1, c0_1); }
          { const float16 v = (float16)(xc[127]); c1_0 = fma(v, w0, c1_0); c1_1 = fma(v, w1, c1_1); }
        }
        { const float16 w0 = vload16(0, wr + 64); const float16 w1 = vload16(1, wr + 64);
          { const float16 v = (float16)(xc[127]); c0_0 = fma(v, w0, c0_0); c0_1 = fma(v, w1, c0_1); }
        }
      }
    }
    {
      vstore16(select(c0_0, (float16)(0.0f), ((c0_0) < ((float16)(0.0f)))), 0, y + at + (126 + 0) * 16L);
    }
    {
      vstore16(select(c0_1, (float16)(0.0f), ((c0_1) < ((float16)(0.0f)))), 0, y + at + 262144L + (126 + 0) * 16L);
    }
    {
      vstore16(select(c1_0, (float16)(0.0f), ((c1_0) < ((float16)(0.0f)))), 0, y + at + (126 + 1) * 16L);
    }
    {
      vstore16(select(c1_1, (float16)(0.0f), ((c1_1) < ((float16)(0.0f)))), 0, y + at + 262144L + (126 + 1) * 16L);
    }
  }
  else {
    float16 c0_0 = 0;
    float16 c0_1 = 0;
    float16 c1_0 = 0;
    float16 c1_1 = 0;
    float16 c2_0 = 0;
    float16 c2_1 = 0;
    float16 c3_0 = 0;
    float16 c3_1 = 0;
    float16 c4_0 = 0;
    float16 c4_1 = 0;
    float16 c5_0 = 0;
    float16 c5_1 = 0;
    float16 c6_0 = 0;
    float16 c6_1 = 0;
    for (int ky = 0; ky < 3; ky++) {
      const int iy = oy * 1 - 1 + ky * 1;
      if (iy < 0 || iy >= 128) continue;
      global const float* wr = w + ky * 288L;
      global const float* xr = x + iy * 128L + (tile * 7) * 1L;
      global const float* xc = xr;
      for (int ci = 0; ci < 3; ci++, xc += 16384L, wr += 96) {
        { const float16 w0 = vload16(0, wr + 0); const float16 w1 = vload16(1, wr + 0);
          { const float16 v = (float16)(xc[-1]); c0_0 = fma(v, w0, c0_0); c0_1 = fma(v, w1, c0_1); }
          { const float16 v = (float16)(xc[0]); c1_0 = fma(v, w0, c1_0); c1_1 = fma(v, w1, c1_1); }
          { const float16 v = (float16)(xc[1]); c2_0 = fma(v, w0, c2_0); c2_1 = fma(v, w1, c2_1); }
          { const float16 v = (float16)(xc[2]); c3_0 = fma(v, w0, c3_0); c3_1 = fma(v, w1, c3_1); }
          { const float16 v = (float16)(xc[3]); c4_0 = fma(v, w0, c4_0); c4_1 = fma(v, w1, c4_1); }
          { const float16 v = (float16)(xc[4]); c5_0 = fma(v, w0, c5_0); c5_1 = fma(v, w1, c5_1); }
          { const float16 v = (float16)(xc[5]); c6_0 = fma(v, w0, c6_0); c6_1 = fma(v, w1, c6_1); }
        }
        { const float16 w0 = vload16(0, wr + 32); const float16 w1 = vload16(1, wr + 32);
          { const float16 v = (float16)(xc[0]); c0_0 = fma(v, w0, c0_0); c0_1 = fma(v, w1, c0_1); }
          { const float16 v = (float16)(xc[1]); c1_0 = fma(v, w0, c1_0); c1_1 = fma(v, w1, c1_1); }
          { const float16 v = (float16)(xc[2]); c2_0 = fma(v, w0, c2_0); c2_1 = fma(v, w1, c2_1); }
          { const float16 v = (float16)(xc[3]); c3_0 = fma(v, w0, c3_0); c3_1 = fma(v, w1, c3_1); }
          { const float16 v = (float16)(xc[4]); c4_0 = fma(v, w0, c4_0); c4_1 = fma(v, w1, c4_1); }
          { const float16 v = (float16)(xc[5]); c5_0 = fma(v, w0, c5_0); c5_1 = fma(v, w1, c5_1); }
          { const float16 v = (float16)(xc[6]); c6_0 = fma(v, w0, c6_0); c6_1 = fma(v, w1, c6_1); }
        }
        { const float16 w0 = vload16(0, wr + 64); const float16 w1 = vload16(1, wr + 64);
          { const float16 v = (float16)(xc[1]); c0_0 = fma(v, w0, c0_0); c0_1 = fma(v, w1, c0_1); }
          { const float16 v = (float16)(xc[2]); c1_0 = fma(v, w0, c1_0); c1_1 = fma(v, w1, c1_1); }
          { const float16 v = (float16)(xc[3]); c2_0 = fma(v, w0, c2_0); c2_1 = fma(v, w1, c2_1); }
          { const float16 v = (float16)(xc[4]); c3_0 = fma(v, w0, c3_0); c3_1 = fma(v, w1, c3_1); }
          { const float16 v = (float16)(xc[5]); c4_0 = fma(v, w0, c4_0); c4_1 = fma(v, w1, c4_1); }
          { const float16 v = (float16)(xc[6]); c5_0 = fma(v, w0, c5_0); c5_1 = fma(v, w1, c5_1); }
          { const float16 v = (float16)(xc[7]); c6_0 = fma(v, w0, c6_0); c6_1 = fma(v, w1, c6_1); }
        }
      }
    }
    {
      vstore16(select(c0_0, (float16)(0.0f), ((c0_0) < ((float16)(0.0f)))), 0, y + at + ((tile * 7) + 0) * 16L);
    }
    {
      vstore16(select(c0_1, (float16)(0.0f), ((c0_1) < ((float16)(0.0f)))), 0, y + at + 262144L + ((tile * 7) + 0) * 16L);
    }
    {
      vstore16(select(c1_0, (float16)(0.0f), ((c1_0) < ((float16)(0.0f)))), 0, y + at + ((tile * 7) + 1) * 16L);
    }
    {
      vstore16(select(c1_1, (float16)(0.0f), ((c1_1) < ((float16)(0.0f)))), 0, y + at + 262144L + ((tile * 7) + 1) * 16L);
    }
    {
      vstore16(select(c2_0, (float16)(0.0f), ((c2_0) < ((float16)(0.0f)))), 0, y + at + ((tile * 7) + 2) * 16L);
    }
    {
      vstore16(select(c2_1, (float16)(0.0f), ((c2_1) < ((float16)(0.0f)))), 0, y + at + 262144L + ((tile * 7) + 2) * 16L);
    }
    {
      vstore16(select(c3_0, (float16)(0.0f), ((c3_0) < ((float16)(0.0f)))), 0, y + at + ((tile * 7) + 3) * 16L);
    }
    {
      vstore16(select(c3_1, (float16)(0.0f), ((c3_1) < ((float16)(0.0f)))), 0, y + at + 262144L + ((tile * 7) + 3) * 16L);
    }
    {
      vstore16(select(c4_0, (float16)(0.0f), ((c4_0) < ((float16)(0.0f)))), 0, y + at + ((tile * 7) + 4) * 16L);
    }
    {
      vstore16(select(c4_1, (float16)(0.0f), ((c4_1) < ((float16)(0.0f)))), 0, y + at + 262144L + ((tile * 7) + 4) * 16L);
    }
    {
      vstore16(select(c5_0, (float16)(0.0f), ((c5_0) < ((float16)(0.0f)))), 0, y + at + ((tile * 7) + 5) * 16L);
    }
    {
      vstore16(select(c5_1, (float16)(0.0f), ((c5_1) < ((float16)(0.0f)))), 0, y + at + 262144L + ((tile * 7) + 5) * 16L);
    }
    {
      vstore16(select(c6_0, (float16)(0.0f), ((c6_0) < ((float16)(0.0f)))), 0, y + at + ((tile * 7) + 6) * 16L);
    }
    {
      vstore16(select(c6_1, (float16)(0.0f), ((c6_1) < ((float16)(0.0f)))), 0, y + at + 262144L + ((tile * 7) + 6) * 16L);
    }
  }
}

// A work item owns one output row x 16 channels, 8 pixels at a time in registers (c0, c1, ...).
//
//  input row    x  x  x  x  x  x  ...    one vector each, 16 channels
//               \_____/                  c0: 7 taps a row
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
  const int oy = item % 128; item /= 128;
  const int ob = item % 4; item /= 4;
  if (item >= ((long)n)) return;
  x += 0 + item * 1048576 + ob * 262144L;
  w += ob * 784;
  const long at = 0 + item * 1048576 + ob * 262144L + oy * 2048L;
  {
    float16 c0 = 0;
    float16 c1 = 0;
    float16 c2 = 0;
    float16 c3 = 0;
    float16 c4 = 0;
    float16 c5 = 0;
    float16 c6 = 0;
    float16 c7 = 0;
    {
      const int iy = oy * 1 + -3;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L;
        const float16 w0 = vload16(0, w);
        const float16 w1 = vload16(1, w);
        const float16 w2 = vload16(2, w);
        const float16 w3 = vload16(3, w);
        const float16 w4 = vload16(4, w);
        const float16 w5 = vload16(5, w);
        const float16 w6 = vload16(6, w);
        { const float16 v = vload16(0, xr + 0); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 16); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 32); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 48); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 64); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 80); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 96); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 112); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
        { const float16 v = vload16(0, xr + 128); c5 = fma(v, w6, c5); c6 = fma(v, w5, c6); c7 = fma(v, w4, c7); }
        { const float16 v = vload16(0, xr + 144); c6 = fma(v, w6, c6); c7 = fma(v, w5, c7); }
        { const float16 v = vload16(0, xr + 160); c7 = fma(v, w6, c7); }
      }
    }
    {
      const int iy = oy * 1 + -2;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L;
        const float16 w0 = vload16(7, w);
        const float16 w1 = vload16(8, w);
        const float16 w2 = vload16(9, w);
        const float16 w3 = vload16(10, w);
        const float16 w4 = vload16(11, w);
        const float16 w5 = vload16(12, w);
        const float16 w6 = vload16(13, w);
        { const float16 v = vload16(0, xr + 0); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 16); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 32); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 48); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 64); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 80); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 96); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 112); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
        { const float16 v = vload16(0, xr + 128); c5 = fma(v, w6, c5); c6 = fma(v, w5, c6); c7 = fma(v, w4, c7); }
        { const float16 v = vload16(0, xr + 144); c6 = fma(v, w6, c6); c7 = fma(v, w5, c7); }
        { const float16 v = vload16(0, xr + 160); c7 = fma(v, w6, c7); }
      }
    }
    {
      const int iy = oy * 1 + -1;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L;
        const float16 w0 = vload16(14, w);
        const float16 w1 = vload16(15, w);
        const float16 w2 = vload16(16, w);
        const float16 w3 = vload16(17, w);
        const float16 w4 = vload16(18, w);
        const float16 w5 = vload16(19, w);
        const float16 w6 = vload16(20, w);
        { const float16 v = vload16(0, xr + 0); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 16); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 32); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 48); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 64); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 80); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 96); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 112); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
        { const float16 v = vload16(0, xr + 128); c5 = fma(v, w6, c5); c6 = fma(v, w5, c6); c7 = fma(v, w4, c7); }
        { const float16 v = vload16(0, xr + 144); c6 = fma(v, w6, c6); c7 = fma(v, w5, c7); }
        { const float16 v = vload16(0, xr + 160); c7 = fma(v, w6, c7); }
      }
    }
    {
      const int iy = oy * 1 + 0;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L;
        const float16 w0 = vload16(21, w);
        const float16 w1 = vload16(22, w);
        const float16 w2 = vload16(23, w);
        const float16 w3 = vload16(24, w);
        const float16 w4 = vload16(25, w);
        const float16 w5 = vload16(26, w);
        const float16 w6 = vload16(27, w);
        { const float16 v = vload16(0, xr + 0); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 16); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 32); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 48); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 64); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 80); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 96); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 112); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
        { const float16 v = vload16(0, xr + 128); c5 = fma(v, w6, c5); c6 = fma(v, w5, c6); c7 = fma(v, w4, c7); }
        { const float16 v = vload16(0, xr + 144); c6 = fma(v, w6, c6); c7 = fma(v, w5, c7); }
        { const float16 v = vload16(0, xr + 160); c7 = fma(v, w6, c7); }
      }
    }
    {
      const int iy = oy * 1 + 1;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L;
        const float16 w0 = vload16(28, w);
        const float16 w1 = vload16(29, w);
        const float16 w2 = vload16(30, w);
        const float16 w3 = vload16(31, w);
        const float16 w4 = vload16(32, w);
        const float16 w5 = vload16(33, w);
        const float16 w6 = vload16(34, w);
        { const float16 v = vload16(0, xr + 0); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 16); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 32); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 48); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 64); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 80); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 96); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 112); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
        { const float16 v = vload16(0, xr + 128); c5 = fma(v, w6, c5); c6 = fma(v, w5, c6); c7 = fma(v, w4, c7); }
        { const float16 v = vload16(0, xr + 144); c6 = fma(v, w6, c6); c7 = fma(v, w5, c7); }
        { const float16 v = vload16(0, xr + 160); c7 = fma(v, w6, c7); }
      }
    }
    {
      const int iy = oy * 1 + 2;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L;
        const float16 w0 = vload16(35, w);
        const float16 w1 = vload16(36, w);
        const float16 w2 = vload16(37, w);
        const float16 w3 = vload16(38, w);
        const float16 w4 = vload16(39, w);
        const float16 w5 = vload16(40, w);
        const float16 w6 = vload16(41, w);
        { const float16 v = vload16(0, xr + 0); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 16); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 32); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 48); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 64); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 80); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 96); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 112); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
        { const float16 v = vload16(0, xr + 128); c5 = fma(v, w6, c5); c6 = fma(v, w5, c6); c7 = fma(v, w4, c7); }
        { const float16 v = vload16(0, xr + 144); c6 = fma(v, w6, c6); c7 = fma(v, w5, c7); }
        { const float16 v = vload16(0, xr + 160); c7 = fma(v, w6, c7); }
      }
    }
    {
      const int iy = oy * 1 + 3;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L;
        const float16 w0 = vload16(42, w);
        const float16 w1 = vload16(43, w);
        const float16 w2 = vload16(44, w);
        const float16 w3 = vload16(45, w);
        const float16 w4 = vload16(46, w);
        const float16 w5 = vload16(47, w);
        const float16 w6 = vload16(48, w);
        { const float16 v = vload16(0, xr + 0); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 16); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 32); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 48); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 64); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 80); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 96); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 112); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
        { const float16 v = vload16(0, xr + 128); c5 = fma(v, w6, c5); c6 = fma(v, w5, c6); c7 = fma(v, w4, c7); }
        { const float16 v = vload16(0, xr + 144); c6 = fma(v, w6, c6); c7 = fma(v, w5, c7); }
        { const float16 v = vload16(0, xr + 160); c7 = fma(v, w6, c7); }
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
    {
      vstore16(c6, 0, y + at + (0 + 6) * 16L);
    }
    {
      vstore16(c7, 0, y + at + (0 + 7) * 16L);
    }
  }
  #pragma unroll 1
  for (int ox = 8; ox < 120; ox += 8) {
    float16 c0 = 0;
    float16 c1 = 0;
    float16 c2 = 0;
    float16 c3 = 0;
    float16 c4 = 0;
    float16 c5 = 0;
    float16 c6 = 0;
    float16 c7 = 0;
    {
      const int iy = oy * 1 + -3;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L + ox * 16L;
        const float16 w0 = vload16(0, w);
        const float16 w1 = vload16(1, w);
        const float16 w2 = vload16(2, w);
        const float16 w3 = vload16(3, w);
        const float16 w4 = vload16(4, w);
        const float16 w5 = vload16(5, w);
        const float16 w6 = vload16(6, w);
        { const float16 v = vload16(0, xr + -48); c0 = fma(v, w0, c0); }
        { const float16 v = vload16(0, xr + -32); c0 = fma(v, w1, c0); c1 = fma(v, w0, c1); }
        { const float16 v = vload16(0, xr + -16); c0 = fma(v, w2, c0); c1 = fma(v, w1, c1); c2 = fma(v, w0, c2); }
        { const float16 v = vload16(0, xr + 0); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 16); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 32); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 48); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 64); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 80); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 96); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 112); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
        { const float16 v = vload16(0, xr + 128); c5 = fma(v, w6, c5); c6 = fma(v, w5, c6); c7 = fma(v, w4, c7); }
        { const float16 v = vload16(0, xr + 144); c6 = fma(v, w6, c6); c7 = fma(v, w5, c7); }
        { const float16 v = vload16(0, xr + 160); c7 = fma(v, w6, c7); }
      }
    }
    {
      const int iy = oy * 1 + -2;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L + ox * 16L;
        const float16 w0 = vload16(7, w);
        const float16 w1 = vload16(8, w);
        const float16 w2 = vload16(9, w);
        const float16 w3 = vload16(10, w);
        const float16 w4 = vload16(11, w);
        const float16 w5 = vload16(12, w);
        const float16 w6 = vload16(13, w);
        { const float16 v = vload16(0, xr + -48); c0 = fma(v, w0, c0); }
        { const float16 v = vload16(0, xr + -32); c0 = fma(v, w1, c0); c1 = fma(v, w0, c1); }
        { const float16 v = vload16(0, xr + -16); c0 = fma(v, w2, c0); c1 = fma(v, w1, c1); c2 = fma(v, w0, c2); }
        { const float16 v = vload16(0, xr + 0); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 16); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 32); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 48); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 64); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 80); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 96); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 112); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
        { const float16 v = vload16(0, xr + 128); c5 = fma(v, w6, c5); c6 = fma(v, w5, c6); c7 = fma(v, w4, c7); }
        { const float16 v = vload16(0, xr + 144); c6 = fma(v, w6, c6); c7 = fma(v, w5, c7); }
        { const float16 v = vload16(0, xr + 160); c7 = fma(v, w6, c7); }
      }
    }
    {
      const int iy = oy * 1 + -1;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L + ox * 16L;
        const float16 w0 = vload16(14, w);
        const float16 w1 = vload16(15, w);
        const float16 w2 = vload16(16, w);
        const float16 w3 = vload16(17, w);
        const float16 w4 = vload16(18, w);
        const float16 w5 = vload16(19, w);
        const float16 w6 = vload16(20, w);
        { const float16 v = vload16(0, xr + -48); c0 = fma(v, w0, c0); }
        { const float16 v = vload16(0, xr + -32); c0 = fma(v, w1, c0); c1 = fma(v, w0, c1); }
        { const float16 v = vload16(0, xr + -16); c0 = fma(v, w2, c0); c1 = fma(v, w1, c1); c2 = fma(v, w0, c2); }
        { const float16 v = vload16(0, xr + 0); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 16); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 32); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 48); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 64); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 80); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 96); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 112); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
        { const float16 v = vload16(0, xr + 128); c5 = fma(v, w6, c5); c6 = fma(v, w5, c6); c7 = fma(v, w4, c7); }
        { const float16 v = vload16(0, xr + 144); c6 = fma(v, w6, c6); c7 = fma(v, w5, c7); }
        { const float16 v = vload16(0, xr + 160); c7 = fma(v, w6, c7); }
      }
    }
    {
      const int iy = oy * 1 + 0;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L + ox * 16L;
        const float16 w0 = vload16(21, w);
        const float16 w1 = vload16(22, w);
        const float16 w2 = vload16(23, w);
        const float16 w3 = vload16(24, w);
        const float16 w4 = vload16(25, w);
        const float16 w5 = vload16(26, w);
        const float16 w6 = vload16(27, w);
        { const float16 v = vload16(0, xr + -48); c0 = fma(v, w0, c0); }
        { const float16 v = vload16(0, xr + -32); c0 = fma(v, w1, c0); c1 = fma(v, w0, c1); }
        { const float16 v = vload16(0, xr + -16); c0 = fma(v, w2, c0); c1 = fma(v, w1, c1); c2 = fma(v, w0, c2); }
        { const float16 v = vload16(0, xr + 0); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 16); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 32); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 48); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 64); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 80); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 96); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 112); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
        { const float16 v = vload16(0, xr + 128); c5 = fma(v, w6, c5); c6 = fma(v, w5, c6); c7 = fma(v, w4, c7); }
        { const float16 v = vload16(0, xr + 144); c6 = fma(v, w6, c6); c7 = fma(v, w5, c7); }
        { const float16 v = vload16(0, xr + 160); c7 = fma(v, w6, c7); }
      }
    }
    {
      const int iy = oy * 1 + 1;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L + ox * 16L;
        const float16 w0 = vload16(28, w);
        const float16 w1 = vload16(29, w);
        const float16 w2 = vload16(30, w);
        const float16 w3 = vload16(31, w);
        const float16 w4 = vload16(32, w);
        const float16 w5 = vload16(33, w);
        const float16 w6 = vload16(34, w);
        { const float16 v = vload16(0, xr + -48); c0 = fma(v, w0, c0); }
        { const float16 v = vload16(0, xr + -32); c0 = fma(v, w1, c0); c1 = fma(v, w0, c1); }
        { const float16 v = vload16(0, xr + -16); c0 = fma(v, w2, c0); c1 = fma(v, w1, c1); c2 = fma(v, w0, c2); }
        { const float16 v = vload16(0, xr + 0); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 16); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 32); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 48); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 64); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 80); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 96); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 112); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
        { const float16 v = vload16(0, xr + 128); c5 = fma(v, w6, c5); c6 = fma(v, w5, c6); c7 = fma(v, w4, c7); }
        { const float16 v = vload16(0, xr + 144); c6 = fma(v, w6, c6); c7 = fma(v, w5, c7); }
        { const float16 v = vload16(0, xr + 160); c7 = fma(v, w6, c7); }
      }
    }
    {
      const int iy = oy * 1 + 2;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L + ox * 16L;
        const float16 w0 = vload16(35, w);
        const float16 w1 = vload16(36, w);
        const float16 w2 = vload16(37, w);
        const float16 w3 = vload16(38, w);
        const float16 w4 = vload16(39, w);
        const float16 w5 = vload16(40, w);
        const float16 w6 = vload16(41, w);
        { const float16 v = vload16(0, xr + -48); c0 = fma(v, w0, c0); }
        { const float16 v = vload16(0, xr + -32); c0 = fma(v, w1, c0); c1 = fma(v, w0, c1); }
        { const float16 v = vload16(0, xr + -16); c0 = fma(v, w2, c0); c1 = fma(v, w1, c1); c2 = fma(v, w0, c2); }
        { const float16 v = vload16(0, xr + 0); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 16); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 32); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 48); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 64); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 80); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 96); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 112); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
        { const float16 v = vload16(0, xr + 128); c5 = fma(v, w6, c5); c6 = fma(v, w5, c6); c7 = fma(v, w4, c7); }
        { const float16 v = vload16(0, xr + 144); c6 = fma(v, w6, c6); c7 = fma(v, w5, c7); }
        { const float16 v = vload16(0, xr + 160); c7 = fma(v, w6, c7); }
      }
    }
    {
      const int iy = oy * 1 + 3;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L + ox * 16L;
        const float16 w0 = vload16(42, w);
        const float16 w1 = vload16(43, w);
        const float16 w2 = vload16(44, w);
        const float16 w3 = vload16(45, w);
        const float16 w4 = vload16(46, w);
        const float16 w5 = vload16(47, w);
        const float16 w6 = vload16(48, w);
        { const float16 v = vload16(0, xr + -48); c0 = fma(v, w0, c0); }
        { const float16 v = vload16(0, xr + -32); c0 = fma(v, w1, c0); c1 = fma(v, w0, c1); }
        { const float16 v = vload16(0, xr + -16); c0 = fma(v, w2, c0); c1 = fma(v, w1, c1); c2 = fma(v, w0, c2); }
        { const float16 v = vload16(0, xr + 0); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 16); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 32); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 48); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 64); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 80); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 96); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 112); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
        { const float16 v = vload16(0, xr + 128); c5 = fma(v, w6, c5); c6 = fma(v, w5, c6); c7 = fma(v, w4, c7); }
        { const float16 v = vload16(0, xr + 144); c6 = fma(v, w6, c6); c7 = fma(v, w5, c7); }
        { const float16 v = vload16(0, xr + 160); c7 = fma(v, w6, c7); }
      }
    }
    {
      vstore16(c0, 0, y + at + (ox + 0) * 16L);
    }
    {
      vstore16(c1, 0, y + at + (ox + 1) * 16L);
    }
    {
      vstore16(c2, 0, y + at + (ox + 2) * 16L);
    }
    {
      vstore16(c3, 0, y + at + (ox + 3) * 16L);
    }
    {
      vstore16(c4, 0, y + at + (ox + 4) * 16L);
    }
    {
      vstore16(c5, 0, y + at + (ox + 5) * 16L);
    }
    {
      vstore16(c6, 0, y + at + (ox + 6) * 16L);
    }
    {
      vstore16(c7, 0, y + at + (ox + 7) * 16L);
    }
  }
  {
    float16 c0 = 0;
    float16 c1 = 0;
    float16 c2 = 0;
    float16 c3 = 0;
    float16 c4 = 0;
    float16 c5 = 0;
    float16 c6 = 0;
    float16 c7 = 0;
    {
      const int iy = oy * 1 + -3;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L;
        const float16 w0 = vload16(0, w);
        const float16 w1 = vload16(1, w);
        const float16 w2 = vload16(2, w);
        const float16 w3 = vload16(3, w);
        const float16 w4 = vload16(4, w);
        const float16 w5 = vload16(5, w);
        const float16 w6 = vload16(6, w);
        { const float16 v = vload16(0, xr + 1872); c0 = fma(v, w0, c0); }
        { const float16 v = vload16(0, xr + 1888); c0 = fma(v, w1, c0); c1 = fma(v, w0, c1); }
        { const float16 v = vload16(0, xr + 1904); c0 = fma(v, w2, c0); c1 = fma(v, w1, c1); c2 = fma(v, w0, c2); }
        { const float16 v = vload16(0, xr + 1920); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 1936); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 1952); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 1968); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 1984); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 2000); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 2016); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 2032); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
      }
    }
    {
      const int iy = oy * 1 + -2;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L;
        const float16 w0 = vload16(7, w);
        const float16 w1 = vload16(8, w);
        const float16 w2 = vload16(9, w);
        const float16 w3 = vload16(10, w);
        const float16 w4 = vload16(11, w);
        const float16 w5 = vload16(12, w);
        const float16 w6 = vload16(13, w);
        { const float16 v = vload16(0, xr + 1872); c0 = fma(v, w0, c0); }
        { const float16 v = vload16(0, xr + 1888); c0 = fma(v, w1, c0); c1 = fma(v, w0, c1); }
        { const float16 v = vload16(0, xr + 1904); c0 = fma(v, w2, c0); c1 = fma(v, w1, c1); c2 = fma(v, w0, c2); }
        { const float16 v = vload16(0, xr + 1920); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 1936); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 1952); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 1968); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 1984); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 2000); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 2016); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 2032); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
      }
    }
    {
      const int iy = oy * 1 + -1;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L;
        const float16 w0 = vload16(14, w);
        const float16 w1 = vload16(15, w);
        const float16 w2 = vload16(16, w);
        const float16 w3 = vload16(17, w);
        const float16 w4 = vload16(18, w);
        const float16 w5 = vload16(19, w);
        const float16 w6 = vload16(20, w);
        { const float16 v = vload16(0, xr + 1872); c0 = fma(v, w0, c0); }
        { const float16 v = vload16(0, xr + 1888); c0 = fma(v, w1, c0); c1 = fma(v, w0, c1); }
        { const float16 v = vload16(0, xr + 1904); c0 = fma(v, w2, c0); c1 = fma(v, w1, c1); c2 = fma(v, w0, c2); }
        { const float16 v = vload16(0, xr + 1920); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 1936); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 1952); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 1968); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 1984); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 2000); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 2016); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 2032); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
      }
    }
    {
      const int iy = oy * 1 + 0;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L;
        const float16 w0 = vload16(21, w);
        const float16 w1 = vload16(22, w);
        const float16 w2 = vload16(23, w);
        const float16 w3 = vload16(24, w);
        const float16 w4 = vload16(25, w);
        const float16 w5 = vload16(26, w);
        const float16 w6 = vload16(27, w);
        { const float16 v = vload16(0, xr + 1872); c0 = fma(v, w0, c0); }
        { const float16 v = vload16(0, xr + 1888); c0 = fma(v, w1, c0); c1 = fma(v, w0, c1); }
        { const float16 v = vload16(0, xr + 1904); c0 = fma(v, w2, c0); c1 = fma(v, w1, c1); c2 = fma(v, w0, c2); }
        { const float16 v = vload16(0, xr + 1920); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 1936); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 1952); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 1968); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 1984); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 2000); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 2016); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 2032); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
      }
    }
    {
      const int iy = oy * 1 + 1;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L;
        const float16 w0 = vload16(28, w);
        const float16 w1 = vload16(29, w);
        const float16 w2 = vload16(30, w);
        const float16 w3 = vload16(31, w);
        const float16 w4 = vload16(32, w);
        const float16 w5 = vload16(33, w);
        const float16 w6 = vload16(34, w);
        { const float16 v = vload16(0, xr + 1872); c0 = fma(v, w0, c0); }
        { const float16 v = vload16(0, xr + 1888); c0 = fma(v, w1, c0); c1 = fma(v, w0, c1); }
        { const float16 v = vload16(0, xr + 1904); c0 = fma(v, w2, c0); c1 = fma(v, w1, c1); c2 = fma(v, w0, c2); }
        { const float16 v = vload16(0, xr + 1920); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 1936); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 1952); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 1968); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 1984); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 2000); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 2016); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 2032); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
      }
    }
    {
      const int iy = oy * 1 + 2;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L;
        const float16 w0 = vload16(35, w);
        const float16 w1 = vload16(36, w);
        const float16 w2 = vload16(37, w);
        const float16 w3 = vload16(38, w);
        const float16 w4 = vload16(39, w);
        const float16 w5 = vload16(40, w);
        const float16 w6 = vload16(41, w);
        { const float16 v = vload16(0, xr + 1872); c0 = fma(v, w0, c0); }
        { const float16 v = vload16(0, xr + 1888); c0 = fma(v, w1, c0); c1 = fma(v, w0, c1); }
        { const float16 v = vload16(0, xr + 1904); c0 = fma(v, w2, c0); c1 = fma(v, w1, c1); c2 = fma(v, w0, c2); }
        { const float16 v = vload16(0, xr + 1920); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 1936); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 1952); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 1968); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 1984); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 2000); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 2016); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 2032); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
      }
    }
    {
      const int iy = oy * 1 + 3;
      if (iy >= 0 && iy < 128) {
        global const float* xr = x + iy * 2048L;
        const float16 w0 = vload16(42, w);
        const float16 w1 = vload16(43, w);
        const float16 w2 = vload16(44, w);
        const float16 w3 = vload16(45, w);
        const float16 w4 = vload16(46, w);
        const float16 w5 = vload16(47, w);
        const float16 w6 = vload16(48, w);
        { const float16 v = vload16(0, xr + 1872); c0 = fma(v, w0, c0); }
        { const float16 v = vload16(0, xr + 1888); c0 = fma(v, w1, c0); c1 = fma(v, w0, c1); }
        { const float16 v = vload16(0, xr + 1904); c0 = fma(v, w2, c0); c1 = fma(v, w1, c1); c2 = fma(v, w0, c2); }
        { const float16 v = vload16(0, xr + 1920); c0 = fma(v, w3, c0); c1 = fma(v, w2, c1); c2 = fma(v, w1, c2); c3 = fma(v, w0, c3); }
        { const float16 v = vload16(0, xr + 1936); c0 = fma(v, w4, c0); c1 = fma(v, w3, c1); c2 = fma(v, w2, c2); c3 = fma(v, w1, c3); c4 = fma(v, w0, c4); }
        { const float16 v = vload16(0, xr + 1952); c0 = fma(v, w5, c0); c1 = fma(v, w4, c1); c2 = fma(v, w3, c2); c3 = fma(v, w2, c3); c4 = fma(v, w1, c4); c5 = fma(v, w0, c5); }
        { const float16 v = vload16(0, xr + 1968); c0 = fma(v, w6, c0); c1 = fma(v, w5, c1); c2 = fma(v, w4, c2); c3 = fma(v, w3, c3); c4 = fma(v, w2, c4); c5 = fma(v, w1, c5); c6 = fma(v, w0, c6); }
        { const float16 v = vload16(0, xr + 1984); c1 = fma(v, w6, c1); c2 = fma(v, w5, c2); c3 = fma(v, w4, c3); c4 = fma(v, w3, c4); c5 = fma(v, w2, c5); c6 = fma(v, w1, c6); c7 = fma(v, w0, c7); }
        { const float16 v = vload16(0, xr + 2000); c2 = fma(v, w6, c2); c3 = fma(v, w5, c3); c4 = fma(v, w4, c4); c5 = fma(v, w3, c5); c6 = fma(v, w2, c6); c7 = fma(v, w1, c7); }
        { const float16 v = vload16(0, xr + 2016); c3 = fma(v, w6, c3); c4 = fma(v, w5, c4); c5 = fma(v, w4, c5); c6 = fma(v, w3, c6); c7 = fma(v, w2, c7); }
        { const float16 v = vload16(0, xr + 2032); c4 = fma(v, w6, c4); c5 = fma(v, w5, c5); c6 = fma(v, w4, c6); c7 = fma(v, w3, c7); }
      }
    }
    {
      vstore16(c0, 0, y + at + (120 + 0) * 16L);
    }
    {
      vstore16(c1, 0, y + at + (120 + 1) * 16L);
    }
    {
      vstore16(c2, 0, y + at + (120 + 2) * 16L);
    }
    {
      vstore16(c3, 0, y + at + (120 + 3) * 16L);
    }
    {
      vstore16(c4, 0, y + at + (120 + 4) * 16L);
    }
    {
      vstore16(c5, 0, y + at + (120 + 5) * 16L);
    }
    {
      vstore16(c6, 0, y + at + (120 + 6) * 16L);
    }
    {
      vstore16(c7, 0, y + at + (120 + 7) * 16L);
    }
  }
}

// A work item owns up to 256 neighbouring elements of each of 16 runs, and takes 16 of them at a time in a vector.
// All arrays are read in the order of the result's memory: vector by vector;
// elements that lie apart there are gathered, each from an address that is one stride on.
kernel __attribute__((reqd_work_group_size(1,1,1))) void output_2(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= (256*(long)n)) return;
  const long start = item % 64 * 256;
  const long end = min(start + 256, 16384L);
  item /= 64;
  const long p1 = item % 4; item /= 4;
  const long p0 = item % ((long)n); item /= ((long)n);
  for (long p2 = 0; p2 < 16; p2++) {
    for (long e = start; e < end; e += 16) {
      const float16 v0 = gather_float16(16, x0 + p0 * 1048576 + p1 * 262144 + p2 * 1 + e * 16, 16);
      vstore16(v0, 0, y + p0 * 1048576 + p1 * 262144 + p2 * 16384 + e);
    }
  }
}

