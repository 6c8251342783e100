inline float max_float(float a, float b) { return a > b || isnan(a) ? a : b; }
// A work item owns 4 elements of the result that are neighbours in memory: their place is worked out once, and
// they are loaded and stored 16 bytes at a time, next to those of the neighbouring work items.
kernel __attribute__((reqd_work_group_size(128,1,1))) void elementwise_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= (24*(long)n)) return;
  const long i0 = item / 24;
  const uint i0_rest = (uint)(item % 24);
  const long i1 = i0_rest / 3u % 8u;
  const long part = i0_rest % 3u;
  const long i2 = part * 4;
  const float4 v0 = *(global const float4*)(x0 + (i0)*96 + (i1)*12 + i2);
  const float4 v1 = *(global const float4*)(x1 + i2);
  float4 r0;
  {
    r0.x = max_float(((v0.x) * (v1.x)), 0.0f);
  }
  {
    r0.y = max_float(((v0.y) * (v1.y)), 0.0f);
  }
  {
    r0.z = max_float(((v0.z) * (v1.z)), 0.0f);
  }
  {
    r0.w = max_float(((v0.w) * (v1.w)), 0.0f);
  }
  *(global float4*)(y + (i0)*96 + (i1)*12 + i2) = r0;
}

