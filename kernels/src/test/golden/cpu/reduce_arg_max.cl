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
// A work item owns a row of the operand, whose elements are neighbours, and combines them in four vectors; then
// these, and their lanes. What is left behind the last whole vector is filled up with what changes nothing. Where
// the place of an extreme is asked for, the row is walked again, as far as there.
kernel __attribute__((reqd_work_group_size(1,1,1))) void reduce_arg_max_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global long* y = (global long*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  const long i0 = item % ((long)n); item /= ((long)n);
  if (item > 0) return;
  global const float* in = x0 + (i0)*100;
  float16 a0 = (float16)(-INFINITY);
  float16 a1 = (float16)(-INFINITY);
  float16 a2 = (float16)(-INFINITY);
  float16 a3 = (float16)(-INFINITY);
  long v = 0;
  for (; v + 4 <= 6; v += 4) {
    {
      const float16 x = vload16(0, in + (v + 0) * 16L);
      const float16 b = x;
      a0 = select(a0, b, ((a0 < b) | (b != b)));
    }
    {
      const float16 x = vload16(0, in + (v + 1) * 16L);
      const float16 b = x;
      a1 = select(a1, b, ((a1 < b) | (b != b)));
    }
    {
      const float16 x = vload16(0, in + (v + 2) * 16L);
      const float16 b = x;
      a2 = select(a2, b, ((a2 < b) | (b != b)));
    }
    {
      const float16 x = vload16(0, in + (v + 3) * 16L);
      const float16 b = x;
      a3 = select(a3, b, ((a3 < b) | (b != b)));
    }
  }
  for (; v < 6; v++) {
    {
      const float16 x = vload16(0, in + (v + 0) * 16L);
      const float16 b = x;
      a0 = select(a0, b, ((a0 < b) | (b != b)));
    }
  }
  {
    float rest[16] = {0};
    for (int j = 0; j < 4; j++) rest[j] = in[6 * 16L + j];
    const float16 x = vload16(0, rest);
    vstore16(x, 0, rest);
    for (int j = 4; j < 16; j++) rest[j] = -INFINITY;
    const float16 b = vload16(0, rest);
    a0 = select(a0, b, ((a0 < b) | (b != b)));
  }
  a0 = select(a0, a1, ((a0 < a1) | (a1 != a1)));
  a0 = select(a0, a2, ((a0 < a2) | (a2 != a2)));
  a0 = select(a0, a3, ((a0 < a3) | (a3 != a3)));
  float lanes[16];
  vstore16(a0, 0, lanes);
  for (int width = 8; width > 0; width /= 2)
    for (int j = 0; j < width; j++) {
      const float a = lanes[j], b = lanes[j + width];
      lanes[j] = a < b || b != b ? b : a;
    }
  const float result = lanes[0];
  long best;
  {
    const float16 r = (float16)(result);
    long at = 0;
    for (; at + 4 <= 6; at += 4) {
      const float16 z0 = vload16(0, in + (at + 0) * 16L);
      const float16 z1 = vload16(0, in + (at + 1) * 16L);
      const float16 z2 = vload16(0, in + (at + 2) * 16L);
      const float16 z3 = vload16(0, in + (at + 3) * 16L);
      if (any_lane(((z0 == r) | (z0 != z0)) | ((z1 == r) | (z1 != z1)) | ((z2 == r) | (z2 != z2)) | ((z3 == r) | (z3 != z3)))) break;
    }
    for (; at < 6; at++) {
      const float16 z0 = vload16(0, in + (at) * 16L);
      if (any_lane(((z0 == r) | (z0 != z0)))) break;
    }
    float last[16] = {0};
    const int count = at < 6 ? 16 : 4;
    for (int j = 0; j < count; j++) last[j] = in[at * 16L + j];
    const float16 z0 = vload16(0, last);
    vstore16(z0, 0, last);
    int j = 0;
    while (j + 1 < count && last[j] != result && last[j] == last[j]) j++;
    best = at * 16 + j;
  }
  y[i0] = best;
}

