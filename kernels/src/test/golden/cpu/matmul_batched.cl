// A work item owns up to 64 neighbouring columns of one row of the result, added up side by side in acc, so that
// each element of the left operand is read once for all of them. All types, ranks and layouts.
kernel __attribute__((reqd_work_group_size(1,1,1))) void matmul_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  long item = (long)get_global_id(0) + first;
  const long c0 = item % ((65 + 63) / 64) * 64; item /= ((65 + 63) / 64);
  const long row = item % 33; item /= 33;
  const long i1 = item % 4; item /= 4;
  const long i0 = item % ((long)n); item /= ((long)n);
  if (item > 0) return;
  const long width = min(64L, 65 - c0);
  float acc[64];
  for (int j = 0; j < 64; j++) acc[j] = 0;
  for (long k = 0; k < 20; k++) {
    const float value = x0[(i0)*2640 + (i1)*660 + (row)*20 + k];
    const float left = (float)value;
    for (int j = 0; j < width; j++) acc[j] += left * (float)x1[(i0)*5200 + (i1)*1300 + (k)*65 + (c0 + j)];
  }
  for (int j = 0; j < width; j++) {
    const float result = (float)acc[j];
    y[(i0)*8580 + (i1)*2145 + (row)*65 + (c0 + j)] = result;
  }
}

