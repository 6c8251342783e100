// A work item owns a row: it goes over it a few times, once to find what the whole row decides (maximum, sum,
// mean) and once to store. A row is small enough to stay in the cache between the walks. Any layout.
kernel __attribute__((reqd_work_group_size(1,1,1))) void softmax_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long i0 = item % ((long)n); item /= ((long)n);
  float highest = -INFINITY;
  for (long i1 = 0; i1 < 300; i1++) {
    const float value = x0[(i0)*300 + i1];
    highest = fmax(highest, (float)value);
  }
  float sum = 0;
  for (long i1 = 0; i1 < 300; i1++) {
    const float value = x0[(i0)*300 + i1];
    sum = sum + exp(value - highest);
  }
  const float scale = 1 / sum;
  for (long i1 = 0; i1 < 300; i1++) {
    const float value = x0[(i0)*300 + i1];
    const float result = exp(value - highest) * scale;
    y[(i0)*300 + i1] = result;
  }
}

