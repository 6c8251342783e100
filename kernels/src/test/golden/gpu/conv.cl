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
// A work-group of 64 work items owns 32 x 32 elements of C = A x B; a work item 4 x 4 of them, in registers.
//
//                           j0 + tx * 4
//                     bs: +-------------+
//                 28 of B |      b      |  one float4 for all rows of a work item
//                         +-------------+
//         as: 28 of A
//          +-----+        +-------------+
//   m0 +   |     |        |  c[0].xyzw  |
//   ty * 4 |  a  |        |  ...        |  c[4 * i + j] += a.j * b
//          |     |        |  c[3].xyzw  |
//          +-----+        +-------------+
//
// A: the windows of output pixels, a pixel a line, which are never made; channels not innermost.
// B: a matrix, its lines innermost.
// Both panels are in local memory twice: while one is multiplied, the next is on its way in registers.
// as is transposed and 36 floats apart, so that four rows are one read and neighbours are in other banks.
kernel __attribute__((reqd_work_group_size(64,1,1))) void conv_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global const float* x2 = (global const float*)(pool + o2);
  global float* y = (global float*)(pool + o3);
  const int t = get_local_id(0);
  const int tx = t % 8, ty = t / 8;
  const long m0 = ((long)first + get_group_id(0)) * 32;
  const int j0 = get_group_id(1) * 32;
  local float as[2016] __attribute__((aligned(16)));
  float ar[14];
  long a_image[14];
  int a_y[14], a_x[14];
  UNROLL
  for (int i = 0; i < 14; i++) {
    const uint e = t + i * 64;
    const int line = e % 32;
    const long m = m0 + line;
    const uint pixel = (uint)(m % 64);
    a_y[i] = m < (64*(long)n) ? (int)(pixel / 8u) * 1 - 1 : -268435456;
    a_x[i] = (int)(pixel % 8u) * 1 - 1;
    a_image[i] = 0 + m / 64 * 192 + ((long)a_y[i] * 8 + (long)a_x[i] * 1);
  }
  local int taps_near[28], taps_place[28];
  for (int k = t; k < 28; k += 64) {
    const int tap = k / 3;
    const int dy = tap / 3 * 1, dx = tap % 3 * 1;
    const long place = (long)dy * 8 + (long)dx * 1 + (long)(k % 3) * 64;
    taps_near[k] = dy << 16 | dx;
    taps_place[k] = (int)place;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  local float bs[1792] __attribute__((aligned(16)));
  float4 br[4];
  long b_line[4];
  UNROLL
  for (int i = 0; i < 4; i++) {
    const uint e = t + i * 64;
    const int line = e % 8 * 4;
    b_line[i] = 0 + (j0 + line) * 1L;
  }
  float4 c[4];
  UNROLL
  for (int i = 0; i < 4; i++) c[i] = (float4)(0);
  UNROLL
  for (int i = 0; i < 14; i++) {
    const uint e = t + i * 64;
    const int k = 0 + e / 32;
    const int iy = a_y[i] + (taps_near[k] >> 16), ix = a_x[i] + (taps_near[k] & 0xffff);
    ar[i] = ((uint)iy < 8u && (uint)ix < 8u && k < 27) ? x0[a_image[i] + taps_place[k]] : (float)0;
  }
  UNROLL
  for (int i = 0; i < 4; i++) {
    const uint e = t + i * 64;
    const int k = 0 + e / 8;
    br[i] = (e < 224 && k < 27) ? *(global const float4*)(x1 + b_line[i] + (long)k * 32) : (float4)(0);
  }
  UNROLL
  for (int i = 0; i < 14; i++) {
    const uint e = t + i * 64;
    const int line = e % 32, k = e / 32;
    local float* p = as + (0 * 28 + k) * 36 + line;
    p[0] = ar[i];
  }
  UNROLL
  for (int i = 0; i < 4; i++) {
    const uint e = t + i * 64;
    const int line = e % 8 * 4, k = e / 8;
    if (e >= 224) continue;
    local float* p = bs + (0 * 28 + k) * 32 + line;
    *(local float4*)p = br[i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int buffer = 0;
  #pragma unroll 1
  for (int k0 = 0; k0 < 27; k0 += 28) {
    const int next = k0 + 28;
    if (next < 27) {
      UNROLL
      for (int i = 0; i < 14; i++) {
        const uint e = t + i * 64;
        const int k = next + e / 32;
        const int iy = a_y[i] + (taps_near[k] >> 16), ix = a_x[i] + (taps_near[k] & 0xffff);
        ar[i] = ((uint)iy < 8u && (uint)ix < 8u && k < 27) ? x0[a_image[i] + taps_place[k]] : (float)0;
      }
      UNROLL
      for (int i = 0; i < 4; i++) {
        const uint e = t + i * 64;
        const int k = next + e / 8;
        br[i] = (e < 224 && k < 27) ? *(global const float4*)(x1 + b_line[i] + (long)k * 32) : (float4)(0);
      }
    }
    UNROLL_BY_4
    for (int k = 0; k < 28; k++) {
      local const float4* pa = (local const float4*)(as + (buffer * 28 + k) * 36);
      const float4 b = ((local const float4*)(bs + (buffer * 28 + k) * 32))[tx];
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
    if (next < 27) {
      UNROLL
      for (int i = 0; i < 14; i++) {
        const uint e = t + i * 64;
        const int line = e % 32, k = e / 32;
        local float* p = as + (buffer * 28 + k) * 36 + line;
        p[0] = ar[i];
      }
      UNROLL
      for (int i = 0; i < 4; i++) {
        const uint e = t + i * 64;
        const int line = e % 8 * 4, k = e / 8;
        if (e >= 224) continue;
        local float* p = bs + (buffer * 28 + k) * 32 + line;
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
      if (col0 + 0 < 32) {
        const long col = col0 + 0;
        y[(i0)*2048 + (col)*64 + (i2)*8 + i3] = max_float(((c[i].x) + (x2[col])), 0.0f);
      }
      if (col0 + 1 < 32) {
        const long col = col0 + 1;
        y[(i0)*2048 + (col)*64 + (i2)*8 + i3] = max_float(((c[i].y) + (x2[col])), 0.0f);
      }
      if (col0 + 2 < 32) {
        const long col = col0 + 2;
        y[(i0)*2048 + (col)*64 + (i2)*8 + i3] = max_float(((c[i].z) + (x2[col])), 0.0f);
      }
      if (col0 + 3 < 32) {
        const long col = col0 + 3;
        y[(i0)*2048 + (col)*64 + (i2)*8 + i3] = max_float(((c[i].w) + (x2[col])), 0.0f);
      }
    }
  }
  GROUP_END
}

