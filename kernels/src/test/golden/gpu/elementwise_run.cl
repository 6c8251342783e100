inline float max_float(float a, float b) { return a > b || isnan(a) ? a : b; }
// A work item owns one element of the result; neighbouring work items have neighbours in the order of its memory,
// so that they store, and as far as layouts agree read, side by side.
kernel __attribute__((reqd_work_group_size(128,1,1))) void elementwise_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global const float* x2 = (global const float*)(pool + o2);
  global float* y = (global float*)(pool + o3);
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= (200*(long)n)) return;
  const long i0 = item / 200;
  const uint i0_rest = (uint)(item % 200);
  const long i1 = i0_rest / 50u % 4u;
  const long i2 = i0_rest % 50u;
  y[(i0)*200 + (i1)*50 + i2] = ((max_float(((x0[(i0)*200 + (i1)*50 + i2]) + (x1[i1])), 0.0f)) * (exp(x2[i2])));
}

