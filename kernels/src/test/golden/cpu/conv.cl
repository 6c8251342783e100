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
// A work item owns up to 4 pixels of an output row x 32 output channels, all in registers:
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
kernel __attribute__((reqd_work_group_size(1,1,1))) void conv_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global const float* w = (global const float*)(pool + o1);
  global const float* e2 = (global const float*)(pool + o2);
  global float* y = (global float*)(pool + o3);
  long item = (long)get_global_id(0) + first;
  const int tile = item % 2; item /= 2;
  const int oy = item % 8; item /= 8;
  const int ob = item % 1; item /= 1;
  if (item >= ((long)n)) return;
  x += 0 + item * 192;
  w += ob * 864L;
  const long at = 0 + item * 2048 + ob * 2048L + oy * 128L;
  if (tile == 0) {
    float16 c0_0 = 0;
    float16 c0_1 = 0;
    float16 c1_0 = 0;
    float16 c1_1 = 0;
    float16 c2_0 = 0;
    float16 c2_1 = 0;
    float16 c3_0 = 0;
    float16 c3_1 = 0;
    for (int ky = 0; ky < 3; ky++) {
      const int iy = oy * 1 - 1 + ky * 1;
      if (iy < 0 || iy >= 8) continue;
      global const float* wr = w + ky * 288L;
      global const float* xr = x + iy * 8L;
      global const float* xc = xr;
      for (int ci = 0; ci < 3; ci++, xc += 64L, wr += 96) {
        { const float16 w0 = vload16(0, wr + 0); const float16 w1 = vload16(1, wr + 0);
          { const float16 v = (float16)(xc[0]); c1_0 = fma(v, w0, c1_0); c1_1 = fma(v, w1, c1_1); }
          { const float16 v = (float16)(xc[1]); c2_0 = fma(v, w0, c2_0); c2_1 = fma(v, w1, c2_1); }
          { const float16 v = (float16)(xc[2]); c3_0 = fma(v, w0, c3_0); c3_1 = fma(v, w1, c3_1); }
        }
        { const float16 w0 = vload16(0, wr + 32); const float16 w1 = vload16(1, wr + 32);
          { const float16 v = (float16)(xc[0]); c0_0 = fma(v, w0, c0_0); c0_1 = fma(v, w1, c0_1); }
          { const float16 v = (float16)(xc[1]); c1_0 = fma(v, w0, c1_0); c1_1 = fma(v, w1, c1_1); }
          { const float16 v = (float16)(xc[2]); c2_0 = fma(v, w0, c2_0); c2_1 = fma(v, w1, c2_1); }
          { const float16 v = (float16)(xc[3]); c3_0 = fma(v, w0, c3_0); c3_1 = fma(v, w1, c3_1); }
        }
        { const float16 w0 = vload16(0, wr + 64); const float16 w1 = vload16(1, wr + 64);
          { const float16 v = (float16)(xc[1]); c0_0 = fma(v, w0, c0_0); c0_1 = fma(v, w1, c0_1); }
          { const float16 v = (float16)(xc[2]); c1_0 = fma(v, w0, c1_0); c1_1 = fma(v, w1, c1_1); }
          { const float16 v = (float16)(xc[3]); c2_0 = fma(v, w0, c2_0); c2_1 = fma(v, w1, c2_1); }
          { const float16 v = (float16)(xc[4]); c3_0 = fma(v, w0, c3_0); c3_1 = fma(v, w1, c3_1); }
        }
      }
    }
    {
      vstore16(select(((c0_0) + (vload16(0, e2 + ob * 32))), (float16)(0.0f), ((((c0_0) + (vload16(0, e2 + ob * 32)))) < ((float16)(0.0f)))), 0, y + at + (0 + 0) * 16L);
    }
    {
      vstore16(select(((c0_1) + (vload16(0, e2 + ob * 32 + 16))), (float16)(0.0f), ((((c0_1) + (vload16(0, e2 + ob * 32 + 16)))) < ((float16)(0.0f)))), 0, y + at + 1024L + (0 + 0) * 16L);
    }
    {
      vstore16(select(((c1_0) + (vload16(0, e2 + ob * 32))), (float16)(0.0f), ((((c1_0) + (vload16(0, e2 + ob * 32)))) < ((float16)(0.0f)))), 0, y + at + (0 + 1) * 16L);
    }
    {
      vstore16(select(((c1_1) + (vload16(0, e2 + ob * 32 + 16))), (float16)(0.0f), ((((c1_1) + (vload16(0, e2 + ob * 32 + 16)))) < ((float16)(0.0f)))), 0, y + at + 1024L + (0 + 1) * 16L);
    }
    {
      vstore16(select(((c2_0) + (vload16(0, e2 + ob * 32))), (float16)(0.0f), ((((c2_0) + (vload16(0, e2 + ob * 32)))) < ((float16)(0.0f)))), 0, y + at + (0 + 2) * 16L);
    }
    {
      vstore16(select(((c2_1) + (vload16(0, e2 + ob * 32 + 16))), (float16)(0.0f), ((((c2_1) + (vload16(0, e2 + ob * 32 + 16)))) < ((float16)(0.0f)))), 0, y + at + 1024L + (0 + 2) * 16L);
    }
    {
      vstore16(select(((c3_0) + (vload16(0, e2 + ob * 32))), (float16)(0.0f), ((((c3_0) + (vload16(0, e2 + ob * 32)))) < ((float16)(0.0f)))), 0, y + at + (0 + 3) * 16L);
    }
    {
      vstore16(select(((c3_1) + (vload16(0, e2 + ob * 32 + 16))), (float16)(0.0f), ((((c3_1) + (vload16(0, e2 + ob * 32 + 16)))) < ((float16)(0.0f)))), 0, y + at + 1024L + (0 + 3) * 16L);
    }
  }
  else if (tile == 1) {
    float16 c0_0 = 0;
    float16 c0_1 = 0;
    float16 c1_0 = 0;
    float16 c1_1 = 0;
    float16 c2_0 = 0;
    float16 c2_1 = 0;
    float16 c3_0 = 0;
    float16 c3_1 = 0;
    for (int ky = 0; ky < 3; ky++) {
      const int iy = oy * 1 - 1 + ky * 1;
      if (iy < 0 || iy >= 8) continue;
      global const float* wr = w + ky * 288L;
      global const float* xr = x + iy * 8L;
      global const float* xc = xr;
      for (int ci = 0; ci < 3; ci++, xc += 64L, wr += 96) {
        { const float16 w0 = vload16(0, wr + 0); const float16 w1 = vload16(1, wr + 0);
          { const float16 v = (float16)(xc[3]); c0_0 = fma(v, w0, c0_0); c0_1 = fma(v, w1, c0_1); }
          { const float16 v = (float16)(xc[4]); c1_0 = fma(v, w0, c1_0); c1_1 = fma(v, w1, c1_1); }
          { const float16 v = (float16)(xc[5]); c2_0 = fma(v, w0, c2_0); c2_1 = fma(v, w1, c2_1); }
          { const float16 v = (float16)(xc[6]); c3_0 = fma(v, w0, c3_0); c3_1 = fma(v, w1, c3_1); }
        }
        { const float16 w0 = vload16(0, wr + 32); const float16 w1 = vload16(1, wr + 32);
          { const float16 v = (float16)(xc[4]); c0_0 = fma(v, w0, c0_0); c0_1 = fma(v, w1, c0_1); }
          { const float16 v = (float16)(xc[5]); c1_0 = fma(v, w0, c1_0); c1_1 = fma(v, w1, c1_1); }
          { const float16 v = (float16)(xc[6]); c2_0 = fma(v, w0, c2_0); c2_1 = fma(v, w1, c2_1); }
          { const float16 v = (float16)(xc[7]); c3_0 = fma(v, w0, c3_0); c3_1 = fma(v, w1, c3_1); }
        }
        { const float16 w0 = vload16(0, wr + 64); const float16 w1 = vload16(1, wr + 64);
          { const float16 v = (float16)(xc[5]); c0_0 = fma(v, w0, c0_0); c0_1 = fma(v, w1, c0_1); }
          { const float16 v = (float16)(xc[6]); c1_0 = fma(v, w0, c1_0); c1_1 = fma(v, w1, c1_1); }
          { const float16 v = (float16)(xc[7]); c2_0 = fma(v, w0, c2_0); c2_1 = fma(v, w1, c2_1); }
        }
      }
    }
    {
      vstore16(select(((c0_0) + (vload16(0, e2 + ob * 32))), (float16)(0.0f), ((((c0_0) + (vload16(0, e2 + ob * 32)))) < ((float16)(0.0f)))), 0, y + at + (4 + 0) * 16L);
    }
    {
      vstore16(select(((c0_1) + (vload16(0, e2 + ob * 32 + 16))), (float16)(0.0f), ((((c0_1) + (vload16(0, e2 + ob * 32 + 16)))) < ((float16)(0.0f)))), 0, y + at + 1024L + (4 + 0) * 16L);
    }
    {
      vstore16(select(((c1_0) + (vload16(0, e2 + ob * 32))), (float16)(0.0f), ((((c1_0) + (vload16(0, e2 + ob * 32)))) < ((float16)(0.0f)))), 0, y + at + (4 + 1) * 16L);
    }
    {
      vstore16(select(((c1_1) + (vload16(0, e2 + ob * 32 + 16))), (float16)(0.0f), ((((c1_1) + (vload16(0, e2 + ob * 32 + 16)))) < ((float16)(0.0f)))), 0, y + at + 1024L + (4 + 1) * 16L);
    }
    {
      vstore16(select(((c2_0) + (vload16(0, e2 + ob * 32))), (float16)(0.0f), ((((c2_0) + (vload16(0, e2 + ob * 32)))) < ((float16)(0.0f)))), 0, y + at + (4 + 2) * 16L);
    }
    {
      vstore16(select(((c2_1) + (vload16(0, e2 + ob * 32 + 16))), (float16)(0.0f), ((((c2_1) + (vload16(0, e2 + ob * 32 + 16)))) < ((float16)(0.0f)))), 0, y + at + 1024L + (4 + 2) * 16L);
    }
    {
      vstore16(select(((c3_0) + (vload16(0, e2 + ob * 32))), (float16)(0.0f), ((((c3_0) + (vload16(0, e2 + ob * 32)))) < ((float16)(0.0f)))), 0, y + at + (4 + 3) * 16L);
    }
    {
      vstore16(select(((c3_1) + (vload16(0, e2 + ob * 32 + 16))), (float16)(0.0f), ((((c3_1) + (vload16(0, e2 + ob * 32 + 16)))) < ((float16)(0.0f)))), 0, y + at + 1024L + (4 + 3) * 16L);
    }
  }
}

// A work item owns a few runs of 64 neighbouring elements, and takes 16 of them at a time in a vector.
// All arrays are read in the order of the result's memory: vector by vector;
// elements that lie apart there are gathered, each from an address that is one stride on.
kernel __attribute__((reqd_work_group_size(1,1,1))) void output_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long p0 = item % ((long)n); item /= ((long)n);
  for (long p1 = 0; p1 < 2; p1++) {
    for (long p2 = 0; p2 < 16; p2++) {
      for (long e = 0; e < 64; e += 16) {
        const float16 v0 = gather_float16(16, x0 + p0 * 2048 + p1 * 1024 + p2 * 1 + e * 16, 16);
        vstore16(v0, 0, y + p0 * 2048 + p1 * 1024 + p2 * 64 + e);
      }
    }
  }
}

