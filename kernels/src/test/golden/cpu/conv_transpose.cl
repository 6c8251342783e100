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

// A work item owns the elements of the innermost axes of the result, at one place on the others, and goes over
// them in the order of its memory, so that stores, and reads of what lies alike, are in sequence. One at a time:
// an array lies in another order, or has fewer than 16 neighbours.
kernel __attribute__((reqd_work_group_size(1,1,1))) void output_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long i0 = item;
  for (long i1 = 0; i1 < 16; i1++) {
    for (long i2 = 0; i2 < 9; i2++) {
      for (long i3 = 0; i3 < 9; i3++) {
        y[(i0)*1296 + (i1)*81 + (i2)*9 + i3] = x0[(i0)*1296 + ((i1) / 16)*1296 + (i1) % 16 + (i2)*144 + (i3)*16];
      }
    }
  }
}

