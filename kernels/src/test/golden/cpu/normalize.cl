// A work item owns a row: it goes over it a few times, once to find what the whole row decides (maximum, sum,
// mean) and once to store. A row is small enough to stay in the cache between the walks. Any layout.
kernel __attribute__((reqd_work_group_size(1,1,1))) void normalize_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= (4*(long)n)) return;
  const long i1 = item % 4; item /= 4;
  const long i0 = item % ((long)n); item /= ((long)n);
  float mean = 0;
  for (long i2 = 0; i2 < 64; i2++) {
    const float value = x0[(i0)*256 + (i1)*64 + i2];
    mean = mean + value;
  }
  mean /= (float)64;
  float squares = 0;
  for (long i2 = 0; i2 < 64; i2++) {
    const float value = x0[(i0)*256 + (i1)*64 + i2];
    squares = squares + (value - mean) * (value - mean);
  }
  const float scale = 1 / sqrt(squares / (float)64 + 1.0E-5f);
  for (long i2 = 0; i2 < 64; i2++) {
    const float value = x0[(i0)*256 + (i1)*64 + i2];
    const float result = (value - mean) * scale;
    y[(i0)*256 + (i1)*64 + i2] = result;
  }
}

