#ifdef POCL_DEVICE_ADDRESS_BITS
#define UNROLL
#define UNROLL_BY_4
#else
#define UNROLL _Pragma("unroll")
#define UNROLL_BY_4 _Pragma("unroll 4")
#endif
#ifdef POCL_DEVICE_ADDRESS_BITS
#define GROUP_END barrier(CLK_LOCAL_MEM_FENCE);
#else
#define GROUP_END
#endif
// A work item owns 4 elements of the result that are neighbours in memory: their place is worked out once, and
// they are loaded and stored 16 bytes at a time, next to those of the neighbouring work items.
kernel __attribute__((reqd_work_group_size(128,1,1))) void convert_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= (256*(long)n)) return;
  const long i0 = item / 256;
  const uint i0_rest = (uint)(item % 256);
  const long i2 = i0_rest / 32u % 8u;
  const long i3 = i0_rest / 4u % 8u;
  const long part = i0_rest % 4u;
  const long i1 = part * 4;
  float4 r0;
  {
    r0.x = x0[(i0)*1024 + (i1)*64 + (i2)*8 + i3];
  }
  {
    r0.y = x0[(i0)*1024 + ((i1 + 1))*64 + (i2)*8 + i3];
  }
  {
    r0.z = x0[(i0)*1024 + ((i1 + 2))*64 + (i2)*8 + i3];
  }
  {
    r0.w = x0[(i0)*1024 + ((i1 + 3))*64 + (i2)*8 + i3];
  }
  *(global float4*)(y + (i0)*1024 + i1 + (i2)*128 + (i3)*16) = r0;
}

