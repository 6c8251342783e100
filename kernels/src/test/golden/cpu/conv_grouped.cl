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
kernel __attribute__((reqd_work_group_size(1,1,1))) void conv_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global const float* w = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  long item = (long)get_global_id(0) + first;
  const int tile = item % 1; item /= 1;
  const int oy = item % 4; item /= 4;
  const int ob = item % 5; item /= 5;
  if (item >= ((long)n)) return;
  x += 0 + item * 4896 + (long)min(ob * 32 / 34 * 34 / 16, 4) * 576;
  w += ob * 20736L;
  const long at = 0 + item * 2304 + ob * 512L + oy * 64L;
  {
    float16 c0_0 = 0;
    float16 c0_1 = 0;
    float16 c1_0 = 0;
    float16 c1_1 = 0;
    float16 c2_0 = 0;
    float16 c2_1 = 0;
    float16 c3_0 = 0;
    float16 c3_1 = 0;
    for (int ky = 0; ky < 3; ky++) {
      const int iy = oy * 1 - 0 + ky * 1;
      if (iy < 0 || iy >= 6) continue;
      global const float* wr = w + ky * 6912L;
      global const float* xr = x + iy * 6L + (tile * 4) * 1L;
      global const float* xc = xr;
      for (int ci = 0; ci < 72; ci++, xc += 36L, wr += 96) {
        { const float16 w0 = vload16(0, wr + 0); const float16 w1 = vload16(1, wr + 0);
          { const float16 v = (float16)(xc[0]); c0_0 = fma(v, w0, c0_0); c0_1 = fma(v, w1, c0_1); }
          { const float16 v = (float16)(xc[1]); c1_0 = fma(v, w0, c1_0); c1_1 = fma(v, w1, c1_1); }
          { const float16 v = (float16)(xc[2]); c2_0 = fma(v, w0, c2_0); c2_1 = fma(v, w1, c2_1); }
          { const float16 v = (float16)(xc[3]); c3_0 = fma(v, w0, c3_0); c3_1 = fma(v, w1, c3_1); }
        }
        { const float16 w0 = vload16(0, wr + 32); const float16 w1 = vload16(1, wr + 32);
          { const float16 v = (float16)(xc[1]); c0_0 = fma(v, w0, c0_0); c0_1 = fma(v, w1, c0_1); }
          { const float16 v = (float16)(xc[2]); c1_0 = fma(v, w0, c1_0); c1_1 = fma(v, w1, c1_1); }
          { const float16 v = (float16)(xc[3]); c2_0 = fma(v, w0, c2_0); c2_1 = fma(v, w1, c2_1); }
          { const float16 v = (float16)(xc[4]); c3_0 = fma(v, w0, c3_0); c3_1 = fma(v, w1, c3_1); }
        }
        { const float16 w0 = vload16(0, wr + 64); const float16 w1 = vload16(1, wr + 64);
          { const float16 v = (float16)(xc[2]); c0_0 = fma(v, w0, c0_0); c0_1 = fma(v, w1, c0_1); }
          { const float16 v = (float16)(xc[3]); c1_0 = fma(v, w0, c1_0); c1_1 = fma(v, w1, c1_1); }
          { const float16 v = (float16)(xc[4]); c2_0 = fma(v, w0, c2_0); c2_1 = fma(v, w1, c2_1); }
          { const float16 v = (float16)(xc[5]); c3_0 = fma(v, w0, c3_0); c3_1 = fma(v, w1, c3_1); }
        }
      }
    }
    {
      vstore16(c0_0, 0, y + at + ((tile * 4) + 0) * 16L);
    }
    if (ob * 2 + 1 < 9) {
      vstore16(c0_1, 0, y + at + 256L + ((tile * 4) + 0) * 16L);
    }
    {
      vstore16(c1_0, 0, y + at + ((tile * 4) + 1) * 16L);
    }
    if (ob * 2 + 1 < 9) {
      vstore16(c1_1, 0, y + at + 256L + ((tile * 4) + 1) * 16L);
    }
    {
      vstore16(c2_0, 0, y + at + ((tile * 4) + 2) * 16L);
    }
    if (ob * 2 + 1 < 9) {
      vstore16(c2_1, 0, y + at + 256L + ((tile * 4) + 2) * 16L);
    }
    {
      vstore16(c3_0, 0, y + at + ((tile * 4) + 3) * 16L);
    }
    if (ob * 2 + 1 < 9) {
      vstore16(c3_1, 0, y + at + 256L + ((tile * 4) + 3) * 16L);
    }
  }
}

// A work item owns the elements of the innermost axes of the result, at one place on the others, and goes over
// them in the order of its memory, so that stores, and reads of what lies alike, are in sequence. One at a time:
// an array has blocks that the result has not, or a run has fewer than 16 elements.
kernel __attribute__((reqd_work_group_size(1,1,1))) void output_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long i0 = item;
  for (long i1 = 0; i1 < 136; i1++) {
    for (long i2 = 0; i2 < 4; i2++) {
      for (long i3 = 0; i3 < 4; i3++) {
        y[(i0)*2176 + (i1)*16 + (i2)*4 + i3] = x0[(i0)*2304 + ((i1) / 16)*256 + (i1) % 16 + (i2)*64 + (i3)*16];
      }
    }
  }
}

