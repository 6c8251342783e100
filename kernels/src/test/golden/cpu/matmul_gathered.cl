#ifdef POCL_DEVICE_ADDRESS_BITS
#define OUTLINED __attribute__((noinline))
#else
#define OUTLINED
#endif
OUTLINED int failure_is_open(global uchar* slots, long slot) {
  return *(global int*)(slots + slot * 64 + 0) == 0;
}
OUTLINED void claim_failure(global uchar* slots, long slot, int step, int component, int kind,
                   long clock, long position, long index, long low, long high) {
  global uchar* s = slots + slot * 64;
  const int holder = *(global int*)(s + 0);
  if (holder != 0 && holder != step + 1) return;
  *(global int*)(s + 4) = (int)clock;
  *(global int*)(s + 48) = (int)(clock >> 32);
  *(global int*)(s + 8) = component;
  *(global int*)(s + 12) = kind;
  *(global long*)(s + 16) = position;
  *(global long*)(s + 24) = index;
  *(global long*)(s + 32) = low;
  *(global long*)(s + 40) = high;
  *(global int*)(s + 0) = step + 1;
  *(global int*)(slots + 52) = 1;
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
// x0: rows that indices name, read where they lie.
// x1: [block of columns][k][lane], packed at load, so that a work item reads its weights from front to back.
// Work items that follow each other take up to 1365 tiles of rows with the same weights, then with the next.
kernel __attribute__((reqd_work_group_size(1,1,1))) void matmul_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3, const ulong o4) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global const long* x2 = (global const long*)(pool + o2);
  global float* y = (global float*)(pool + o3);
  global uchar* failures = pool + o4;
  const long rows = (5*(long)n);
  const long tiles = (rows + (8 - 1)) / 8;
  long item = (long)get_global_id(0) + first;
  const long group = item / (1365 * 1) * 1365;
  if (group >= tiles) return;
  item -= group * 1;
  const long grouped = min(1365L, tiles - group);
  const long block = item / grouped;
  long row = (group + item % grouped) * 8;
  const long c0 = block * 32;
  global const float* w = x1 + block * 768L;
  if (row + 8 <= rows) {
    global const float* at_row[8];
    int is_row[8];
    for (int j = 0; j < 8; j++) {
      const long m = row + j;
      const long v0 = (long)x2[((m / 5))*5 + ((m) % 5)];
      const int ok = !(((ulong)v0 + (ulong)(9) >= 2 * (ulong)(9)));
      if (!ok) {
        const long position = ((0L * ((long)n) + (m / 5)) * 5 + ((m) % 5));
        {
          const long begin = position / 5L * 5L, end = begin + 5L;
          if (failure_is_open(failures, 1 + begin / 5L)) {
            long scan = begin;
            long bad = 0, size = 0;
            for (; scan < end; scan++) {
              bad = (long)x2[((scan / 5))*5 + ((scan) % 5)]; size = 9;
              if (((ulong)bad + (ulong)(size) >= 2 * (ulong)(size))) break;
            }
            claim_failure(failures, 1 + begin / 5L, 0, 0, 1, -1L, scan, bad, -size, size - 1);
          }
        }
      }
      at_row[j] = x0 + (ok ? ((v0 < 0 ? v0 + 9 : v0))*24 : 0);
      is_row[j] = ok;
    }
    global const float* a0 = at_row[0];
    global const float* a1 = at_row[1];
    global const float* a2 = at_row[2];
    global const float* a3 = at_row[3];
    global const float* a4 = at_row[4];
    global const float* a5 = at_row[5];
    global const float* a6 = at_row[6];
    global const float* a7 = at_row[7];
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
      { const float16 s = (float16)(a0[k * 1]); c0_0 = fma(s, w0, c0_0); c0_1 = fma(s, w1, c0_1); }
      { const float16 s = (float16)(a1[k * 1]); c1_0 = fma(s, w0, c1_0); c1_1 = fma(s, w1, c1_1); }
      { const float16 s = (float16)(a2[k * 1]); c2_0 = fma(s, w0, c2_0); c2_1 = fma(s, w1, c2_1); }
      { const float16 s = (float16)(a3[k * 1]); c3_0 = fma(s, w0, c3_0); c3_1 = fma(s, w1, c3_1); }
      { const float16 s = (float16)(a4[k * 1]); c4_0 = fma(s, w0, c4_0); c4_1 = fma(s, w1, c4_1); }
      { const float16 s = (float16)(a5[k * 1]); c5_0 = fma(s, w0, c5_0); c5_1 = fma(s, w1, c5_1); }
      { const float16 s = (float16)(a6[k * 1]); c6_0 = fma(s, w0, c6_0); c6_1 = fma(s, w1, c6_1); }
      { const float16 s = (float16)(a7[k * 1]); c7_0 = fma(s, w0, c7_0); c7_1 = fma(s, w1, c7_1); }
    }
    {
      const long c = c0 + 0, at = ((row + 0)) * 32 + c;
      const float16 raw = is_row[0] ? c0_0 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 0)) * 32 + c;
      const float16 raw = is_row[0] ? c0_1 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 1)) * 32 + c;
      const float16 raw = is_row[1] ? c1_0 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 1)) * 32 + c;
      const float16 raw = is_row[1] ? c1_1 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 2)) * 32 + c;
      const float16 raw = is_row[2] ? c2_0 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 2)) * 32 + c;
      const float16 raw = is_row[2] ? c2_1 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 3)) * 32 + c;
      const float16 raw = is_row[3] ? c3_0 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 3)) * 32 + c;
      const float16 raw = is_row[3] ? c3_1 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 4)) * 32 + c;
      const float16 raw = is_row[4] ? c4_0 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 4)) * 32 + c;
      const float16 raw = is_row[4] ? c4_1 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 5)) * 32 + c;
      const float16 raw = is_row[5] ? c5_0 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 5)) * 32 + c;
      const float16 raw = is_row[5] ? c5_1 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 6)) * 32 + c;
      const float16 raw = is_row[6] ? c6_0 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 6)) * 32 + c;
      const float16 raw = is_row[6] ? c6_1 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 7)) * 32 + c;
      const float16 raw = is_row[7] ? c7_0 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 7)) * 32 + c;
      const float16 raw = is_row[7] ? c7_1 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    return;
  }
  for (; row + 4 <= rows; row += 4) {
    global const float* at_row[4];
    int is_row[4];
    for (int j = 0; j < 4; j++) {
      const long m = row + j;
      const long v0 = (long)x2[((m / 5))*5 + ((m) % 5)];
      const int ok = !(((ulong)v0 + (ulong)(9) >= 2 * (ulong)(9)));
      if (!ok) {
        const long position = ((0L * ((long)n) + (m / 5)) * 5 + ((m) % 5));
        {
          const long begin = position / 5L * 5L, end = begin + 5L;
          if (failure_is_open(failures, 1 + begin / 5L)) {
            long scan = begin;
            long bad = 0, size = 0;
            for (; scan < end; scan++) {
              bad = (long)x2[((scan / 5))*5 + ((scan) % 5)]; size = 9;
              if (((ulong)bad + (ulong)(size) >= 2 * (ulong)(size))) break;
            }
            claim_failure(failures, 1 + begin / 5L, 0, 0, 1, -1L, scan, bad, -size, size - 1);
          }
        }
      }
      at_row[j] = x0 + (ok ? ((v0 < 0 ? v0 + 9 : v0))*24 : 0);
      is_row[j] = ok;
    }
    global const float* a0 = at_row[0];
    global const float* a1 = at_row[1];
    global const float* a2 = at_row[2];
    global const float* a3 = at_row[3];
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
      { const float16 s = (float16)(a0[k * 1]); c0_0 = fma(s, w0, c0_0); c0_1 = fma(s, w1, c0_1); }
      { const float16 s = (float16)(a1[k * 1]); c1_0 = fma(s, w0, c1_0); c1_1 = fma(s, w1, c1_1); }
      { const float16 s = (float16)(a2[k * 1]); c2_0 = fma(s, w0, c2_0); c2_1 = fma(s, w1, c2_1); }
      { const float16 s = (float16)(a3[k * 1]); c3_0 = fma(s, w0, c3_0); c3_1 = fma(s, w1, c3_1); }
    }
    {
      const long c = c0 + 0, at = ((row + 0)) * 32 + c;
      const float16 raw = is_row[0] ? c0_0 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 0)) * 32 + c;
      const float16 raw = is_row[0] ? c0_1 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 1)) * 32 + c;
      const float16 raw = is_row[1] ? c1_0 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 1)) * 32 + c;
      const float16 raw = is_row[1] ? c1_1 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 2)) * 32 + c;
      const float16 raw = is_row[2] ? c2_0 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 2)) * 32 + c;
      const float16 raw = is_row[2] ? c2_1 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 0, at = ((row + 3)) * 32 + c;
      const float16 raw = is_row[3] ? c3_0 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 3)) * 32 + c;
      const float16 raw = is_row[3] ? c3_1 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
  }
  for (; row + 1 <= rows; row += 1) {
    global const float* at_row[1];
    int is_row[1];
    for (int j = 0; j < 1; j++) {
      const long m = row + j;
      const long v0 = (long)x2[((m / 5))*5 + ((m) % 5)];
      const int ok = !(((ulong)v0 + (ulong)(9) >= 2 * (ulong)(9)));
      if (!ok) {
        const long position = ((0L * ((long)n) + (m / 5)) * 5 + ((m) % 5));
        {
          const long begin = position / 5L * 5L, end = begin + 5L;
          if (failure_is_open(failures, 1 + begin / 5L)) {
            long scan = begin;
            long bad = 0, size = 0;
            for (; scan < end; scan++) {
              bad = (long)x2[((scan / 5))*5 + ((scan) % 5)]; size = 9;
              if (((ulong)bad + (ulong)(size) >= 2 * (ulong)(size))) break;
            }
            claim_failure(failures, 1 + begin / 5L, 0, 0, 1, -1L, scan, bad, -size, size - 1);
          }
        }
      }
      at_row[j] = x0 + (ok ? ((v0 < 0 ? v0 + 9 : v0))*24 : 0);
      is_row[j] = ok;
    }
    global const float* a0 = at_row[0];
    float16 c0_0 = 0;
    float16 c0_1 = 0;
    for (long k = 0; k < 24; k++) {
      const float16 w0 = vload16(0, w + k * 32);
      const float16 w1 = vload16(1, w + k * 32);
      { const float16 s = (float16)(a0[k * 1]); c0_0 = fma(s, w0, c0_0); c0_1 = fma(s, w1, c0_1); }
    }
    {
      const long c = c0 + 0, at = ((row + 0)) * 32 + c;
      const float16 raw = is_row[0] ? c0_0 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
    {
      const long c = c0 + 16, at = ((row + 0)) * 32 + c;
      const float16 raw = is_row[0] ? c0_1 : (float16)(0);
      if (c < 32) {
        vstore16(raw, 0, y + at);
      }
    }
  }
}

