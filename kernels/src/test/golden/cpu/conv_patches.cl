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
// A work item owns up to 14 pixels of an output row x 16 output channels, all in registers:
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
  const int tile = item % 2; item /= 2;
  const int oy = item % 28; item /= 28;
  const int ob = item % 1; item /= 1;
  if (item >= ((long)n)) return;
  x += 0 + item * 12544;
  w += ob * 2304L;
  const long at = 0 + item * 12544 + ob * 12544L + oy * 448L;
  if (tile == 0) {
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
    float16 c13_0 = 0;
    for (int ky = 0; ky < 3; ky++) {
      const int iy = oy * 1 - 1 + ky * 1;
      if (iy < 0 || iy >= 28) continue;
      global const float* wr = w + ky * 768L;
      global const float* xr = x + iy * 28L;
      global const float* xc = xr;
      for (int ci = 0; ci < 16; ci++, xc += 784L, wr += 48) {
        { const float16 w0 = vload16(0, wr + 0);
          { const float16 v = (float16)(xc[0]); c1_0 = fma(v, w0, c1_0); }
          { const float16 v = (float16)(xc[1]); c2_0 = fma(v, w0, c2_0); }
          { const float16 v = (float16)(xc[2]); c3_0 = fma(v, w0, c3_0); }
          { const float16 v = (float16)(xc[3]); c4_0 = fma(v, w0, c4_0); }
          { const float16 v = (float16)(xc[4]); c5_0 = fma(v, w0, c5_0); }
          { const float16 v = (float16)(xc[5]); c6_0 = fma(v, w0, c6_0); }
          { const float16 v = (float16)(xc[6]); c7_0 = fma(v, w0, c7_0); }
          { const float16 v = (float16)(xc[7]); c8_0 = fma(v, w0, c8_0); }
          { const float16 v = (float16)(xc[8]); c9_0 = fma(v, w0, c9_0); }
          { const float16 v = (float16)(xc[9]); c10_0 = fma(v, w0, c10_0); }
          { const float16 v = (float16)(xc[10]); c11_0 = fma(v, w0, c11_0); }
          { const float16 v = (float16)(xc[11]); c12_0 = fma(v, w0, c12_0); }
          { const float16 v = (float16)(xc[12]); c13_0 = fma(v, w0, c13_0); }
        }
        { const float16 w0 = vload16(0, wr + 16);
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
          { const float16 v = (float16)(xc[13]); c13_0 = fma(v, w0, c13_0); }
        }
        { const float16 w0 = vload16(0, wr + 32);
          { const float16 v = (float16)(xc[1]); c0_0 = fma(v, w0, c0_0); }
          { const float16 v = (float16)(xc[2]); c1_0 = fma(v, w0, c1_0); }
          { const float16 v = (float16)(xc[3]); c2_0 = fma(v, w0, c2_0); }
          { const float16 v = (float16)(xc[4]); c3_0 = fma(v, w0, c3_0); }
          { const float16 v = (float16)(xc[5]); c4_0 = fma(v, w0, c4_0); }
          { const float16 v = (float16)(xc[6]); c5_0 = fma(v, w0, c5_0); }
          { const float16 v = (float16)(xc[7]); c6_0 = fma(v, w0, c6_0); }
          { const float16 v = (float16)(xc[8]); c7_0 = fma(v, w0, c7_0); }
          { const float16 v = (float16)(xc[9]); c8_0 = fma(v, w0, c8_0); }
          { const float16 v = (float16)(xc[10]); c9_0 = fma(v, w0, c9_0); }
          { const float16 v = (float16)(xc[11]); c10_0 = fma(v, w0, c10_0); }
          { const float16 v = (float16)(xc[12]); c11_0 = fma(v, w0, c11_0); }
          { const float16 v = (float16)(xc[13]); c12_0 = fma(v, w0, c12_0); }
          { const float16 v = (float16)(xc[14]); c13_0 = fma(v, w0, c13_0); }
        }
      }
    }
    {
      vstore16(select(c0_0, (float16)(0.0f), ((c0_0) < ((float16)(0.0f)))), 0, y + at + (0 + 0) * 16L);
    }
    {
      vstore16(select(c1_0, (float16)(0.0f), ((c1_0) < ((float16)(0.0f)))), 0, y + at + (0 + 1) * 16L);
    }
    {
      vstore16(select(c2_0, (float16)(0.0f), ((c2_0) < ((float16)(0.0f)))), 0, y + at + (0 + 2) * 16L);
    }
    {
      vstore16(select(c3_0, (float16)(0.0f), ((c3_0) < ((float16)(0.0f)))), 0, y + at + (0 + 3) * 16L);
    }
    {
      vstore16(select(c4_0, (float16)(0.0f), ((c4_0) < ((float16)(0.0f)))), 0, y + at + (0 + 4) * 16L);
    }
    {
      vstore16(select(c5_0, (float16)(0.0f), ((c5_0) < ((float16)(0.0f)))), 0, y + at + (0 + 5) * 16L);
    }
    {
      vstore16(select(c6_0, (float16)(0.0f), ((c6_0) < ((float16)(0.0f)))), 0, y + at + (0 + 6) * 16L);
    }
    {
      vstore16(select(c7_0, (float16)(0.0f), ((c7_0) < ((float16)(0.0f)))), 0, y + at + (0 + 7) * 16L);
    }
    {
      vstore16(select(c8_0, (float16)(0.0f), ((c8_0) < ((float16)(0.0f)))), 0, y + at + (0 + 8) * 16L);
    }
    {
      vstore16(select(c9_0, (float16)(0.0f), ((c9_0) < ((float16)(0.0f)))), 0, y + at + (0 + 9) * 16L);
    }
    {
      vstore16(select(c10_0, (float16)(0.0f), ((c10_0) < ((float16)(0.0f)))), 0, y + at + (0 + 10) * 16L);
    }
    {
      vstore16(select(c11_0, (float16)(0.0f), ((c11_0) < ((float16)(0.0f)))), 0, y + at + (0 + 11) * 16L);
    }
    {
      vstore16(select(c12_0, (float16)(0.0f), ((c12_0) < ((float16)(0.0f)))), 0, y + at + (0 + 12) * 16L);
    }
    {
      vstore16(select(c13_0, (float16)(0.0f), ((c13_0) < ((float16)(0.0f)))), 0, y + at + (0 + 13) * 16L);
    }
  }
  else if (tile == 1) {
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
    float16 c13_0 = 0;
    for (int ky = 0; ky < 3; ky++) {
      const int iy = oy * 1 - 1 + ky * 1;
      if (iy < 0 || iy >= 28) continue;
      global const float* wr = w + ky * 768L;
      global const float* xr = x + iy * 28L;
      global const float* xc = xr;
      for (int ci = 0; ci < 16; ci++, xc += 784L, wr += 48) {
        { const float16 w0 = vload16(0, wr + 0);
          { const float16 v = (float16)(xc[13]); c0_0 = fma(v, w0, c0_0); }
          { const float16 v = (float16)(xc[14]); c1_0 = fma(v, w0, c1_0); }
          { const float16 v = (float16)(xc[15]); c2_0 = fma(v, w0, c2_0); }
          { const float16 v = (float16)(xc[16]); c3_0 = fma(v, w0, c3_0); }
          { const float16 v = (float16)(xc[17]); c4_0 = fma(v, w0, c4_0); }
          { const float16 v = (float16)(xc[18]); c5_0 = fma(v, w0, c5_0); }
          { const float16 v = (float16)(xc[19]); c6_0 = fma(v, w0, c6_0); }
          { const float16 v = (float16)(xc[20]); c7_0 = fma(v, w0, c7_0); }
          { const float16 v = (float16)(xc[21]); c8_0 = fma(v, w0, c8_0); }
          { const float16 v = (float16)(xc[22]); c9_0 = fma(v, w0, c9_0); }
          { const float16 v = (float16)(xc[23]); c10_0 = fma(v, w0, c10_0); }
          { const float16 v = (float16)(xc[24]); c11_0 = fma(v, w0, c11_0); }
          { const float16 v = (float16)(xc[25]); c12_0 = fma(v, w0, c12_0); }
          { const float16 v = (float16)(xc[26]); c13_0 = fma(v, w0, c13_0); }
        }
        { const float16 w0 = vload16(0, wr + 16);
          { const float16 v = (float16)(xc[14]); c0_0 = fma(v, w0, c0_0); }
          { const float16 v = (float16)(xc[15]); c1_0 = fma(v, w0, c1_0); }
          { const float16 v = (float16)(xc[16]); c2_0 = fma(v, w0, c2_0); }
          { const float16 v = (float16)(xc[17]); c3_0 = fma(v, w0, c3_0); }
          { const float16 v = (float16)(xc[18]); c4_0 = fma(v, w0, c4_0); }
          { const float16 v = (float16)(xc[19]); c5_0 = fma(v, w0, c5_0); }
          { const float16 v = (float16)(xc[20]); c6_0 = fma(v, w0, c6_0); }
          { const float16 v = (float16)(xc[21]); c7_0 = fma(v, w0, c7_0); }
          { const float16 v = (float16)(xc[22]); c8_0 = fma(v, w0, c8_0); }
          { const float16 v = (float16)(xc[23]); c9_0 = fma(v, w0, c9_0); }
          { const float16 v = (float16)(xc[24]); c10_0 = fma(v, w0, c10_0); }
          { const float16 v = (float16)(xc[25]); c11_0 = fma(v, w0, c11_0); }
          { const float16 v = (float16)(xc[26]); c12_0 = fma(v, w0, c12_0); }
          { const float16 v = (float16)(xc[27]); c13_0 = fma(v, w0, c13_0); }
        }
        { const float16 w0 = vload16(0, wr + 32);
          { const float16 v = (float16)(xc[15]); c0_0 = fma(v, w0, c0_0); }
          { const float16 v = (float16)(xc[16]); c1_0 = fma(v, w0, c1_0); }
          { const float16 v = (float16)(xc[17]); c2_0 = fma(v, w0, c2_0); }
          { const float16 v = (float16)(xc[18]); c3_0 = fma(v, w0, c3_0); }
          { const float16 v = (float16)(xc[19]); c4_0 = fma(v, w0, c4_0); }
          { const float16 v = (float16)(xc[20]); c5_0 = fma(v, w0, c5_0); }
          { const float16 v = (float16)(xc[21]); c6_0 = fma(v, w0, c6_0); }
          { const float16 v = (float16)(xc[22]); c7_0 = fma(v, w0, c7_0); }
          { const float16 v = (float16)(xc[23]); c8_0 = fma(v, w0, c8_0); }
          { const float16 v = (float16)(xc[24]); c9_0 = fma(v, w0, c9_0); }
          { const float16 v = (float16)(xc[25]); c10_0 = fma(v, w0, c10_0); }
          { const float16 v = (float16)(xc[26]); c11_0 = fma(v, w0, c11_0); }
          { const float16 v = (float16)(xc[27]); c12_0 = fma(v, w0, c12_0); }
        }
      }
    }
    {
      vstore16(select(c0_0, (float16)(0.0f), ((c0_0) < ((float16)(0.0f)))), 0, y + at + (14 + 0) * 16L);
    }
    {
      vstore16(select(c1_0, (float16)(0.0f), ((c1_0) < ((float16)(0.0f)))), 0, y + at + (14 + 1) * 16L);
    }
    {
      vstore16(select(c2_0, (float16)(0.0f), ((c2_0) < ((float16)(0.0f)))), 0, y + at + (14 + 2) * 16L);
    }
    {
      vstore16(select(c3_0, (float16)(0.0f), ((c3_0) < ((float16)(0.0f)))), 0, y + at + (14 + 3) * 16L);
    }
    {
      vstore16(select(c4_0, (float16)(0.0f), ((c4_0) < ((float16)(0.0f)))), 0, y + at + (14 + 4) * 16L);
    }
    {
      vstore16(select(c5_0, (float16)(0.0f), ((c5_0) < ((float16)(0.0f)))), 0, y + at + (14 + 5) * 16L);
    }
    {
      vstore16(select(c6_0, (float16)(0.0f), ((c6_0) < ((float16)(0.0f)))), 0, y + at + (14 + 6) * 16L);
    }
    {
      vstore16(select(c7_0, (float16)(0.0f), ((c7_0) < ((float16)(0.0f)))), 0, y + at + (14 + 7) * 16L);
    }
    {
      vstore16(select(c8_0, (float16)(0.0f), ((c8_0) < ((float16)(0.0f)))), 0, y + at + (14 + 8) * 16L);
    }
    {
      vstore16(select(c9_0, (float16)(0.0f), ((c9_0) < ((float16)(0.0f)))), 0, y + at + (14 + 9) * 16L);
    }
    {
      vstore16(select(c10_0, (float16)(0.0f), ((c10_0) < ((float16)(0.0f)))), 0, y + at + (14 + 10) * 16L);
    }
    {
      vstore16(select(c11_0, (float16)(0.0f), ((c11_0) < ((float16)(0.0f)))), 0, y + at + (14 + 11) * 16L);
    }
    {
      vstore16(select(c12_0, (float16)(0.0f), ((c12_0) < ((float16)(0.0f)))), 0, y + at + (14 + 12) * 16L);
    }
    {
      vstore16(select(c13_0, (float16)(0.0f), ((c13_0) < ((float16)(0.0f)))), 0, y + at + (14 + 13) * 16L);
    }
  }
}

