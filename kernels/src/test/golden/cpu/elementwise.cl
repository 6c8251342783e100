inline float max_float(float a, float b) { return a > b || isnan(a) ? a : b; }
// A work item owns the elements of the innermost axes of the result, at one place on the others, and goes over
// them in the order of its memory, so that stores, and reads of what lies alike, are in sequence. One at a time:
// an array has blocks that the result has not, or a run has fewer than 16 elements.
kernel __attribute__((reqd_work_group_size(1,1,1))) void elementwise_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long i0 = item;
  for (long i1 = 0; i1 < 8; i1++) {
    for (long i2 = 0; i2 < 12; i2++) {
      y[(i0)*96 + (i1)*12 + i2] = max_float(((x0[(i0)*96 + (i1)*12 + i2]) * (x1[i2])), 0.0f);
    }
  }
}

