// A work item owns a row: it goes over it a few times, once to find what the whole row decides (maximum, sum,
// mean) and once to store. A row is small enough to stay in the cache between the walks. Any layout.
kernel __attribute__((reqd_work_group_size(1,1,1))) void scan_sum_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long i0 = item % ((long)n); item /= ((long)n);
  float acc = 0;
  for (long step = 0; step < 12; step++) {
    const long i1 = step;
    acc = (float)(acc + x0[(i0)*12 + i1]);
    const float result = acc;
    y[(i0)*12 + i1] = result;
  }
}

