// A work item owns some neighbouring elements of the result, and walks over the reduced axes of each in turn, in
// any layout.
kernel __attribute__((reqd_work_group_size(1,1,1))) void reduce_sum_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long i0 = item;
  for (long i1 = 0; i1 < 6; i1++) {
    float acc = 0;
    for (long r2 = 0; r2 < 96; r2++) {
      const float value = x0[(i0)*576 + (i1)*96 + r2];
      acc += value;
    }
    const float result = (float)acc;
    y[(i0)*6 + i1] = result;
  }
}

