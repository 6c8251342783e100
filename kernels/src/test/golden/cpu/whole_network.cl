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
inline float16 weight_float16(float16 x) {
  const float16 t = select(x, (float16)(-95.65431f), x < (float16)(-95.65431f));
  const float16 whole = fma(t, (float16)(1.442695f), (float16)(12583103.0f));
  const float16 k = whole - (float16)(12583103.0f);
  const float16 r = fma(k, (float16)(1.9046543e-9f), fma(k, (float16)(-0.6931472f), t));
  const float16 e = fma(r * r, fma(r, fma(r, fma(r, fma(r, (float16)(0.0013814538f), (float16)(0.008368745f)), (float16)(0.04166839f)), (float16)(0.16666521f)), (float16)(0.49999994f)), r) + (float16)(1.0f);
  const float16 large = e * as_float16(as_int16(whole) << (int16)(23));
  return select(large * (float16)(5.421011e-20f), (float16)(0.0f), x < (float16)(-95.65431f));
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
  const int tile = item % 1; item /= 1;
  const int oy = item % 12; item /= 12;
  const int ob = item % 1; item /= 1;
  if (item >= ((long)n)) return;
  x += 0 + item * 144;
  w += ob * 400L;
  const long at = 0 + item * 2304 + ob * 2304L + oy * 192L;
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
    for (int ky = 0; ky < 5; ky++) {
      const int iy = oy * 1 - 2 + ky * 1;
      if (iy < 0 || iy >= 12) continue;
      global const float* wr = w + ky * 80L;
      global const float* xr = x + iy * 12L;
      global const float* xc = xr;
      for (int ci = 0; ci < 1; ci++, xc += 144L, wr += 80) {
        { const float16 w0 = vload16(0, wr + 0);
          { const float16 v = (float16)(xc[0]); c2_0 = fma(v, w0, c2_0); }
          { const float16 v = (float16)(xc[1]); c3_0 = fma(v, w0, c3_0); }
          { const float16 v = (float16)(xc[2]); c4_0 = fma(v, w0, c4_0); }
          { const float16 v = (float16)(xc[3]); c5_0 = fma(v, w0, c5_0); }
          { const float16 v = (float16)(xc[4]); c6_0 = fma(v, w0, c6_0); }
          { const float16 v = (float16)(xc[5]); c7_0 = fma(v, w0, c7_0); }
          { const float16 v = (float16)(xc[6]); c8_0 = fma(v, w0, c8_0); }
          { const float16 v = (float16)(xc[7]); c9_0 = fma(v, w0, c9_0); }
          { const float16 v = (float16)(xc[8]); c10_0 = fma(v, w0, c10_0); }
          { const float16 v = (float16)(xc[9]); c11_0 = fma(v, w0, c11_0); }
        }
        { const float16 w0 = vload16(0, wr + 16);
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
        }
        { const float16 w0 = vload16(0, wr + 32);
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
        { const float16 w0 = vload16(0, wr + 48);
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
        }
        { const float16 w0 = vload16(0, wr + 64);
          { const float16 v = (float16)(xc[2]); c0_0 = fma(v, w0, c0_0); }
          { const float16 v = (float16)(xc[3]); c1_0 = fma(v, w0, c1_0); }
          { const float16 v = (float16)(xc[4]); c2_0 = fma(v, w0, c2_0); }
          { const float16 v = (float16)(xc[5]); c3_0 = fma(v, w0, c3_0); }
          { const float16 v = (float16)(xc[6]); c4_0 = fma(v, w0, c4_0); }
          { const float16 v = (float16)(xc[7]); c5_0 = fma(v, w0, c5_0); }
          { const float16 v = (float16)(xc[8]); c6_0 = fma(v, w0, c6_0); }
          { const float16 v = (float16)(xc[9]); c7_0 = fma(v, w0, c7_0); }
          { const float16 v = (float16)(xc[10]); c8_0 = fma(v, w0, c8_0); }
          { const float16 v = (float16)(xc[11]); c9_0 = fma(v, w0, c9_0); }
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
  }
}

// A work item owns one output row x 16 channels, a pixel at a time in a vector.
// x: sixteen channels innermost (NCHW16c), so that a tap is one vector, and no lane asks for itself. y: sixteen channels innermost (NCHW16c).
kernel __attribute__((reqd_work_group_size(1,1,1))) void pool_max_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  const int oy = item % 6; item /= 6;
  const int ob = item % 1; item /= 1;
  if (item >= ((long)n)) return;
  x += 0 + item * 2304 + ob * 2304L;
  const long at = 0 + item * 576 + ob * 576L + oy * 96L;
  for (int ox = 0; ox < 6; ox++) {
    const int left = ox * 2 - 0;
    float16 acc = (float16)(-INFINITY);
    int count = 0;
    int isEdge = left < 0 || left + 1 >= 12;
    if (!isEdge) {
      float16 odd = (float16)(0.0f);
      for (int ky = 0; ky < 2; ky++) {
        const int iy = oy * 2 - 0 + ky * 1;
        if (iy < 0 || iy >= 12) continue;
        global const float* row = x + iy * 192L + left * 16;
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
        if (iy < 0 || iy >= 12) continue;
        for (int kx = 0; kx < 2; kx++) {
          const int ix = left + kx * 1;
          if (ix < 0 || ix >= 12) continue;
          const float16 v = vload16(0, x + iy * 192L + ix * 16);
          acc = select(acc, v, (v > acc) | (v != v));
          count++;
        }
      }
    }
    vstore16(acc, 0, y + at + ox * 16L);
  }
}

// A work item owns up to 6 pixels of an output row x 16 output channels, all in registers:
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
  const int tile = item % 1; item /= 1;
  const int oy = item % 6; item /= 6;
  const int ob = item % 1; item /= 1;
  if (item >= ((long)n)) return;
  x += 0 + item * 576;
  w += ob * 1152L;
  const long at = 0 + item * 576 + ob * 576L + oy * 96L;
  if (tile == 0) {
    float16 c0_0 = 0;
    float16 c1_0 = 0;
    float16 c2_0 = 0;
    float16 c3_0 = 0;
    float16 c4_0 = 0;
    float16 c5_0 = 0;
    for (int ky = 0; ky < 3; ky++) {
      const int iy = oy * 1 - 1 + ky * 1;
      if (iy < 0 || iy >= 6) continue;
      global const float* wr = w + ky * 384L;
      global const float* xr = x + iy * 96L;
      for (int cb = 0; cb < 1; cb++) {
        global const float* xc = xr + cb * 576L;
        for (int ci = 0; ci < min(16, 8 - cb * 16); ci++, xc += 1, wr += 48) {
          { const float16 w0 = vload16(0, wr + 0);
            { const float16 v = (float16)(xc[0]); c1_0 = fma(v, w0, c1_0); }
            { const float16 v = (float16)(xc[16]); c2_0 = fma(v, w0, c2_0); }
            { const float16 v = (float16)(xc[32]); c3_0 = fma(v, w0, c3_0); }
            { const float16 v = (float16)(xc[48]); c4_0 = fma(v, w0, c4_0); }
            { const float16 v = (float16)(xc[64]); c5_0 = fma(v, w0, c5_0); }
          }
          { const float16 w0 = vload16(0, wr + 16);
            { const float16 v = (float16)(xc[0]); c0_0 = fma(v, w0, c0_0); }
            { const float16 v = (float16)(xc[16]); c1_0 = fma(v, w0, c1_0); }
            { const float16 v = (float16)(xc[32]); c2_0 = fma(v, w0, c2_0); }
            { const float16 v = (float16)(xc[48]); c3_0 = fma(v, w0, c3_0); }
            { const float16 v = (float16)(xc[64]); c4_0 = fma(v, w0, c4_0); }
            { const float16 v = (float16)(xc[80]); c5_0 = fma(v, w0, c5_0); }
          }
          { const float16 w0 = vload16(0, wr + 32);
            { const float16 v = (float16)(xc[16]); c0_0 = fma(v, w0, c0_0); }
            { const float16 v = (float16)(xc[32]); c1_0 = fma(v, w0, c1_0); }
            { const float16 v = (float16)(xc[48]); c2_0 = fma(v, w0, c2_0); }
            { const float16 v = (float16)(xc[64]); c3_0 = fma(v, w0, c3_0); }
            { const float16 v = (float16)(xc[80]); c4_0 = fma(v, w0, c4_0); }
          }
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
  }
}

// A work item owns one output row x 16 channels, a pixel at a time in a vector.
// x: sixteen channels innermost (NCHW16c), so that a tap is one vector, and no lane asks for itself. y: sixteen channels innermost (NCHW16c).
kernel __attribute__((reqd_work_group_size(1,1,1))) void pool_average_3(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  const int oy = item % 3; item /= 3;
  const int ob = item % 1; item /= 1;
  if (item >= ((long)n)) return;
  x += 0 + item * 576 + ob * 576L;
  const long at = 0 + item * 144 + ob * 144L + oy * 48L;
  for (int ox = 0; ox < 3; ox++) {
    const int left = ox * 2 - 1;
    float16 acc = 0;
    int count = 0;
    int isEdge = left < 0 || left + 2 >= 6;
    if (!isEdge) {
      for (int ky = 0; ky < 3; ky++) {
        const int iy = oy * 2 - 1 + ky * 1;
        if (iy < 0 || iy >= 6) continue;
        global const float* row = x + iy * 96L + left * 16;
        { const float16 v = vload16(0, row + 0 * 16); acc += v; }
        { const float16 v = vload16(0, row + 1 * 16); acc += v; }
        { const float16 v = vload16(0, row + 2 * 16); acc += v; }
        count += 3;
      }
    }
    if (isEdge) {
      for (int ky = 0; ky < 3; ky++) {
        const int iy = oy * 2 - 1 + ky * 1;
        if (iy < 0 || iy >= 6) continue;
        for (int kx = 0; kx < 3; kx++) {
          const int ix = left + kx * 1;
          if (ix < 0 || ix >= 6) continue;
          const float16 v = vload16(0, x + iy * 96L + ix * 16);
          acc += v;
          count++;
        }
      }
    }
    acc /= (float16)((float)count);
    vstore16(acc, 0, y + at + ox * 16L);
  }
}

// A work item owns the elements of the innermost axes of the result, at one place on the others, and goes over
// them in the order of its memory, so that stores, and reads of what lies alike, are in sequence. One at a time:
// an array has blocks that the result has not, or a run has fewer than 16 elements.
kernel __attribute__((reqd_work_group_size(1,1,1))) void convert_4(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long i0 = item;
  for (long i1 = 0; i1 < 6; i1++) {
    for (long i2 = 0; i2 < 3; i2++) {
      for (long i3 = 0; i3 < 3; i3++) {
        y[(i0)*54 + (i1)*9 + (i2)*3 + i3] = x0[(i0)*144 + ((i1) / 16)*144 + (i1) % 16 + (i2)*48 + (i3)*16];
      }
    }
  }
}

// A work item owns 8 rows x 16 columns of the result, all in registers:
//
//              columns, 16 a vector
//            +--------+
//  row + 0   |  c0_0  |   += a (one float of the row, broadcast) * w0 (one packed row of weights)
//  row + 1   |  c1_0  |   for each k
//  ...       |  ...   |
//            +--------+
//
// x0: rows, k innermost.
// x1: [block of columns][k][lane], packed at load, so that a work item reads its weights from front to back.
// Work items that follow each other take up to 606 tiles of rows with the same weights, then with the next.
kernel __attribute__((reqd_work_group_size(1,1,1))) void matmul_5(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  const long rows = ((long)n);
  const long tiles = (rows + (8 - 1)) / 8;
  long item = (long)get_global_id(0) + first;
  const long group = item / (606 * 1) * 606;
  if (group >= tiles) return;
  item -= group * 1;
  const long grouped = min(606L, tiles - group);
  const long block = item / grouped;
  long row = (group + item % grouped) * 8;
  const long c0 = block * 16;
  global const float* w = x1 + block * 864L;
  if (row + 8 <= rows) {
    global const float* a = x0 + (row) * 54;
    float16 c0_0 = 0;
    float16 c1_0 = 0;
    float16 c2_0 = 0;
    float16 c3_0 = 0;
    float16 c4_0 = 0;
    float16 c5_0 = 0;
    float16 c6_0 = 0;
    float16 c7_0 = 0;
    for (long k = 0; k < 54; k++) {
      const float16 w0 = vload16(0, w + k * 16);
      { const float16 s = (float16)(a[0 + k]); c0_0 = fma(s, w0, c0_0); }
      { const float16 s = (float16)(a[54 + k]); c1_0 = fma(s, w0, c1_0); }
      { const float16 s = (float16)(a[108 + k]); c2_0 = fma(s, w0, c2_0); }
      { const float16 s = (float16)(a[162 + k]); c3_0 = fma(s, w0, c3_0); }
      { const float16 s = (float16)(a[216 + k]); c4_0 = fma(s, w0, c4_0); }
      { const float16 s = (float16)(a[270 + k]); c5_0 = fma(s, w0, c5_0); }
      { const float16 s = (float16)(a[324 + k]); c6_0 = fma(s, w0, c6_0); }
      { const float16 s = (float16)(a[378 + k]); c7_0 = fma(s, w0, c7_0); }
    }
    {
      const long c = c0 + 0, at = ((row + 0)) * 10 + c;
      const float16 raw = c0_0;
      if (c < 10) {
        const int left = min(16, (int)(10 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 1)) * 10 + c;
      const float16 raw = c1_0;
      if (c < 10) {
        const int left = min(16, (int)(10 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 2)) * 10 + c;
      const float16 raw = c2_0;
      if (c < 10) {
        const int left = min(16, (int)(10 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 3)) * 10 + c;
      const float16 raw = c3_0;
      if (c < 10) {
        const int left = min(16, (int)(10 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 4)) * 10 + c;
      const float16 raw = c4_0;
      if (c < 10) {
        const int left = min(16, (int)(10 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 5)) * 10 + c;
      const float16 raw = c5_0;
      if (c < 10) {
        const int left = min(16, (int)(10 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 6)) * 10 + c;
      const float16 raw = c6_0;
      if (c < 10) {
        const int left = min(16, (int)(10 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 7)) * 10 + c;
      const float16 raw = c7_0;
      if (c < 10) {
        const int left = min(16, (int)(10 - c));
        store_float16(left, raw, y + at);
      }
    }
    return;
  }
  for (; row + 4 <= rows; row += 4) {
    global const float* a = x0 + (row) * 54;
    float16 c0_0 = 0;
    float16 c1_0 = 0;
    float16 c2_0 = 0;
    float16 c3_0 = 0;
    for (long k = 0; k < 54; k++) {
      const float16 w0 = vload16(0, w + k * 16);
      { const float16 s = (float16)(a[0 + k]); c0_0 = fma(s, w0, c0_0); }
      { const float16 s = (float16)(a[54 + k]); c1_0 = fma(s, w0, c1_0); }
      { const float16 s = (float16)(a[108 + k]); c2_0 = fma(s, w0, c2_0); }
      { const float16 s = (float16)(a[162 + k]); c3_0 = fma(s, w0, c3_0); }
    }
    {
      const long c = c0 + 0, at = ((row + 0)) * 10 + c;
      const float16 raw = c0_0;
      if (c < 10) {
        const int left = min(16, (int)(10 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 1)) * 10 + c;
      const float16 raw = c1_0;
      if (c < 10) {
        const int left = min(16, (int)(10 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 2)) * 10 + c;
      const float16 raw = c2_0;
      if (c < 10) {
        const int left = min(16, (int)(10 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 3)) * 10 + c;
      const float16 raw = c3_0;
      if (c < 10) {
        const int left = min(16, (int)(10 - c));
        store_float16(left, raw, y + at);
      }
    }
  }
  for (; row + 1 <= rows; row += 1) {
    global const float* a = x0 + (row) * 54;
    float16 c0_0 = 0;
    for (long k = 0; k < 54; k++) {
      const float16 w0 = vload16(0, w + k * 16);
      { const float16 s = (float16)(a[0 + k]); c0_0 = fma(s, w0, c0_0); }
    }
    {
      const long c = c0 + 0, at = ((row + 0)) * 10 + c;
      const float16 raw = c0_0;
      if (c < 10) {
        const int left = min(16, (int)(10 - c));
        store_float16(left, raw, y + at);
      }
    }
  }
}

// A work item owns a row, and goes over it a few times, sixteen neighbours at a time: once to find what the whole
// row decides (maximum, sum, mean) and once to store. A row stays in the cache between the walks. What is left
// behind the last whole vector is kept in an array of its own.
kernel __attribute__((reqd_work_group_size(1,1,1))) void softmax_6(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long i0 = item % ((long)n); item /= ((long)n);
  const long from = (i0)*10;
  const long to = (i0)*10;
  float rest[16];
  for (int j = 0; j < 16; j++) rest[j] = j < 10 ? (x0 + from + 0L * 16L)[j] : -INFINITY;
  float16 most = (float16)(-INFINITY);
  { const float16 x = vload16(0, rest); most = fmax(most, x); }
  float highest;
  {
    float lanes[16];
    vstore16(most, 0, lanes);
    for (int width = 8; width > 0; width /= 2)
      for (int j = 0; j < width; j++) lanes[j] = fmax(lanes[j], lanes[j + width]);
    highest = lanes[0];
  }
  float16 total = (float16)(0.0f);
  { const float16 x = vload16(0, rest); const float16 e = weight_float16(x - (float16)(highest)); total += e; vstore16(e, 0, rest); }
  float sum;
  {
    float lanes[16];
    vstore16(total, 0, lanes);
    for (int width = 8; width > 0; width /= 2)
      for (int j = 0; j < width; j++) lanes[j] = lanes[j] + lanes[j + width];
    sum = lanes[0];
  }
  const float16 scale = (float16)(1 / sum);
  {
    const float16 raw = vload16(0, rest) * scale;
    float z[16];
    vstore16(raw, 0, z);
    global float* out = y + to + 0L * 16L;
    for (int j = 0; j < 10; j++) out[j] = z[j];
  }
}

