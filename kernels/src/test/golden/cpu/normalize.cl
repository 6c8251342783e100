// A work item owns a row, and goes over it a few times, sixteen neighbours at a time: once to find what the whole
// row decides (maximum, sum, mean) and once to store. A row stays in the cache between the walks. What is left
// behind the last whole vector is kept in an array of its own.
kernel __attribute__((reqd_work_group_size(1,1,1))) void normalize_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= (4*(long)n)) return;
  const long i1 = item % 4; item /= 4;
  const long i0 = item % ((long)n); item /= ((long)n);
  const long from = (i0)*256 + (i1)*64;
  const long to = (i0)*256 + (i1)*64;
  float16 total = (float16)(0.0f);
  for (long v = 0; v < 4; v++) {
    const float16 x = vload16(0, x0 + from + v * 16L);
    total = total + x;
  }
  float sum;
  {
    float lanes[16];
    vstore16(total, 0, lanes);
    for (int width = 8; width > 0; width /= 2)
      for (int j = 0; j < width; j++) lanes[j] = lanes[j] + lanes[j + width];
    sum = lanes[0];
  }
  const float mean = sum / (float)64;
  float16 squared = (float16)(0.0f);
  for (long v = 0; v < 4; v++) {
    const float16 x = vload16(0, x0 + from + v * 16L);
    squared = fma(x - (float16)(mean), x - (float16)(mean), squared);
  }
  float squares;
  {
    float lanes[16];
    vstore16(squared, 0, lanes);
    for (int width = 8; width > 0; width /= 2)
      for (int j = 0; j < width; j++) lanes[j] = lanes[j] + lanes[j + width];
    squares = lanes[0];
  }
  const float16 scale = (float16)(1 / sqrt(squares / (float)64 + 1.0E-5f));
  for (long v = 0; v < 4; v++) {
    {
      const float16 raw = (vload16(0, x0 + from + v * 16L) - (float16)(mean)) * scale;
      vstore16(raw, 0, y + to + v * 16L);
    }
  }
}

