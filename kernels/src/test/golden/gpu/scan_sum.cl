// A work item owns a row; neighbouring work items have neighbouring rows in the order of memory.
kernel __attribute__((reqd_work_group_size(128,1,1))) void scan_sum_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= ((long)n)) return;
  const long i0 = item;
  float acc = 0;
  for (long e = 0; e < 12; e++) {
    const long i1 = e;
    acc = (float)(acc + x0[(i0)*12 + i1]);
    const float result = acc;
    y[(i0)*12 + i1] = result;
  }
}