// A work-group of 32 work items owns 32 x 16 elements of C = A x B; a work item 4 x 4 of them, in registers.
//
//                           j0 + tx * 4
//                     bs: +-------------+
//                 16 of B |      b      |  one float4 for all rows of a work item
//                         +-------------+
//         as: 16 of A
//          +-----+        +-------------+
//   m0 +   |     |        |  c[0].xyzw  |
//   ty * 4 |  a  |        |  ...        |  c[4 * i + j] += a.j * b
//          |     |        |  c[3].xyzw  |
//          +-----+        +-------------+
//
// A: output pixels, one a line; channels innermost (NHWC).
// B: a matrix, its lines innermost.
// Both panels are in local memory twice: while one is multiplied, the next is on its way in registers.
// as is transposed and 36 floats apart, so that four rows are one read and neighbours are in other banks.
kernel __attribute__((reqd_work_group_size(32,1,1))) void conv_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  const int t = get_local_id(0);
  const int tx = t % 4, ty = t / 4;
  const long m0 = ((long)first + get_group_id(0)) * 32;
  const int j0 = get_group_id(1) * 16;
  local float as[1152] __attribute__((aligned(16)));
  float4 ar[4];
  long a_line[4];
  UNROLL
  for (int i = 0; i < 4; i++) {
    const uint e = t + i * 32;
    const int line = e / 4;
    const long m = m0 + line;
    const uint pixel = (uint)(m % 64);
    const int y = (int)(pixel / 8u) * 1 - 0, x = (int)(pixel % 8u) * 1 - 0;
    const bool inside = m < (64*(long)n) && (uint)y < 8u && (uint)x < 8u;
    a_line[i] = inside ? 0 + m / 64 * 1024 + ((long)y * 128 + (long)x * 16) : -1;
  }
  local float bs[512] __attribute__((aligned(16)));
  float4 br[2];
  long b_line[2];
  UNROLL
  for (int i = 0; i < 2; i++) {
    const uint e = t + i * 32;
    const int line = e % 4 * 4;
    b_line[i] = 0 + (j0 + line) * 1L;
  }
  float4 c[4];
  UNROLL
  for (int i = 0; i < 4; i++) c[i] = (float4)(0);
  {
    const int k = 0 + (uint)t % 4 * 4;
    UNROLL
    for (int i = 0; i < 4; i++) {
      const uint e = t + i * 32;
      ar[i] = (a_line[i] >= 0) ? *(global const float4*)(x0 + a_line[i] + k) : (float4)(0);
    }
  }
  UNROLL
  for (int i = 0; i < 2; i++) {
    const uint e = t + i * 32;
    const int k = 0 + e / 4;
    br[i] = *(global const float4*)(x1 + b_line[i] + (long)k * 16);
  }
  UNROLL
  for (int i = 0; i < 4; i++) {
    const uint e = t + i * 32;
    const int line = e / 4, k = e % 4 * 4;
    local float* p = as + (0 * 16 + k) * 36 + line;
    p[0] = ar[i].x;
    p[36] = ar[i].y;
    p[72] = ar[i].z;
    p[108] = ar[i].w;
  }
  UNROLL
  for (int i = 0; i < 2; i++) {
    const uint e = t + i * 32;
    const int line = e % 4 * 4, k = e / 4;
    local float* p = bs + (0 * 16 + k) * 16 + line;
    *(local float4*)p = br[i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int buffer = 0;
  #pragma unroll 1
  for (int k0 = 0; k0 < 16; k0 += 16) {
    const int next = k0 + 16;
    if (next < 16) {
      {
        const int k = next + (uint)t % 4 * 4;
        UNROLL
        for (int i = 0; i < 4; i++) {
          const uint e = t + i * 32;
          ar[i] = (a_line[i] >= 0) ? *(global const float4*)(x0 + a_line[i] + k) : (float4)(0);
        }
      }
      UNROLL
      for (int i = 0; i < 2; i++) {
        const uint e = t + i * 32;
        const int k = next + e / 4;
        br[i] = *(global const float4*)(x1 + b_line[i] + (long)k * 16);
      }
    }
    UNROLL_BY_4
    for (int k = 0; k < 16; k++) {
      local const float4* pa = (local const float4*)(as + (buffer * 16 + k) * 36);
      const float4 b = ((local const float4*)(bs + (buffer * 16 + k) * 16))[tx];
      UNROLL
      for (int i = 0; i < 1; i++) {
        const float4 a = pa[ty + i * 8];
        c[4 * i + 0] = fma((float4)(a.x), b, c[4 * i + 0]);
        c[4 * i + 1] = fma((float4)(a.y), b, c[4 * i + 1]);
        c[4 * i + 2] = fma((float4)(a.z), b, c[4 * i + 2]);
        c[4 * i + 3] = fma((float4)(a.w), b, c[4 * i + 3]);
      }
    }
    buffer ^= 1;
    if (next < 16) {
      UNROLL
      for (int i = 0; i < 4; i++) {
        const uint e = t + i * 32;
        const int line = e / 4, k = e % 4 * 4;
        local float* p = as + (buffer * 16 + k) * 36 + line;
        p[0] = ar[i].x;
        p[36] = ar[i].y;
        p[72] = ar[i].z;
        p[108] = ar[i].w;
      }
      UNROLL
      for (int i = 0; i < 2; i++) {
        const uint e = t + i * 32;
        const int line = e % 4 * 4, k = e / 4;
        local float* p = bs + (buffer * 16 + k) * 16 + line;
        *(local float4*)p = br[i];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  UNROLL
  for (int i = 0; i < 4; i++) {
    const long m = m0 + i / 4 * 32 + ty * 4 + i % 4;
    if (m < (64*(long)n)) {
      const long i0 = m / 64;
      const uint i0_rest = (uint)(m % 64);
      const long i2 = i0_rest / 8u % 8u;
      const long i3 = i0_rest % 8u;
      const long col0 = j0 + tx * 4;
      if (col0 < 16) {
        const long col = col0;
        *(global float4*)(y + (i0)*1024 + col + (i2)*128 + (i3)*16) = c[i];
      }
    }
  }
  GROUP_END
}

// A work item owns 4 elements of the result that are neighbours in memory: their place is worked out once, and
// they are loaded and stored 16 bytes at a time, next to those of the neighbouring work items.
kernel __attribute__((reqd_work_group_size(128,1,1))) void pool_max_2(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= (64*(long)n)) return;
  const long i0 = item / 64;
  const uint i0_rest = (uint)(item % 64);
  const long i2 = i0_rest / 16u % 4u;
  const long i3 = i0_rest / 4u % 4u;
  const long part = i0_rest % 4u;
  const long i1 = part * 4;
  float4 acc0 = (float4)(-INFINITY);
  int count = 0;
  for (int k2 = 0; k2 < 2; k2++) {
    const long p2 = i2 * 2 - 0 + k2 * 1;
    if (p2 < 0 || p2 >= 8) continue;
    for (int k3 = 0; k3 < 2; k3++) {
      const long p3 = i3 * 2 - 0 + k3 * 1;
      if (p3 < 0 || p3 >= 8) continue;
      const float4 v = *(global const float4*)(x0 + (i0)*1024 + i1 + (p2)*128 + (p3)*16);
      acc0 = select(acc0, v, (v > acc0) | (v != v));
      count++;
    }
  }
  float4 r0;
  {
    const float result = acc0.x;
    r0.x = result;
  }
  {
    const float result = acc0.y;
    r0.y = result;
  }
  {
    const float result = acc0.z;
    r0.z = result;
  }
  {
    const float result = acc0.w;
    r0.w = result;
  }
  *(global float4*)(y + (i0)*256 + i1 + (i2)*64 + (i3)*16) = r0;
}

// A work-group of 32 work items owns 32 x 16 elements of C = A x B; a work item 4 x 4 of them, in registers.
//
//                           j0 + tx * 4
//                     bs: +-------------+
//                 16 of B |      b      |  one float4 for all rows of a work item
//                         +-------------+
//         as: 16 of A
//          +-----+        +-------------+
//   m0 +   |     |        |  c[0].xyzw  |
//   ty * 4 |  a  |        |  ...        |  c[4 * i + j] += a.j * b
//          |     |        |  c[3].xyzw  |
//          +-----+        +-------------+
//
// A: output pixels, one a line; channels innermost (NHWC).
// B: a matrix, its lines innermost.
// Both panels are in local memory twice: while one is multiplied, the next is on its way in registers.
// as is transposed and 36 floats apart, so that four rows are one read and neighbours are in other banks.
kernel __attribute__((reqd_work_group_size(32,1,1))) void conv_3(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  const int t = get_local_id(0);
  const int tx = t % 4, ty = t / 4;
  const long m0 = ((long)first + get_group_id(0)) * 32;
  const int j0 = get_group_id(1) * 16;
  local float as[1152] __attribute__((aligned(16)));
  float4 ar[4];
  long a_line[4];
  UNROLL
  for (int i = 0; i < 4; i++) {
    const uint e = t + i * 32;
    const int line = e / 4;
    const long m = m0 + line;
    const uint pixel = (uint)(m % 16);
    const int y = (int)(pixel / 4u) * 1 - 0, x = (int)(pixel % 4u) * 1 - 0;
    const bool inside = m < (16*(long)n) && (uint)y < 4u && (uint)x < 4u;
    a_line[i] = inside ? 0 + m / 16 * 256 + ((long)y * 64 + (long)x * 16) : -1;
  }
  local float bs[512] __attribute__((aligned(16)));
  float4 br[2];
  long b_line[2];
  UNROLL
  for (int i = 0; i < 2; i++) {
    const uint e = t + i * 32;
    const int line = e % 4 * 4;
    b_line[i] = 0 + (j0 + line) * 1L;
  }
  float4 c[4];
  UNROLL
  for (int i = 0; i < 4; i++) c[i] = (float4)(0);
  {
    const int k = 0 + (uint)t % 4 * 4;
    UNROLL
    for (int i = 0; i < 4; i++) {
      const uint e = t + i * 32;
      ar[i] = (a_line[i] >= 0) ? *(global const float4*)(x0 + a_line[i] + k) : (float4)(0);
    }
  }
  UNROLL
  for (int i = 0; i < 2; i++) {
    const uint e = t + i * 32;
    const int k = 0 + e / 4;
    br[i] = *(global const float4*)(x1 + b_line[i] + (long)k * 16);
  }
  UNROLL
  for (int i = 0; i < 4; i++) {
    const uint e = t + i * 32;
    const int line = e / 4, k = e % 4 * 4;
    local float* p = as + (0 * 16 + k) * 36 + line;
    p[0] = ar[i].x;
    p[36] = ar[i].y;
    p[72] = ar[i].z;
    p[108] = ar[i].w;
  }
  UNROLL
  for (int i = 0; i < 2; i++) {
    const uint e = t + i * 32;
    const int line = e % 4 * 4, k = e / 4;
    local float* p = bs + (0 * 16 + k) * 16 + line;
    *(local float4*)p = br[i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int buffer = 0;
  #pragma unroll 1
  for (int k0 = 0; k0 < 16; k0 += 16) {
    const int next = k0 + 16;
    if (next < 16) {
      {
        const int k = next + (uint)t % 4 * 4;
        UNROLL
        for (int i = 0; i < 4; i++) {
          const uint e = t + i * 32;
          ar[i] = (a_line[i] >= 0) ? *(global const float4*)(x0 + a_line[i] + k) : (float4)(0);
        }
      }
      UNROLL
      for (int i = 0; i < 2; i++) {
        const uint e = t + i * 32;
        const int k = next + e / 4;
        br[i] = *(global const float4*)(x1 + b_line[i] + (long)k * 16);
      }
    }
    UNROLL_BY_4
    for (int k = 0; k < 16; k++) {
      local const float4* pa = (local const float4*)(as + (buffer * 16 + k) * 36);
      const float4 b = ((local const float4*)(bs + (buffer * 16 + k) * 16))[tx];
      UNROLL
      for (int i = 0; i < 1; i++) {
        const float4 a = pa[ty + i * 8];
        c[4 * i + 0] = fma((float4)(a.x), b, c[4 * i + 0]);
        c[4 * i + 1] = fma((float4)(a.y), b, c[4 * i + 1]);
        c[4 * i + 2] = fma((float4)(a.z), b, c[4 * i + 2]);
        c[4 * i + 3] = fma((float4)(a.w), b, c[4 * i + 3]);
      }
    }
    buffer ^= 1;
    if (next < 16) {
      UNROLL
      for (int i = 0; i < 4; i++) {
        const uint e = t + i * 32;
        const int line = e / 4, k = e % 4 * 4;
        local float* p = as + (buffer * 16 + k) * 36 + line;
        p[0] = ar[i].x;
        p[36] = ar[i].y;
        p[72] = ar[i].z;
        p[108] = ar[i].w;
      }
      UNROLL
      for (int i = 0; i < 2; i++) {
        const uint e = t + i * 32;
        const int line = e % 4 * 4, k = e / 4;
        local float* p = bs + (buffer * 16 + k) * 16 + line;
        *(local float4*)p = br[i];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  UNROLL
  for (int i = 0; i < 4; i++) {
    const long m = m0 + i / 4 * 32 + ty * 4 + i % 4;
    if (m < (16*(long)n)) {
      const long i0 = m / 16;
      const uint i0_rest = (uint)(m % 16);
      const long i2 = i0_rest / 4u % 4u;
      const long i3 = i0_rest % 4u;
      const long col0 = j0 + tx * 4;
      if (col0 + 0 < 16) {
        const long col = col0 + 0;
        y[(i0)*256 + (col)*16 + (i2)*4 + i3] = c[i].x;
      }
      if (col0 + 1 < 16) {
        const long col = col0 + 1;
        y[(i0)*256 + (col)*16 + (i2)*4 + i3] = c[i].y;
      }
      if (col0 + 2 < 16) {
        const long col = col0 + 2;
        y[(i0)*256 + (col)*16 + (i2)*4 + i3] = c[i].z;
      }
      if (col0 + 3 < 16) {
        const long col = col0 + 3;
        y[(i0)*256 + (col)*16 + (i2)*4 + i3] = c[i].w;
      }
    }
  }
  GROUP_END
}

