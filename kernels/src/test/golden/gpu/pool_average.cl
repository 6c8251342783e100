#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// A work item owns one element of the result and goes over the taps of its window, leaving out those on padding;
// neighbouring work items have neighbours in the order of memory, channels where those are innermost, and so read
// and store side by side. All types, ranks, groups and layouts: common cases have faster kernels.
kernel __attribute__((reqd_work_group_size(128,1,1))) void pool_average_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const double* x0 = (global const double*)(pool + o0);
  global double* y = (global double*)(pool + o1);
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= (9*(long)n)) return;
  const long i0 = item / 9;
  const uint i0_rest = (uint)(item % 9);
  const long i1 = i0_rest / 3u % 3u;
  const long i2 = i0_rest % 3u;
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

