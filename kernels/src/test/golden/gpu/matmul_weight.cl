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
// A work-group of 64 work items owns 32 x 32 elements of C = A x B; a work item 4 x 4 of them, in registers.
//
//                           j0 + tx * 4
//                     bs: +-------------+
//                 24 of B |      b      |  one float4 for all rows of a work item
//                         +-------------+
//         as: 24 of A
//          +-----+        +-------------+
//   m0 +   |     |        |  c[0].xyzw  |
//   ty * 4 |  a  |        |  ...        |  c[4 * i + j] += a.j * b
//          |     |        |  c[3].xyzw  |
//          +-----+        +-------------+
//
// A: a matrix, its depth innermost.
// B: a matrix, its lines innermost.
// Both panels are in local memory twice: while one is multiplied, the next is on its way in registers.
// as is transposed and 36 floats apart, so that four rows are one read and neighbours are in other banks.
kernel __attribute__((reqd_work_group_size(64,1,1))) void matmul_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  const int t = get_local_id(0);
  const int tx = t % 8, ty = t / 8;
  const long group = (long)first + get_group_id(0);
  const int j0 = get_group_id(1) * 32;
  const long m0 = group * 32;
  local float as[1728] __attribute__((aligned(16)));
  float4 ar[3];
  long a_line[3];
  UNROLL
  for (int i = 0; i < 3; i++) {
    const uint e = t + i * 64;
    const int line = e / 6;
    a_line[i] = m0 + line < ((long)n) ? 0 + (m0 + line) * 24 : -1;
  }
  local float bs[1536] __attribute__((aligned(16)));
  float4 br[3];
  long b_line[3];
  UNROLL
  for (int i = 0; i < 3; i++) {
    const uint e = t + i * 64;
    const int line = e % 8 * 4;
    b_line[i] = j0 + line < 40 ? 0 + (j0 + line) * 1L : -1;
  }
  float4 c[4];
  UNROLL
  for (int i = 0; i < 4; i++) c[i] = (float4)(0);
  UNROLL
  for (int i = 0; i < 3; i++) {
    const uint e = t + i * 64;
    const int k = 0 + e % 6 * 4;
    ar[i] = (a_line[i] >= 0) ? *(global const float4*)(x0 + a_line[i] + k) : (float4)(0);
  }
  UNROLL
  for (int i = 0; i < 3; i++) {
    const uint e = t + i * 64;
    const int k = 0 + e / 8;
    br[i] = (b_line[i] >= 0) ? *(global const float4*)(x1 + b_line[i] + (long)k * 40) : (float4)(0);
  }
  UNROLL
  for (int i = 0; i < 3; i++) {
    const uint e = t + i * 64;
    const int line = e / 6, k = e % 6 * 4;
    local float* p = as + (0 * 24 + k) * 36 + line;
    p[0] = ar[i].x;
    p[36] = ar[i].y;
    p[72] = ar[i].z;
    p[108] = ar[i].w;
  }
  UNROLL
  for (int i = 0; i < 3; i++) {
    const uint e = t + i * 64;
    const int line = e % 8 * 4, k = e / 8;
    local float* p = bs + (0 * 24 + k) * 32 + line;
    *(local float4*)p = br[i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int buffer = 0;
  #pragma unroll 1
  for (int k0 = 0; k0 < 24; k0 += 24) {
    const int next = k0 + 24;
    if (next < 24) {
      UNROLL
      for (int i = 0; i < 3; i++) {
        const uint e = t + i * 64;
        const int k = next + e % 6 * 4;
        ar[i] = (a_line[i] >= 0) ? *(global const float4*)(x0 + a_line[i] + k) : (float4)(0);
      }
      UNROLL
      for (int i = 0; i < 3; i++) {
        const uint e = t + i * 64;
        const int k = next + e / 8;
        br[i] = (b_line[i] >= 0) ? *(global const float4*)(x1 + b_line[i] + (long)k * 40) : (float4)(0);
      }
    }
    UNROLL_BY_4
    for (int k = 0; k < 24; k++) {
      local const float4* pa = (local const float4*)(as + (buffer * 24 + k) * 36);
      const float4 b = ((local const float4*)(bs + (buffer * 24 + k) * 32))[tx];
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
    if (next < 24) {
      UNROLL
      for (int i = 0; i < 3; i++) {
        const uint e = t + i * 64;
        const int line = e / 6, k = e % 6 * 4;
        local float* p = as + (buffer * 24 + k) * 36 + line;
        p[0] = ar[i].x;
        p[36] = ar[i].y;
        p[72] = ar[i].z;
        p[108] = ar[i].w;
      }
      UNROLL
      for (int i = 0; i < 3; i++) {
        const uint e = t + i * 64;
        const int line = e % 8 * 4, k = e / 8;
        local float* p = bs + (buffer * 24 + k) * 32 + line;
        *(local float4*)p = br[i];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  UNROLL
  for (int i = 0; i < 4; i++) {
    const long m = m0 + i / 4 * 32 + ty * 4 + i % 4;
    if (m < ((long)n)) {
      const long i0 = m;
      const long col0 = j0 + tx * 4;
      if (col0 < 40) {
        const long col = col0;
        *(global float4*)(y + (i0)*40 + col) = c[i];
      }
    }
  }
  GROUP_END
}