// A work item owns up to 14 pixels of an output row x 16 output channels, all in registers:
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
kernel __attribute__((reqd_work_group_size(1,1,1))) void conv_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global const float* w = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  long item = (long)get_global_id(0) + first;
  const int tile = item % 2; item /= 2;
  const int oy = item % 28; item /= 28;
  const int ob = item % 3; item /= 3;
  if (item >= ((long)n)) return;
  x += 0 + item * 12544;
  w += ob * 4800L;
  const long at = 0 + item * 37632 + ob * 12544L + oy * 448L;
  if (tile == 0) {
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
    float16 c13_0 = 0;
    for (int ky = 0; ky < 5; ky++) {
      const int iy = oy * 1 - 2 + ky * 1;
      if (iy < 0 || iy >= 28) continue;
      global const float* wr = w + ky * 960L;
      global const float* xr = x + iy * 448L;
      for (int cb = 0; cb < 1; cb++) {
        global const float* xc = xr + cb * 12544L;
        for (int ci = 0; ci < min(16, 12 - cb * 16); ci++, xc += 1, wr += 80) {
          { const float16 w0 = vload16(0, wr + 0);
            { const float16 v = (float16)(xc[0]); c2_0 = fma(v, w0, c2_0); }
            { const float16 v = (float16)(xc[16]); c3_0 = fma(v, w0, c3_0); }
            { const float16 v = (float16)(xc[32]); c4_0 = fma(v, w0, c4_0); }
            { const float16 v = (float16)(xc[48]); c5_0 = fma(v, w0, c5_0); }
            { const float16 v = (float16)(xc[64]); c6_0 = fma(v, w0, c6_0); }
            { const float16 v = (float16)(xc[80]); c7_0 = fma(v, w0, c7_0); }
            { const float16 v = (float16)(xc[96]); c8_0 = fma(v, w0, c8_0); }
            { const float16 v = (float16)(xc[112]); c9_0 = fma(v, w0, c9_0); }
            { const float16 v = (float16)(xc[128]); c10_0 = fma(v, w0, c10_0); }
            { const float16 v = (float16)(xc[144]); c11_0 = fma(v, w0, c11_0); }
            { const float16 v = (float16)(xc[160]); c12_0 = fma(v, w0, c12_0); }
            { const float16 v = (float16)(xc[176]); c13_0 = fma(v, w0, c13_0); }
          }
          { const float16 w0 = vload16(0, wr + 16);
            { const float16 v = (float16)(xc[0]); c1_0 = fma(v, w0, c1_0); }
            { const float16 v = (float16)(xc[16]); c2_0 = fma(v, w0, c2_0); }
            { const float16 v = (float16)(xc[32]); c3_0 = fma(v, w0, c3_0); }
            { const float16 v = (float16)(xc[48]); c4_0 = fma(v, w0, c4_0); }
            { const float16 v = (float16)(xc[64]); c5_0 = fma(v, w0, c5_0); }
            { const float16 v = (float16)(xc[80]); c6_0 = fma(v, w0, c6_0); }
            { const float16 v = (float16)(xc[96]); c7_0 = fma(v, w0, c7_0); }
            { const float16 v = (float16)(xc[112]); c8_0 = fma(v, w0, c8_0); }
            { const float16 v = (float16)(xc[128]); c9_0 = fma(v, w0, c9_0); }
            { const float16 v = (float16)(xc[144]); c10_0 = fma(v, w0, c10_0); }
            { const float16 v = (float16)(xc[160]); c11_0 = fma(v, w0, c11_0); }
            { const float16 v = (float16)(xc[176]); c12_0 = fma(v, w0, c12_0); }
            { const float16 v = (float16)(xc[192]); c13_0 = fma(v, w0, c13_0); }
          }
          { const float16 w0 = vload16(0, wr + 32);
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
            { const float16 v = (float16)(xc[192]); c12_0 = fma(v, w0, c12_0); }
            { const float16 v = (float16)(xc[208]); c13_0 = fma(v, w0, c13_0); }
          }
          { const float16 w0 = vload16(0, wr + 48);
            { const float16 v = (float16)(xc[16]); c0_0 = fma(v, w0, c0_0); }
            { const float16 v = (float16)(xc[32]); c1_0 = fma(v, w0, c1_0); }
            { const float16 v = (float16)(xc[48]); c2_0 = fma(v, w0, c2_0); }
            { const float16 v = (float16)(xc[64]); c3_0 = fma(v, w0, c3_0); }
            { const float16 v = (float16)(xc[80]); c4_0 = fma(v, w0, c4_0); }
            { const float16 v = (float16)(xc[96]); c5_0 = fma(v, w0, c5_0); }
            { const float16 v = (float16)(xc[112]); c6_0 = fma(v, w0, c6_0); }
            { const float16 v = (float16)(xc[128]); c7_0 = fma(v, w0, c7_0); }
            { const float16 v = (float16)(xc[144]); c8_0 = fma(v, w0, c8_0); }
            { const float16 v = (float16)(xc[160]); c9_0 = fma(v, w0, c9_0); }
            { const float16 v = (float16)(xc[176]); c10_0 = fma(v, w0, c10_0); }
            { const float16 v = (float16)(xc[192]); c11_0 = fma(v, w0, c11_0); }
            { const float16 v = (float16)(xc[208]); c12_0 = fma(v, w0, c12_0); }
            { const float16 v = (float16)(xc[224]); c13_0 = fma(v, w0, c13_0); }
          }
          { const float16 w0 = vload16(0, wr + 64);
            { const float16 v = (float16)(xc[32]); c0_0 = fma(v, w0, c0_0); }
            { const float16 v = (float16)(xc[48]); c1_0 = fma(v, w0, c1_0); }
            { const float16 v = (float16)(xc[64]); c2_0 = fma(v, w0, c2_0); }
            { const float16 v = (float16)(xc[80]); c3_0 = fma(v, w0, c3_0); }
            { const float16 v = (float16)(xc[96]); c4_0 = fma(v, w0, c4_0); }
            { const float16 v = (float16)(xc[112]); c5_0 = fma(v, w0, c5_0); }
            { const float16 v = (float16)(xc[128]); c6_0 = fma(v, w0, c6_0); }
            { const float16 v = (float16)(xc[144]); c7_0 = fma(v, w0, c7_0); }
            { const float16 v = (float16)(xc[160]); c8_0 = fma(v, w0, c8_0); }
            { const float16 v = (float16)(xc[176]); c9_0 = fma(v, w0, c9_0); }
            { const float16 v = (float16)(xc[192]); c10_0 = fma(v, w0, c10_0); }
            { const float16 v = (float16)(xc[208]); c11_0 = fma(v, w0, c11_0); }
            { const float16 v = (float16)(xc[224]); c12_0 = fma(v, w0, c12_0); }
            { const float16 v = (float16)(xc[240]); c13_0 = fma(v, w0, c13_0); }
          }
        }
      }
    }
    {
      vstore16(c0_0, 0, y + at + (0 + 0) * 16L);
    }
    {
      vstore16(c1_0, 0, y + at + (0 + 1) * 16L);
    }
    {
      vstore16(c2_0, 0, y + at + (0 + 2) * 16L);
    }
    {
      vstore16(c3_0, 0, y + at + (0 + 3) * 16L);
    }
    {
      vstore16(c4_0, 0, y + at + (0 + 4) * 16L);
    }
    {
      vstore16(c5_0, 0, y + at + (0 + 5) * 16L);
    }
    {
      vstore16(c6_0, 0, y + at + (0 + 6) * 16L);
    }
    {
      vstore16(c7_0, 0, y + at + (0 + 7) * 16L);
    }
    {
      vstore16(c8_0, 0, y + at + (0 + 8) * 16L);
    }
    {
      vstore16(c9_0, 0, y + at + (0 + 9) * 16L);
    }
    {
      vstore16(c10_0, 0, y + at + (0 + 10) * 16L);
    }
    {
      vstore16(c11_0, 0, y + at + (0 + 11) * 16L);
    }
    {
      vstore16(c12_0, 0, y + at + (0 + 12) * 16L);
    }
    {
      vstore16(c13_0, 0, y + at + (0 + 13) * 16L);
    }
  }
  else if (tile == 1) {
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
    float16 c13_0 = 0;
    for (int ky = 0; ky < 5; ky++) {
      const int iy = oy * 1 - 2 + ky * 1;
      if (iy < 0 || iy >= 28) continue;
      global const float* wr = w + ky * 960L;
      global const float* xr = x + iy * 448L;
      for (int cb = 0; cb < 1; cb++) {
        global const float* xc = xr + cb * 12544L;
        for (int ci = 0; ci < min(16, 12 - cb * 16); ci++, xc += 1, wr += 80) {
          { const float16 w0 = vload16(0, wr + 0);
            { const float16 v = (float16)(xc[192]); c0_0 = fma(v, w0, c0_0); }
            { const float16 v = (float16)(xc[208]); c1_0 = fma(v, w0, c1_0); }
            { const float16 v = (float16)(xc[224]); c2_0 = fma(v, w0, c2_0); }
            { const float16 v = (float16)(xc[240]); c3_0 = fma(v, w0, c3_0); }
            { const float16 v = (float16)(xc[256]); c4_0 = fma(v, w0, c4_0); }
            { const float16 v = (float16)(xc[272]); c5_0 = fma(v, w0, c5_0); }
            { const float16 v = (float16)(xc[288]); c6_0 = fma(v, w0, c6_0); }
            { const float16 v = (float16)(xc[304]); c7_0 = fma(v, w0, c7_0); }
            { const float16 v = (float16)(xc[320]); c8_0 = fma(v, w0, c8_0); }
            { const float16 v = (float16)(xc[336]); c9_0 = fma(v, w0, c9_0); }
            { const float16 v = (float16)(xc[352]); c10_0 = fma(v, w0, c10_0); }
            { const float16 v = (float16)(xc[368]); c11_0 = fma(v, w0, c11_0); }
            { const float16 v = (float16)(xc[384]); c12_0 = fma(v, w0, c12_0); }
            { const float16 v = (float16)(xc[400]); c13_0 = fma(v, w0, c13_0); }
          }
          { const float16 w0 = vload16(0, wr + 16);
            { const float16 v = (float16)(xc[208]); c0_0 = fma(v, w0, c0_0); }
            { const float16 v = (float16)(xc[224]); c1_0 = fma(v, w0, c1_0); }
            { const float16 v = (float16)(xc[240]); c2_0 = fma(v, w0, c2_0); }
            { const float16 v = (float16)(xc[256]); c3_0 = fma(v, w0, c3_0); }
            { const float16 v = (float16)(xc[272]); c4_0 = fma(v, w0, c4_0); }
            { const float16 v = (float16)(xc[288]); c5_0 = fma(v, w0, c5_0); }
            { const float16 v = (float16)(xc[304]); c6_0 = fma(v, w0, c6_0); }
            { const float16 v = (float16)(xc[320]); c7_0 = fma(v, w0, c7_0); }
            { const float16 v = (float16)(xc[336]); c8_0 = fma(v, w0, c8_0); }
            { const float16 v = (float16)(xc[352]); c9_0 = fma(v, w0, c9_0); }
            { const float16 v = (float16)(xc[368]); c10_0 = fma(v, w0, c10_0); }
            { const float16 v = (float16)(xc[384]); c11_0 = fma(v, w0, c11_0); }
            { const float16 v = (float16)(xc[400]); c12_0 = fma(v, w0, c12_0); }
            { const float16 v = (float16)(xc[416]); c13_0 = fma(v, w0, c13_0); }
          }
          { const float16 w0 = vload16(0, wr + 32);
            { const float16 v = (float16)(xc[224]); c0_0 = fma(v, w0, c0_0); }
            { const float16 v = (float16)(xc[240]); c1_0 = fma(v, w0, c1_0); }
            { const float16 v = (float16)(xc[256]); c2_0 = fma(v, w0, c2_0); }
            { const float16 v = (float16)(xc[272]); c3_0 = fma(v, w0, c3_0); }
            { const float16 v = (float16)(xc[288]); c4_0 = fma(v, w0, c4_0); }
            { const float16 v = (float16)(xc[304]); c5_0 = fma(v, w0, c5_0); }
            { const float16 v = (float16)(xc[320]); c6_0 = fma(v, w0, c6_0); }
            { const float16 v = (float16)(xc[336]); c7_0 = fma(v, w0, c7_0); }
            { const float16 v = (float16)(xc[352]); c8_0 = fma(v, w0, c8_0); }
            { const float16 v = (float16)(xc[368]); c9_0 = fma(v, w0, c9_0); }
            { const float16 v = (float16)(xc[384]); c10_0 = fma(v, w0, c10_0); }
            { const float16 v = (float16)(xc[400]); c11_0 = fma(v, w0, c11_0); }
            { const float16 v = (float16)(xc[416]); c12_0 = fma(v, w0, c12_0); }
            { const float16 v = (float16)(xc[432]); c13_0 = fma(v, w0, c13_0); }
          }
          { const float16 w0 = vload16(0, wr + 48);
            { const float16 v = (float16)(xc[240]); c0_0 = fma(v, w0, c0_0); }
            { const float16 v = (float16)(xc[256]); c1_0 = fma(v, w0, c1_0); }
            { const float16 v = (float16)(xc[272]); c2_0 = fma(v, w0, c2_0); }
            { const float16 v = (float16)(xc[288]); c3_0 = fma(v, w0, c3_0); }
            { const float16 v = (float16)(xc[304]); c4_0 = fma(v, w0, c4_0); }
            { const float16 v = (float16)(xc[320]); c5_0 = fma(v, w0, c5_0); }
            { const float16 v = (float16)(xc[336]); c6_0 = fma(v, w0, c6_0); }
            { const float16 v = (float16)(xc[352]); c7_0 = fma(v, w0, c7_0); }
            { const float16 v = (float16)(xc[368]); c8_0 = fma(v, w0, c8_0); }
            { const float16 v = (float16)(xc[384]); c9_0 = fma(v, w0, c9_0); }
            { const float16 v = (float16)(xc[400]); c10_0 = fma(v, w0, c10_0); }
            { const float16 v = (float16)(xc[416]); c11_0 = fma(v, w0, c11_0); }
            { const float16 v = (float16)(xc[432]); c12_0 = fma(v, w0, c12_0); }
          }
          { const float16 w0 = vload16(0, wr + 64);
            { const float16 v = (float16)(xc[256]); c0_0 = fma(v, w0, c0_0); }
            { const float16 v = (float16)(xc[272]); c1_0 = fma(v, w0, c1_0); }
            { const float16 v = (float16)(xc[288]); c2_0 = fma(v, w0, c2_0); }
            { const float16 v = (float16)(xc[304]); c3_0 = fma(v, w0, c3_0); }
            { const float16 v = (float16)(xc[320]); c4_0 = fma(v, w0, c4_0); }
            { const float16 v = (float16)(xc[336]); c5_0 = fma(v, w0, c5_0); }
            { const float16 v = (float16)(xc[352]); c6_0 = fma(v, w0, c6_0); }
            { const float16 v = (float16)(xc[368]); c7_0 = fma(v, w0, c7_0); }
            { const float16 v = (float16)(xc[384]); c8_0 = fma(v, w0, c8_0); }
            { const float16 v = (float16)(xc[400]); c9_0 = fma(v, w0, c9_0); }
            { const float16 v = (float16)(xc[416]); c10_0 = fma(v, w0, c10_0); }
            { const float16 v = (float16)(xc[432]); c11_0 = fma(v, w0, c11_0); }
          }
        }
      }
    }
    {
      vstore16(c0_0, 0, y + at + (14 + 0) * 16L);
    }
    {
      vstore16(c1_0, 0, y + at + (14 + 1) * 16L);
    }
    {
      vstore16(c2_0, 0, y + at + (14 + 2) * 16L);
    }
    {
      vstore16(c3_0, 0, y + at + (14 + 3) * 16L);
    }
    {
      vstore16(c4_0, 0, y + at + (14 + 4) * 16L);
    }
    {
      vstore16(c5_0, 0, y + at + (14 + 5) * 16L);
    }
    {
      vstore16(c6_0, 0, y + at + (14 + 6) * 16L);
    }
    {
      vstore16(c7_0, 0, y + at + (14 + 7) * 16L);
    }
    {
      vstore16(c8_0, 0, y + at + (14 + 8) * 16L);
    }
    {
      vstore16(c9_0, 0, y + at + (14 + 9) * 16L);
    }
    {
      vstore16(c10_0, 0, y + at + (14 + 10) * 16L);
    }
    {
      vstore16(c11_0, 0, y + at + (14 + 11) * 16L);
    }
    {
      vstore16(c12_0, 0, y + at + (14 + 12) * 16L);
    }
    {
      vstore16(c13_0, 0, y + at + (14 + 13) * 16L);
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
  if (item >= (12*(long)n)) return;
  const long start = item % 4 * 256;
  const long end = min(start + 256, 784L);
  item /= 4;
  const long p1 = item % 3; item /= 3;
  const long p0 = item % ((long)n); item /= ((long)n);
  for (long p2 = 0; p2 < 16; p2++) {
    for (long e = start; e < end; e += 16) {
      const float16 v0 = gather_float16(16, x0 + p0 * 37632 + p1 * 12544 + p2 * 1 + e * 16, 16);
      vstore16(v0, 0, y + p0 * 37632 + p1 * 12544 + p2 * 784 + e);
    }
  }
}

