#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// A work item owns the innermost axes of the result, an element at a time: it goes over the taps of its window,
// and leaves out those on padding. All types, ranks, groups and layouts; common cases have faster kernels.
kernel __attribute__((reqd_work_group_size(1,1,1))) void conv_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const double* x0 = (global const double*)(pool + o0);
  global const double* x1 = (global const double*)(pool + o1);
  global double* y = (global double*)(pool + o2);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long i0 = item;
  for (long i1 = 0; i1 < 6; i1++) {
    for (long i2 = 0; i2 < 4; i2++) {
      for (long i3 = 0; i3 < 4; i3++) {
        double acc = 0;
        const long channel = (i1) / 3 * 2;
        for (long c = 0; c < 2; c++) {
          for (int k2 = 0; k2 < 3; k2++) {
            const long p2 = i2 * 1 - 0 + k2 * 1;
            if (p2 < 0 || p2 >= 6) continue;
            for (int k3 = 0; k3 < 3; k3++) {
              const long p3 = i3 * 1 - 0 + k3 * 1;
              if (p3 < 0 || p3 >= 6) continue;
              acc += (double)(x0[(i0)*144 + ((channel + c))*36 + (p2)*6 + p3]) * (x1[(i1)*18 + (c)*9 + (k2)*3 + k3]);
            }
          }
        }
        const double result = (double)acc;
        y[(i0)*96 + (i1)*16 + (i2)*4 + i3] = result;
      }
    }
  }
}

