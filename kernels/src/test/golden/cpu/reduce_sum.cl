// A work item owns a row of the operand, whose elements are neighbours, and combines them in four vectors; then
// these, and their lanes. What is left behind the last whole vector is filled up with what changes nothing. Where
// the place of an extreme is asked for, the row is walked again, as far as there.
kernel __attribute__((reqd_work_group_size(1,1,1))) void reduce_sum_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  const long i1 = item % 6; item /= 6;
  const long i0 = item % ((long)n); item /= ((long)n);
  if (item > 0) return;
  global const float* in = x0 + (i0)*576 + (i1)*96;
  float16 a0 = (float16)(0.0f);
  float16 a1 = (float16)(0.0f);
  float16 a2 = (float16)(0.0f);
  float16 a3 = (float16)(0.0f);
  long v = 0;
  for (; v + 4 <= 6; v += 4) {
    {
      const float16 x = vload16(0, in + (v + 0) * 16L);
      const float16 b = x;
      a0 = a0 + b;
    }
    {
      const float16 x = vload16(0, in + (v + 1) * 16L);
      const float16 b = x;
      a1 = a1 + b;
    }
    {
      const float16 x = vload16(0, in + (v + 2) * 16L);
      const float16 b = x;
      a2 = a2 + b;
    }
    {
      const float16 x = vload16(0, in + (v + 3) * 16L);
      const float16 b = x;
      a3 = a3 + b;
    }
  }
  for (; v < 6; v++) {
    {
      const float16 x = vload16(0, in + (v + 0) * 16L);
      const float16 b = x;
      a0 = a0 + b;
    }
  }
  a0 = a0 + a1;
  a0 = a0 + a2;
  a0 = a0 + a3;
  float lanes[16];
  vstore16(a0, 0, lanes);
  for (int width = 8; width > 0; width /= 2)
    for (int j = 0; j < width; j++) {
      const float a = lanes[j], b = lanes[j + width];
      lanes[j] = a + b;
    }
  const float result = lanes[0];
  y[(i0)*6 + i1] = result;
}

