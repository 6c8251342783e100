#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// A work item owns one element of the result and goes over the taps of its window, leaving out those on padding;
// neighbouring work items have neighbours in the order of memory, channels where those are innermost, and so read
// and store side by side. All types, ranks, groups and layouts: common cases have faster kernels.
kernel __attribute__((reqd_work_group_size(128,1,1))) void conv_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const double* x0 = (global const double*)(pool + o0);
  global const double* x1 = (global const double*)(pool + o1);
  global double* y = (global double*)(pool + o2);
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= (96*(long)n)) return;
  const long i0 = item / 96;
  const uint i0_rest = (uint)(item % 96);
  const long i1 = i0_rest / 16u % 6u;
  const long i2 = i0_rest / 4u % 4u;
  const long i3 = i0_rest % 4u;
  const long channel = (i1) / 3 * 2;
  double acc = 0;
  for (int k2 = 0; k2 < 3; k2++) {
    const long p2 = i2 * 1 - 0 + k2 * 1;
    if (p2 < 0 || p2 >= 6) continue;
    for (int k3 = 0; k3 < 3; k3++) {
      const long p3 = i3 * 1 - 0 + k3 * 1;
      if (p3 < 0 || p3 >= 6) continue;
      for (long c = 0; c < 2; c++) {
        acc += (double)x0[(i0)*144 + ((channel + c))*36 + (p2)*6 + p3] * (double)x1[(i1)*18 + (c)*9 + (k2)*3 + k3];
      }
    }
  }
  const double result = (double)acc;
  y[(i0)*96 + (i1)*16 + (i2)*4 + i3] = result;
}

