inline float16 weight_float16(float16 x) {
  const float16 t = select(x, (float16)(-95.65431f), x < (float16)(-95.65431f));
  const float16 whole = fma(t, (float16)(1.442695f), (float16)(12583103.0f));
  const float16 k = whole - (float16)(12583103.0f);
  const float16 r = fma(k, (float16)(1.9046543e-9f), fma(k, (float16)(-0.6931472f), t));
  const float16 e = fma(r * r, fma(r, fma(r, fma(r, fma(r, (float16)(0.0013814538f), (float16)(0.008368745f)), (float16)(0.04166839f)), (float16)(0.16666521f)), (float16)(0.49999994f)), r) + (float16)(1.0f);
  const float16 large = e * as_float16(as_int16(whole) << (int16)(23));
  return select(large * (float16)(5.421011e-20f), (float16)(0.0f), x < (float16)(-95.65431f));
}
// A work item owns a row, and goes over it a few times, sixteen neighbours at a time: once to find what the whole
// row decides (maximum, sum, mean) and once to store. A row stays in the cache between the walks. What is left
// behind the last whole vector is kept in an array of its own.
kernel __attribute__((reqd_work_group_size(1,1,1))) void softmax_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long i0 = item % ((long)n); item /= ((long)n);
  const long from = (i0)*300;
  const long to = (i0)*300;
  float rest[16];
  for (int j = 0; j < 16; j++) rest[j] = j < 12 ? (x0 + from + 18L * 16L)[j] : -INFINITY;
  float16 most = (float16)(-INFINITY);
  for (long v = 0; v < 18; v++) {
    const float16 x = vload16(0, x0 + from + v * 16L);
    most = fmax(most, x);
  }
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
  for (long v = 0; v < 18; v++) {
    const float16 x = vload16(0, x0 + from + v * 16L);
    const float16 e = weight_float16(x - (float16)(highest)); total += e; vstore16(e, 0, y + to + v * 16L);
  }
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
  for (long v = 0; v < 18; v++) {
    {
      const float16 raw = vload16(0, y + to + v * 16L) * scale;
      vstore16(raw, 0, y + to + v * 16L);
    }
  }
  {
    const float16 raw = vload16(0, rest) * scale;
    float z[16];
    vstore16(raw, 0, z);
    global float* out = y + to + 18L * 16L;
    for (int j = 0; j < 12; j++) out[j] = z[j];
  }
}

