// A work item owns some neighbouring elements of the result, and walks over the reduced axes of each in turn, in
// any layout.
kernel __attribute__((reqd_work_group_size(1,1,1))) void reduce_arg_max_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global long* y = (global long*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long i0 = item;
  float acc = -INFINITY;
  long best = 0;
  for (long r1 = 0; r1 < 100; r1++) {
    const float value = x0[(i0)*100 + r1];
    const float v = value;
    if (r1 == 0 || v > acc || (v != v && acc == acc)) { acc = v; best = r1; }
  }
  y[i0] = best;
}

