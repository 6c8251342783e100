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
// A work item owns up to 8 pixels of an output row x 16 output channels, all in registers:
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
  const int oy = item % 1; item /= 1;
  const int ob = item % 1; item /= 1;
  if (item >= ((long)n)) return;
  x += 0 + item * 512;
  w += ob * 512L;
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
      global const float* wr = w + ky * 512L;
      global const float* xr = x + iy * 0L + (tile * 8) * 1L;
      global const float* xc = xr;
      for (int ci = 0; ci < 32; ci++, xc += 16L, wr += 16) {
        { const float16 w0 = vload16(0, wr + 0);
          { const float16 v = (float16)(xc[0]); c0_0 = fma(v, w0, c0_0); }
          { const float16 v = (float16)(xc[1]); c1_0 = fma(v, w0, c1_0); }
          { const float16 v = (float16)(xc[2]); c2_0 = fma(v, w0, c2_0); }
          { const float16 v = (float16)(xc[3]); c3_0 = fma(v, w0, c3_0); }
          { const float16 v = (float16)(xc[4]); c4_0 = fma(v, w0, c4_0); }
          { const float16 v = (float16)(xc[5]); c5_0 = fma(v, w0, c5_0); }
          { const float16 v = (float16)(xc[6]); c6_0 = fma(v, w0, c6_0); }
          { const float16 v = (float16)(xc[7]); c7_0 = fma(v, w0, c7_0); }
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
kernel __attribute__((reqd_work_group_size(1,1,1))) void output_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
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

