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
// A work item owns 8 rows x 32 columns of the result, all in registers:
//
//              columns, 16 a vector
//            +--------+--------+
//  row + 0   |  c0_0  |  c0_1  |  += a (one float of the row, broadcast) * w0, w1 (one packed row of weights)
//  row + 1   |  c1_0  |  c1_1  |  for each k
//  ...       |  ...   |  ...   |
//            +--------+--------+
//
// x0: rows, k innermost.
// x1: [block of columns][k][lane], packed at load, so that a work item reads its weights from front to back.
// Work items that follow each other take up to 1365 tiles of rows with the same weights, then with the next.
kernel __attribute__((reqd_work_group_size(1,1,1))) void matmul_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  const long rows = ((long)n);
  const long tiles = (rows + (8 - 1)) / 8;
  long item = (long)get_global_id(0) + first;
  const long group = item / (1365 * 2) * 1365;
  if (group >= tiles) return;
  item -= group * 2;
  const long grouped = min(1365L, tiles - group);
  const long block = item / grouped;
  long row = (group + item % grouped) * 8;
  const long c0 = block * 32;
  global const float* w = x1 + block * 768L;
  if (row + 8 <= rows) {
    global const float* a = x0 + (row) * 24;
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
    float16 c7_0 = 0;
    float16 c7_1 = 0;
    for (long k = 0; k < 24; k++) {
      const float16 w0 = vload16(0, w + k * 32);
      const float16 w1 = vload16(1, w + k * 32);
      { const float16 s = (float16)(a[0 + k]); c0_0 = fma(s, w0, c0_0); c0_1 = fma(s, w1, c0_1); }
      { const float16 s = (float16)(a[24 + k]); c1_0 = fma(s, w0, c1_0); c1_1 = fma(s, w1, c1_1); }
      { const float16 s = (float16)(a[48 + k]); c2_0 = fma(s, w0, c2_0); c2_1 = fma(s, w1, c2_1); }
      { const float16 s = (float16)(a[72 + k]); c3_0 = fma(s, w0, c3_0); c3_1 = fma(s, w1, c3_1); }
      { const float16 s = (float16)(a[96 + k]); c4_0 = fma(s, w0, c4_0); c4_1 = fma(s, w1, c4_1); }
      { const float16 s = (float16)(a[120 + k]); c5_0 = fma(s, w0, c5_0); c5_1 = fma(s, w1, c5_1); }
      { const float16 s = (float16)(a[144 + k]); c6_0 = fma(s, w0, c6_0); c6_1 = fma(s, w1, c6_1); }
      { const float16 s = (float16)(a[168 + k]); c7_0 = fma(s, w0, c7_0); c7_1 = fma(s, w1, c7_1); }
    }
    {
      const long c = c0 + 0, at = ((row + 0)) * 40 + c;
      const float16 raw = c0_0;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 0)) * 40 + c;
      const float16 raw = c0_1;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 1)) * 40 + c;
      const float16 raw = c1_0;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 1)) * 40 + c;
      const float16 raw = c1_1;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 2)) * 40 + c;
      const float16 raw = c2_0;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 2)) * 40 + c;
      const float16 raw = c2_1;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 3)) * 40 + c;
      const float16 raw = c3_0;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 3)) * 40 + c;
      const float16 raw = c3_1;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 4)) * 40 + c;
      const float16 raw = c4_0;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 4)) * 40 + c;
      const float16 raw = c4_1;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 5)) * 40 + c;
      const float16 raw = c5_0;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 5)) * 40 + c;
      const float16 raw = c5_1;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 6)) * 40 + c;
      const float16 raw = c6_0;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 6)) * 40 + c;
      const float16 raw = c6_1;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 7)) * 40 + c;
      const float16 raw = c7_0;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 7)) * 40 + c;
      const float16 raw = c7_1;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    return;
  }
  for (; row + 4 <= rows; row += 4) {
    global const float* a = x0 + (row) * 24;
    float16 c0_0 = 0;
    float16 c0_1 = 0;
    float16 c1_0 = 0;
    float16 c1_1 = 0;
    float16 c2_0 = 0;
    float16 c2_1 = 0;
    float16 c3_0 = 0;
    float16 c3_1 = 0;
    for (long k = 0; k < 24; k++) {
      const float16 w0 = vload16(0, w + k * 32);
      const float16 w1 = vload16(1, w + k * 32);
      { const float16 s = (float16)(a[0 + k]); c0_0 = fma(s, w0, c0_0); c0_1 = fma(s, w1, c0_1); }
      { const float16 s = (float16)(a[24 + k]); c1_0 = fma(s, w0, c1_0); c1_1 = fma(s, w1, c1_1); }
      { const float16 s = (float16)(a[48 + k]); c2_0 = fma(s, w0, c2_0); c2_1 = fma(s, w1, c2_1); }
      { const float16 s = (float16)(a[72 + k]); c3_0 = fma(s, w0, c3_0); c3_1 = fma(s, w1, c3_1); }
    }
    {
      const long c = c0 + 0, at = ((row + 0)) * 40 + c;
      const float16 raw = c0_0;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 0)) * 40 + c;
      const float16 raw = c0_1;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 1)) * 40 + c;
      const float16 raw = c1_0;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 1)) * 40 + c;
      const float16 raw = c1_1;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 2)) * 40 + c;
      const float16 raw = c2_0;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 2)) * 40 + c;
      const float16 raw = c2_1;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 3)) * 40 + c;
      const float16 raw = c3_0;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 3)) * 40 + c;
      const float16 raw = c3_1;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
  }
  for (; row + 1 <= rows; row += 1) {
    global const float* a = x0 + (row) * 24;
    float16 c0_0 = 0;
    float16 c0_1 = 0;
    for (long k = 0; k < 24; k++) {
      const float16 w0 = vload16(0, w + k * 32);
      const float16 w1 = vload16(1, w + k * 32);
      { const float16 s = (float16)(a[0 + k]); c0_0 = fma(s, w0, c0_0); c0_1 = fma(s, w1, c0_1); }
    }
    {
      const long c = c0 + 0, at = ((row + 0)) * 40 + c;
      const float16 raw = c0_0;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 0)) * 40 + c;
      const float16 raw = c0_1;
      if (c + 16 <= 40) {
        vstore16(raw, 0, y + at);
      }
      else if (c < 40) {
        const int left = min(16, (int)(40 - c));
        store_float16(left, raw, y + at);
      }
    }
  }
}

