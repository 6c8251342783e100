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
inline float max_float(float a, float b) { return a > b || isnan(a) ? a : b; }
// A work-group of 256 work items owns 32 x 32 elements of C = A x B; a work item 4 x 4 of them, in registers.
//
//                           j0 + tx * 4
//                     bs: +-------------+
//                 44 of B |      b      |  one float4 for all rows of a work item
//                         +-------------+
//         as: 44 of A
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
// The depth of a panel is parted among 4 slices of the work-group, whose sums are added in the end.
kernel __attribute__((reqd_work_group_size(256,1,1))) void matmul_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global const float* x2 = (global const float*)(pool + o2);
  global float* y = (global float*)(pool + o3);
  const int t = get_local_id(0);
  const int slice = t / 64, place = t % 64;
  const int tx = place % 8, ty = place / 8;
  const long group = (long)first + get_group_id(0);
  const int j0 = get_group_id(1) * 32;
  const long m0 = group * 32;
  local float as[3168] __attribute__((aligned(16)));
  float4 ar[2];
  long a_line[2];
  UNROLL
  for (int i = 0; i < 2; i++) {
    const uint e = t + i * 256;
    const int line = e / 11;
    a_line[i] = m0 + line < (8*(long)n) ? 0 + (m0 + line) * 64 : -1;
  }
  local float bs[2816] __attribute__((aligned(16)));
  float4 br[2];
  long b_line[2];
  UNROLL
  for (int i = 0; i < 2; i++) {
    const uint e = t + i * 256;
    const int line = e % 8 * 4;
    b_line[i] = 0 + (j0 + line) * 1L;
  }
  float4 c[4];
  UNROLL
  for (int i = 0; i < 4; i++) c[i] = (float4)(0);
  UNROLL
  for (int i = 0; i < 2; i++) {
    const uint e = t + i * 256;
    const int k = 0 + e % 11 * 4;
    ar[i] = (e < 352 && a_line[i] >= 0 && k < 64) ? *(global const float4*)(x0 + a_line[i] + k) : (float4)(0);
  }
  UNROLL
  for (int i = 0; i < 2; i++) {
    const uint e = t + i * 256;
    const int k = 0 + e / 8;
    br[i] = (e < 352 && k < 64) ? *(global const float4*)(x1 + b_line[i] + (long)k * 32) : (float4)(0);
  }
  UNROLL
  for (int i = 0; i < 2; i++) {
    const uint e = t + i * 256;
    const int line = e / 11, k = e % 11 * 4;
    if (e >= 352) continue;
    local float* p = as + (0 * 44 + k) * 36 + line;
    p[0] = ar[i].x;
    p[36] = ar[i].y;
    p[72] = ar[i].z;
    p[108] = ar[i].w;
  }
  UNROLL
  for (int i = 0; i < 2; i++) {
    const uint e = t + i * 256;
    const int line = e % 8 * 4, k = e / 8;
    if (e >= 352) continue;
    local float* p = bs + (0 * 44 + k) * 32 + line;
    *(local float4*)p = br[i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int buffer = 0;
  #pragma unroll 1
  for (int k0 = 0; k0 < 64; k0 += 44) {
    const int next = k0 + 44;
    if (next < 64) {
      UNROLL
      for (int i = 0; i < 2; i++) {
        const uint e = t + i * 256;
        const int k = next + e % 11 * 4;
        ar[i] = (e < 352 && a_line[i] >= 0 && k < 64) ? *(global const float4*)(x0 + a_line[i] + k) : (float4)(0);
      }
      UNROLL
      for (int i = 0; i < 2; i++) {
        const uint e = t + i * 256;
        const int k = next + e / 8;
        br[i] = (e < 352 && k < 64) ? *(global const float4*)(x1 + b_line[i] + (long)k * 32) : (float4)(0);
      }
    }
    UNROLL_BY_4
    for (int k = 0; k < 11; k++) {
      local const float4* pa = (local const float4*)(as + (buffer * 44 + slice * 11 + k) * 36);
      const float4 b = ((local const float4*)(bs + (buffer * 44 + slice * 11 + k) * 32))[tx];
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
    if (next < 64) {
      UNROLL
      for (int i = 0; i < 2; i++) {
        const uint e = t + i * 256;
        const int line = e / 11, k = e % 11 * 4;
        if (e >= 352) continue;
        local float* p = as + (buffer * 44 + k) * 36 + line;
        p[0] = ar[i].x;
        p[36] = ar[i].y;
        p[72] = ar[i].z;
        p[108] = ar[i].w;
      }
      UNROLL
      for (int i = 0; i < 2; i++) {
        const uint e = t + i * 256;
        const int line = e % 8 * 4, k = e / 8;
        if (e >= 352) continue;
        local float* p = bs + (buffer * 44 + k) * 32 + line;
        *(local float4*)p = br[i];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  local float4* sums = (local float4*)as;
  UNROLL
  for (int i = 0; i < 4; i++) {
    if (i != slice) sums[(i * 3 + slice - (slice > i)) * 64 + place] = c[i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 own = c[0];
  UNROLL
  for (int i = 1; i < 4; i++) {
    if (i == slice) own = c[i];
  }
  float4 four = slice == 0 ? own : sums[slice * 3 * 64 + place];
  UNROLL
  for (int i = 1; i < 4; i++) {
    four += i == slice ? own : sums[(slice * 3 + i - (i > slice)) * 64 + place];
  }
  const long m = m0 + ty * 4 + slice;
  if (m < (8*(long)n)) {
    const long i0 = m / 8;
    const uint i0_rest = (uint)(m % 8);
    const long i1 = i0_rest % 8u;
    const long col0 = j0 + tx * 4;
    if (col0 < 32) {
      {
        const long col = col0 + 0;
        const float result = four.x;
        four.x = max_float(((result) + (x2[(i0)*256 + (i1)*32 + col])), 0.0f);
      }
      {
        const long col = col0 + 1;
        const float result = four.y;
        four.y = max_float(((result) + (x2[(i0)*256 + (i1)*32 + col])), 0.0f);
      }
      {
        const long col = col0 + 2;
        const float result = four.z;
        four.z = max_float(((result) + (x2[(i0)*256 + (i1)*32 + col])), 0.0f);
      }
      {
        const long col = col0 + 3;
        const float result = four.w;
        four.w = max_float(((result) + (x2[(i0)*256 + (i1)*32 + col])), 0.0f);
      }
      const long col = col0;
      *(global float4*)(y + (i0)*256 + (i1)*32 + col) = four;
    }
  }
  GROUP_END
}

