#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// A work item owns the innermost axes of the result, an element at a time: it goes over the taps of its window,
// and leaves out those on padding. All types, ranks, groups and layouts; common cases have faster kernels.
kernel __attribute__((reqd_work_group_size(1,1,1))) void pool_average_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const double* x0 = (global const double*)(pool + o0);
  global double* y = (global double*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long i0 = item;
  for (long i1 = 0; i1 < 3; i1++) {
    for (long i2 = 0; i2 < 3; i2++) {
      double acc = 0;
      int count = 0;
      for (int k2 = 0; k2 < 3; k2++) {
        const long p2 = i2 * 2 - 0 + k2 * 1;
        if (p2 < 0 || p2 >= 7) continue;
        acc += x0[(i0)*21 + (i1)*7 + p2];
        count++;
      }
      acc /= count;
      const double result = (double)acc;
      y[(i0)*9 + (i1)*3 + i2] = result;
    }
  }
}

