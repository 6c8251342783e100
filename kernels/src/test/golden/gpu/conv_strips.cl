#ifdef POCL_DEVICE_ADDRESS_BITS
#define UNROLL
#define UNROLL_BY_4
#else
#define UNROLL _Pragma("unroll")
#define UNROLL_BY_4 _Pragma("unroll 4")
#endif
inline float max_float(float a, float b) { return a > b || isnan(a) ? a : b; }
// A work item owns four channels of 8 neighbouring pixels of a line, in registers: it loads a weight once for all of
// them, and of each line under the windows the 10 inputs once. Neighbouring work items have neighbouring channels.
kernel __attribute__((reqd_work_group_size(128,1,1))) void conv_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= (32768*(long)n)) return;
  const long i0 = item / 32768;
  const uint i0_rest = (uint)(item % 32768);
  const long i2 = i0_rest / 256u % 128u;
  const long strip = i0_rest / 16u % 16u;
  const long quad = i0_rest % 16u;
  const long i1 = quad * 4;
  const int begin = (int)strip * 8;
  const int top = (int)i2 * 1 - 1, left = begin * 1 - 1;
  float4 acc[8];
  UNROLL
  for (int p = 0; p < 8; p++) acc[p] = (float4)(0);
  for (int ky = 0; ky < 3; ky++) {
    const int line = top + ky * 1;
    if (line < 0 || line >= 128) continue;
    float v[30];
    UNROLL
    for (int c = 0; c < 3; c++) {
      const long at = (i0)*49152 + (c)*16384 + (line)*128;
      UNROLL
      for (int i = 0; i < 10; i++) {
        const int column = left + i;
        v[c * 10 + i] = column >= 0 && column < 128 ? x0[at + column * 1L] : 0.0f;
      }
    }
    UNROLL
    for (int kx = 0; kx < 3; kx++) {
      UNROLL
      for (int c = 0; c < 3; c++) {
        const float4 weight = *(global const float4*)(x1 + ((ky * 3 + kx) * 3 + c) * 64L + i1);
        UNROLL
        for (int p = 0; p < 8; p++) acc[p] = fma((float4)(v[c * 10 + p * 1 + kx * 1]), weight, acc[p]);
      }
    }
  }
  UNROLL
  for (int p = 0; p < 8; p++) {
    const long i3 = begin + p;
    float4 r;
    {
      const float result = acc[p].x;
      r.x = max_float(result, 0.0f);
    }
    {
      const float result = acc[p].y;
      r.y = max_float(result, 0.0f);
    }
    {
      const float result = acc[p].z;
      r.z = max_float(result, 0.0f);
    }
    {
      const float result = acc[p].w;
      r.w = max_float(result, 0.0f);
    }
    *(global float4*)(y + (i0)*1048576 + i1 + (i2)*8192 + (i3)*64) = r;
  }
}

// A work item owns four channels of 8 neighbouring pixels of a line, in registers: it loads a weight once for all of
// them, and of each line under the windows the 14 inputs once. Neighbouring work items have neighbouring channels.
kernel __attribute__((reqd_work_group_size(128,1,1))) void conv_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= (32768*(long)n)) return;
  const long i0 = item / 32768;
  const uint i0_rest = (uint)(item % 32768);
  const long i2 = i0_rest / 256u % 128u;
  const long strip = i0_rest / 16u % 16u;
  const long quad = i0_rest % 16u;
  const long i1 = quad * 4;
  const int begin = (int)strip * 8;
  const int top = (int)i2 * 1 - 3, left = begin * 1 - 3;
  float4 acc[8];
  UNROLL
  for (int p = 0; p < 8; p++) acc[p] = (float4)(0);
  for (int ky = 0; ky < 7; ky++) {
    const int line = top + ky * 1;
    if (line < 0 || line >= 128) continue;
    float4 v[14];
    const long at = (i0)*1048576 + i1 + (line)*8192;
    UNROLL
    for (int i = 0; i < 14; i++) {
      const int column = left + i;
      v[i] = column >= 0 && column < 128 ? *(global const float4*)(x0 + at + column * 64L) : (float4)(0);
    }
    UNROLL
    for (int kx = 0; kx < 7; kx++) {
      const float4 weight = *(global const float4*)(x1 + (ky * 7 + kx) * 64L + i1);
      UNROLL
      for (int p = 0; p < 8; p++) acc[p] = fma(v[p * 1 + kx * 1], weight, acc[p]);
    }
  }
  UNROLL
  for (int p = 0; p < 8; p++) {
    const long i3 = begin + p;
    float4 r;
    {
      const float result = acc[p].x;
      r.x = result;
    }
    {
      const float result = acc[p].y;
      r.y = result;
    }
    {
      const float result = acc[p].z;
      r.z = result;
    }
    {
      const float result = acc[p].w;
      r.w = result;
    }
    *(global float4*)(y + (i0)*1048576 + i1 + (i2)*8192 + (i3)*64) = r;
  }
}

// A work item owns 4 elements of the result that are neighbours in memory: their place is worked out once, and
// they are loaded and stored 16 bytes at a time, next to those of the neighbouring work items.
kernel __attribute__((reqd_work_group_size(128,1,1))) void output_2(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= (262144*(long)n)) return;
  const long i0 = item / 262144;
  const uint i0_rest = (uint)(item % 262144);
  const long i1 = i0_rest / 4096u % 64u;
  const long i2 = i0_rest / 32u % 128u;
  const long part = i0_rest % 32u;
  const long i3 = part * 4;
  float4 r0;
  {
    r0.x = x0[(i0)*1048576 + i1 + (i2)*8192 + (i3)*64];
  }
  {
    r0.y = x0[(i0)*1048576 + i1 + (i2)*8192 + ((i3 + 1))*64];
  }
  {
    r0.z = x0[(i0)*1048576 + i1 + (i2)*8192 + ((i3 + 2))*64];
  }
  {
    r0.w = x0[(i0)*1048576 + i1 + (i2)*8192 + ((i3 + 3))*64];
  }
  *(global float4*)(y + (i0)*1048576 + (i1)*16384 + (i2)*128 + i3) = r0;
}

