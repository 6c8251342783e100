// A work item owns one element of the result and goes over the taps of its window, leaving out those on padding;
// neighbouring work items have neighbours in the order of memory, channels where those are innermost, and so read
// and store side by side. All types, ranks, groups and layouts: common cases have faster kernels.
kernel __attribute__((reqd_work_group_size(128,1,1))) void conv_transpose_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= (1296*(long)n)) return;
  const long i0 = item / 1296;
  const uint i0_rest = (uint)(item % 1296);
  const long i1 = i0_rest / 81u % 16u;
  const long i2 = i0_rest / 9u % 9u;
  const long i3 = i0_rest % 9u;
  const long channel = (i1) / 16 * 6;
  const long m = (i1) % 16;
  float acc = 0;
  for (int k2 = 0; k2 < 3; k2++) {
    const long q2 = i2 + 0 - k2 * 1;
    if (q2 < 0 || q2 % 2 != 0) continue;
    const long p2 = q2 / 2;
    if (p2 >= 4) continue;
    for (int k3 = 0; k3 < 3; k3++) {
      const long q3 = i3 + 0 - k3 * 1;
      if (q3 < 0 || q3 % 2 != 0) continue;
      const long p3 = q3 / 2;
      if (p3 >= 4) continue;
      for (long c = channel; c < channel + 6; c++) {
        acc += (float)x0[(i0)*96 + (c)*16 + (p2)*4 + p3] * (float)x1[(((0 * 3 + k2) * 3 + k3) * 6L + c) * 16 + m];
      }
    }
  }
  const float result = (float)acc;
  y[(i0)*1296 + (i1)*81 + (i2)*9 + i3] = result;
}

