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
// A work item owns 4 elements of the result that are neighbours in memory: their place is worked out once, and
// they are loaded and stored 16 bytes at a time, next to those of the neighbouring work items.
kernel __attribute__((reqd_work_group_size(128,1,1))) void convert_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= (1024*(long)n)) return;
  const long i0 = item / 1024;
  const uint i0_rest = (uint)(item % 1024);
  const long i2 = i0_rest / 128u % 8u;
  const long i3 = i0_rest / 16u % 8u;
  const long part = i0_rest % 16u;
  const long i1 = part * 4;
  float4 r0;
  {
    r0.x = x0[(i0)*4096 + (i1)*64 + (i2)*8 + i3];
  }
  {
    r0.y = x0[(i0)*4096 + ((i1 + 1))*64 + (i2)*8 + i3];
  }
  {
    r0.z = x0[(i0)*4096 + ((i1 + 2))*64 + (i2)*8 + i3];
  }
  {
    r0.w = x0[(i0)*4096 + ((i1 + 3))*64 + (i2)*8 + i3];
  }
  *(global float4*)(y + (i0)*4096 + i1 + (i2)*512 + (i3)*64) = r0;
}

// A work-group of 32 work items owns 8 tiles of 2 x 2 results, with 16 of their channels.
// Winograd's form F(2 x 2, 3 x 3): of each tile sixteen products in place of thirty-six.
//
// for eight input channels at a time
//   x: 4 x 4 inputs of a tile -> vs: [channel][product][tile]
//   w: 3 x 3 weights          -> us: [channel][product][output channel]
//   a work item has one product of 8 x 8 tiles and output channels, in registers:  acc += vs * us
// acc -> local memory, a quarter of the tiles at a time -> 2 x 2 results of a tile and channel
kernel __attribute__((reqd_work_group_size(32,1,1))) void conv_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  const int t = get_local_id(0);
  const long m0 = ((long)first + get_group_id(0)) * 8;
  const int j0 = get_group_id(1) * 16;
  const int product = t / 2, down = t % 2 / 2, over = t % 2 % 2;
  local float panels[3072] __attribute__((aligned(16)));
  local float* vs = panels;
  local float* us = panels + 1024;
  const int flipTile = (product & 1) * 0, flipColumn = (product & 1) * 0;
  int inside[2];
  long at[2];
  UNROLL
  for (int i = 0; i < 2; i++) {
    const int channel = (t + i * 32) % 8;
    const long m = m0 + (t + i * 32) / 8;
    const long image = m / 16;
    const uint rest = (uint)(m % 16);
    const long ty = rest / 4u, tx = rest % 4u;
    const long iy = 2 * ty - 1, ix = 2 * tx - 1;
    inside[i] = 0;
    UNROLL
    for (int j = 0; j < 16; j++) {
      inside[i] |= (m < (16*(long)n) && (ulong)(iy + j / 4) < 8UL && (ulong)(ix + j % 4) < 8UL) << j;
    }
    at[i] = (image)*4096 + channel + (iy)*512 + (ix)*64;
  }
  float d[32];
  float g[36];
  UNROLL
  for (int i = 0; i < 2; i++) {
    UNROLL
    for (int j = 0; j < 16; j++) d[16 * i + j] = inside[i] >> j & 1 ? x0[at[i] + 0 + j / 4 * 512L + j % 4 * 64L] : 0.0f;
  }
  UNROLL
  for (int i = 0; i < 4; i++) {
    const int e = t + i * 32;
    const int k = e % 16, c = 0 + e / 16;
    UNROLL
    for (int tap = 0; tap < 9; tap++) g[9 * i + tap] = 1 ? x1[(tap * 64L + c) * 64 + j0 + k] : 0.0f;
  }
  float4 acc[16];
  UNROLL
  for (int i = 0; i < 16; i++) acc[i] = (float4)(0);
  for (int c0 = 0; c0 < 64; c0 += 8) {
    UNROLL
    for (int i = 0; i < 2; i++) {
      const int channel = (t + i * 32) % 8, tile = (t + i * 32) / 8;
      const int even = tile ^ (channel * 4 & 7), odd = even ^ 0;
      UNROLL
      for (int part = 0; part < 4; part++) {
        float w[4];
        UNROLL
        for (int j = 0; j < 4; j++) {
          const int k = 16 * i + j;
          w[j] = part == 0 ? d[k] - d[k + 8] : part == 1 ? d[k + 4] + d[k + 8] : part == 2 ? d[k + 8] - d[k + 4] : d[k + 4] - d[k + 12];
        }
        local float* row = vs + (channel * 16 + part * 4) * 8;
        row[even] = w[0] - w[2];
        row[8 + odd] = w[1] + w[2];
        row[2 * 8 + even] = w[2] - w[1];
        row[3 * 8 + odd] = w[1] - w[3];
      }
    }
    UNROLL
    for (int i = 0; i < 4; i++) {
      const int e = t + i * 32;
      float r[12];
      UNROLL
      for (int j = 0; j < 3; j++) {
        const float ends = 0.5f * (g[9 * i + j] + g[9 * i + 6 + j]), middle = 0.5f * g[9 * i + 3 + j];
        r[j] = g[9 * i + j];
        r[3 + j] = ends + middle;
        r[6 + j] = ends - middle;
        r[9 + j] = g[9 * i + 6 + j];
      }
      const int even = e % 16, odd = even ^ 0;
      local float* to = us + e / 16 * 256;
      UNROLL
      for (int j = 0; j < 4; j++) {
        const float ends = 0.5f * (r[3 * j] + r[3 * j + 2]), middle = 0.5f * r[3 * j + 1];
        to[4 * j * 16 + even] = r[3 * j];
        to[(4 * j + 1) * 16 + odd] = ends + middle;
        to[(4 * j + 2) * 16 + even] = ends - middle;
        to[(4 * j + 3) * 16 + odd] = r[3 * j + 2];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (c0 + 8 < 64) {
      UNROLL
      for (int i = 0; i < 2; i++) {
        UNROLL
        for (int j = 0; j < 16; j++) d[16 * i + j] = inside[i] >> j & 1 ? x0[at[i] + c0 + 8 + j / 4 * 512L + j % 4 * 64L] : 0.0f;
      }
      UNROLL
      for (int i = 0; i < 4; i++) {
        const int e = t + i * 32;
        const int k = e % 16, c = c0 + 8 + e / 16;
        UNROLL
        for (int tap = 0; tap < 9; tap++) g[9 * i + tap] = 1 ? x1[(tap * 64L + c) * 64 + j0 + k] : 0.0f;
      }
    }
    UNROLL_BY_4
    for (int c = 0; c < 8; c++) {
      local const float* v = vs + (c * 16 + product) * 8;
      local const float* u = us + (c * 16 + product) * 16;
      const int flip = (c * 4 & 7) ^ flipTile;
      const float4 a0 = *(local const float4*)(v + ((down * 4) ^ flip));
      const float4 a1 = *(local const float4*)(v + ((4 + down * 4) ^ flip));
      const float4 b0 = *(local const float4*)(u + ((over * 4) ^ flipColumn));
      const float4 b1 = *(local const float4*)(u + ((8 + over * 4) ^ flipColumn));
      acc[0] = fma((float4)(a0.x), b0, acc[0]);
      acc[1] = fma((float4)(a0.x), b1, acc[1]);
      acc[2] = fma((float4)(a0.y), b0, acc[2]);
      acc[3] = fma((float4)(a0.y), b1, acc[3]);
      acc[4] = fma((float4)(a0.z), b0, acc[4]);
      acc[5] = fma((float4)(a0.z), b1, acc[5]);
      acc[6] = fma((float4)(a0.w), b0, acc[6]);
      acc[7] = fma((float4)(a0.w), b1, acc[7]);
      acc[8] = fma((float4)(a1.x), b0, acc[8]);
      acc[9] = fma((float4)(a1.x), b1, acc[9]);
      acc[10] = fma((float4)(a1.y), b0, acc[10]);
      acc[11] = fma((float4)(a1.y), b1, acc[11]);
      acc[12] = fma((float4)(a1.z), b0, acc[12]);
      acc[13] = fma((float4)(a1.z), b1, acc[13]);
      acc[14] = fma((float4)(a1.w), b0, acc[14]);
      acc[15] = fma((float4)(a1.w), b1, acc[15]);
  
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  local float* es = panels;
  UNROLL
  for (int round = 0; round < 4; round++) {
    UNROLL
    for (int low = 0; low < 2; low++) {
      local float* to = es + (product * 2 + low * 1 + down) * 16 + over * 4;
      *(local float4*)to = acc[4 * round + 2 * low];
      *(local float4*)(to + 8) = acc[4 * round + 2 * low + 1];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int slot = t / 16;
    const int line = 2 * round + slot / 1;
    const long m = m0 + slot % 1 * 4 + (line < 4 ? line : 4 + line - 4);
    const long i1 = j0 + t % 16;
    if (m < (16*(long)n) && i1 < 64) {
      const long image = m / 16;
      const uint rest = (uint)(m % 16);
      const long ty = rest / 4u, tx = rest % 4u;
      const long i0 = image;
      local const float* from = es + slot * 16 + t % 16;
      float s[8];
      UNROLL
      for (int j = 0; j < 4; j++) {
        const float p0 = from[j * 32], p1 = from[(4 + j) * 32];
        const float p2 = from[(8 + j) * 32], p3 = from[(12 + j) * 32];
        s[j] = p0 + p1 + p2;
        s[4 + j] = p1 - p2 - p3;
      }
      float done[4];
      UNROLL
      for (int p = 0; p < 4; p++) {
        const float* r = s + p / 2 * 4;
        const long i2 = 2 * ty + p / 2, i3 = 2 * tx + p % 2;
        const float result = p % 2 ? r[1] - r[2] - r[3] : r[0] + r[1] + r[2];
        if (i2 < 8 && i3 < 8) done[p] = max_float(result, 0.0f);
      }
      UNROLL
      for (int p = 0; p < 4; p++) {
        const long i2 = 2 * ty + p / 2, i3 = 2 * tx + p % 2;
        if (i2 < 8 && i3 < 8) {
          y[(i0)*4096 + (i1)*64 + (i2)*8 + i3] = done[p];
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  GROUP_END
}

// A work-group of 128 work items owns 16 tiles of 2 x 2 results, with 32 of their channels.
// Winograd's form F(2 x 2, 3 x 3): of each tile sixteen products in place of thirty-six.
//
// for eight input channels at a time
//   x: 4 x 4 inputs of a tile -> vs: [channel][product][tile]
//   w: 3 x 3 weights          -> us: [channel][product][output channel]
//   a work item has one product of 8 x 8 tiles and output channels, in registers:  acc += vs * us
// acc -> local memory, a quarter of the tiles at a time -> 2 x 2 results of a tile and channel
kernel __attribute__((reqd_work_group_size(128,1,1))) void conv_2(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  const int t = get_local_id(0);
  const long m0 = ((long)first + get_group_id(0)) * 16;
  const int j0 = get_group_id(1) * 32;
  const int product = t / 8, down = t % 8 / 4, over = t % 8 % 4;
  local float panels[6144] __attribute__((aligned(16)));
  local float* vs = panels;
  local float* us = panels + 2048;
  const int flipTile = (product & 1) * 0, flipColumn = (product & 1) * 16;
  int inside[1];
  long at[1];
  UNROLL
  for (int i = 0; i < 1; i++) {
    const int channel = (t + i * 128) % 8;
    const long m = m0 + (t + i * 128) / 8;
    const long image = m / 16;
    const uint rest = (uint)(m % 16);
    const long ty = rest / 4u, tx = rest % 4u;
    const long iy = 2 * ty - 1, ix = 2 * tx - 1;
    inside[i] = 0;
    UNROLL
    for (int j = 0; j < 16; j++) {
      inside[i] |= (m < (16*(long)n) && (ulong)(iy + j / 4) < 8UL && (ulong)(ix + j % 4) < 8UL) << j;
    }
    at[i] = (image)*4096 + channel + (iy)*512 + (ix)*64;
  }
  float d[16];
  float g[18];
  UNROLL
  for (int i = 0; i < 1; i++) {
    UNROLL
    for (int j = 0; j < 16; j++) d[16 * i + j] = inside[i] >> j & 1 ? x0[at[i] + 0 + j / 4 * 512L + j % 4 * 64L] : 0.0f;
  }
  UNROLL
  for (int i = 0; i < 2; i++) {
    const int e = t + i * 128;
    const int k = e % 32, c = 0 + e / 32;
    UNROLL
    for (int tap = 0; tap < 9; tap++) g[9 * i + tap] = 1 ? x1[(tap * 64L + c) * 64 + j0 + k] : 0.0f;
  }
  float4 acc[16];
  UNROLL
  for (int i = 0; i < 16; i++) acc[i] = (float4)(0);
  for (int c0 = 0; c0 < 64; c0 += 8) {
    UNROLL
    for (int i = 0; i < 1; i++) {
      const int channel = (t + i * 128) % 8, tile = (t + i * 128) / 8;
      const int even = tile ^ (channel * 4 & 15), odd = even ^ 0;
      UNROLL
      for (int part = 0; part < 4; part++) {
        float w[4];
        UNROLL
        for (int j = 0; j < 4; j++) {
          const int k = 16 * i + j;
          w[j] = part == 0 ? d[k] - d[k + 8] : part == 1 ? d[k + 4] + d[k + 8] : part == 2 ? d[k + 8] - d[k + 4] : d[k + 4] - d[k + 12];
        }
        local float* row = vs + (channel * 16 + part * 4) * 16;
        row[even] = w[0] - w[2];
        row[16 + odd] = w[1] + w[2];
        row[2 * 16 + even] = w[2] - w[1];
        row[3 * 16 + odd] = w[1] - w[3];
      }
    }
    UNROLL
    for (int i = 0; i < 2; i++) {
      const int e = t + i * 128;
      float r[12];
      UNROLL
      for (int j = 0; j < 3; j++) {
        const float ends = 0.5f * (g[9 * i + j] + g[9 * i + 6 + j]), middle = 0.5f * g[9 * i + 3 + j];
        r[j] = g[9 * i + j];
        r[3 + j] = ends + middle;
        r[6 + j] = ends - middle;
        r[9 + j] = g[9 * i + 6 + j];
      }
      const int even = e % 32, odd = even ^ 16;
      local float* to = us + e / 32 * 512;
      UNROLL
      for (int j = 0; j < 4; j++) {
        const float ends = 0.5f * (r[3 * j] + r[3 * j + 2]), middle = 0.5f * r[3 * j + 1];
        to[4 * j * 32 + even] = r[3 * j];
        to[(4 * j + 1) * 32 + odd] = ends + middle;
        to[(4 * j + 2) * 32 + even] = ends - middle;
        to[(4 * j + 3) * 32 + odd] = r[3 * j + 2];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (c0 + 8 < 64) {
      UNROLL
      for (int i = 0; i < 1; i++) {
        UNROLL
        for (int j = 0; j < 16; j++) d[16 * i + j] = inside[i] >> j & 1 ? x0[at[i] + c0 + 8 + j / 4 * 512L + j % 4 * 64L] : 0.0f;
      }
      UNROLL
      for (int i = 0; i < 2; i++) {
        const int e = t + i * 128;
        const int k = e % 32, c = c0 + 8 + e / 32;
        UNROLL
        for (int tap = 0; tap < 9; tap++) g[9 * i + tap] = 1 ? x1[(tap * 64L + c) * 64 + j0 + k] : 0.0f;
      }
    }
    UNROLL_BY_4
    for (int c = 0; c < 8; c++) {
      local const float* v = vs + (c * 16 + product) * 16;
      local const float* u = us + (c * 16 + product) * 32;
      const int flip = (c * 4 & 15) ^ flipTile;
      const float4 a0 = *(local const float4*)(v + ((down * 4) ^ flip));
      const float4 a1 = *(local const float4*)(v + ((8 + down * 4) ^ flip));
      const float4 b0 = *(local const float4*)(u + ((over * 4) ^ flipColumn));
      const float4 b1 = *(local const float4*)(u + ((16 + over * 4) ^ flipColumn));
      acc[0] = fma((float4)(a0.x), b0, acc[0]);
      acc[1] = fma((float4)(a0.x), b1, acc[1]);
      acc[2] = fma((float4)(a0.y), b0, acc[2]);
      acc[3] = fma((float4)(a0.y), b1, acc[3]);
      acc[4] = fma((float4)(a0.z), b0, acc[4]);
      acc[5] = fma((float4)(a0.z), b1, acc[5]);
      acc[6] = fma((float4)(a0.w), b0, acc[6]);
      acc[7] = fma((float4)(a0.w), b1, acc[7]);
      acc[8] = fma((float4)(a1.x), b0, acc[8]);
      acc[9] = fma((float4)(a1.x), b1, acc[9]);
      acc[10] = fma((float4)(a1.y), b0, acc[10]);
      acc[11] = fma((float4)(a1.y), b1, acc[11]);
      acc[12] = fma((float4)(a1.z), b0, acc[12]);
      acc[13] = fma((float4)(a1.z), b1, acc[13]);
      acc[14] = fma((float4)(a1.w), b0, acc[14]);
      acc[15] = fma((float4)(a1.w), b1, acc[15]);
  
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  local float* es = panels;
  UNROLL
  for (int round = 0; round < 4; round++) {
    UNROLL
    for (int low = 0; low < 2; low++) {
      local float* to = es + (product * 4 + low * 2 + down) * 32 + over * 4;
      *(local float4*)to = acc[4 * round + 2 * low];
      *(local float4*)(to + 16) = acc[4 * round + 2 * low + 1];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int slot = t / 32;
    const int line = 2 * round + slot / 2;
    const long m = m0 + slot % 2 * 4 + (line < 4 ? line : 8 + line - 4);
    const long i1 = j0 + t % 32;
    if (m < (16*(long)n) && i1 < 64) {
      const long image = m / 16;
      const uint rest = (uint)(m % 16);
      const long ty = rest / 4u, tx = rest % 4u;
      const long i0 = image;
      local const float* from = es + slot * 32 + t % 32;
      float s[8];
      UNROLL
      for (int j = 0; j < 4; j++) {
        const float p0 = from[j * 128], p1 = from[(4 + j) * 128];
        const float p2 = from[(8 + j) * 128], p3 = from[(12 + j) * 128];
        s[j] = p0 + p1 + p2;
        s[4 + j] = p1 - p2 - p3;
      }
      float done[4];
      UNROLL
      for (int p = 0; p < 4; p++) {
        const float* r = s + p / 2 * 4;
        const long i2 = 2 * ty + p / 2, i3 = 2 * tx + p % 2;
        const float result = p % 2 ? r[1] - r[2] - r[3] : r[0] + r[1] + r[2];
        if (i2 < 8 && i3 < 8) done[p] = max_float(result, 0.0f);
      }
      UNROLL
      for (int p = 0; p < 4; p++) {
        const long i2 = 2 * ty + p / 2, i3 = 2 * tx + p % 2;
        if (i2 < 8 && i3 < 8) {
          y[(i0)*4096 + (i1)*64 + (i2)*8 + i3] = done[p];
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  GROUP_END
}

// A work-group of 256 work items owns 32 tiles of 2 x 2 results, with 32 of their channels.
// Winograd's form F(2 x 2, 3 x 3): of each tile sixteen products in place of thirty-six.
//
// for eight input channels at a time
//   x: 4 x 4 inputs of a tile -> vs: [channel][product][tile]
//   w: 3 x 3 weights          -> us: [channel][product][output channel]
//   a work item has one product of 8 x 8 tiles and output channels, in registers:  acc += vs * us
// acc -> local memory, a quarter of the tiles at a time -> 2 x 2 results of a tile and channel
kernel __attribute__((reqd_work_group_size(256,1,1))) void conv_3(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  const int t = get_local_id(0);
  const long m0 = ((long)first + get_group_id(0)) * 32;
  const int j0 = get_group_id(1) * 32;
  const int product = t / 16, down = t % 16 / 4, over = t % 16 % 4;
  local float panels[8192] __attribute__((aligned(16)));
  local float* vs = panels;
  local float* us = panels + 4096;
  const int flipTile = (product & 1) * 16, flipColumn = (product & 1) * 16;
  int inside[1];
  long at[1];
  UNROLL
  for (int i = 0; i < 1; i++) {
    const int channel = (t + i * 256) % 8;
    const long m = m0 + (t + i * 256) / 8;
    const long image = m / 16;
    const uint rest = (uint)(m % 16);
    const long ty = rest / 4u, tx = rest % 4u;
    const long iy = 2 * ty - 1, ix = 2 * tx - 1;
    inside[i] = 0;
    UNROLL
    for (int j = 0; j < 16; j++) {
      inside[i] |= (m < (16*(long)n) && (ulong)(iy + j / 4) < 8UL && (ulong)(ix + j % 4) < 8UL) << j;
    }
    at[i] = (image)*4096 + channel + (iy)*512 + (ix)*64;
  }
  float d[16];
  float g[9];
  UNROLL
  for (int i = 0; i < 1; i++) {
    UNROLL
    for (int j = 0; j < 16; j++) d[16 * i + j] = inside[i] >> j & 1 ? x0[at[i] + 0 + j / 4 * 512L + j % 4 * 64L] : 0.0f;
  }
  UNROLL
  for (int i = 0; i < 1; i++) {
    const int e = t + i * 256;
    const int k = e % 32, c = 0 + e / 32;
    UNROLL
    for (int tap = 0; tap < 9; tap++) g[9 * i + tap] = 1 ? x1[(tap * 64L + c) * 64 + j0 + k] : 0.0f;
  }
  float4 acc[16];
  UNROLL
  for (int i = 0; i < 16; i++) acc[i] = (float4)(0);
  for (int c0 = 0; c0 < 64; c0 += 8) {
    UNROLL
    for (int i = 0; i < 1; i++) {
      const int channel = (t + i * 256) % 8, tile = (t + i * 256) / 8;
      const int even = tile ^ (channel * 4 & 31), odd = even ^ 16;
      UNROLL
      for (int part = 0; part < 4; part++) {
        float w[4];
        UNROLL
        for (int j = 0; j < 4; j++) {
          const int k = 16 * i + j;
          w[j] = part == 0 ? d[k] - d[k + 8] : part == 1 ? d[k + 4] + d[k + 8] : part == 2 ? d[k + 8] - d[k + 4] : d[k + 4] - d[k + 12];
        }
        local float* row = vs + (channel * 16 + part * 4) * 32;
        row[even] = w[0] - w[2];
        row[32 + odd] = w[1] + w[2];
        row[2 * 32 + even] = w[2] - w[1];
        row[3 * 32 + odd] = w[1] - w[3];
      }
    }
    UNROLL
    for (int i = 0; i < 1; i++) {
      const int e = t + i * 256;
      float r[12];
      UNROLL
      for (int j = 0; j < 3; j++) {
        const float ends = 0.5f * (g[9 * i + j] + g[9 * i + 6 + j]), middle = 0.5f * g[9 * i + 3 + j];
        r[j] = g[9 * i + j];
        r[3 + j] = ends + middle;
        r[6 + j] = ends - middle;
        r[9 + j] = g[9 * i + 6 + j];
      }
      const int even = e % 32, odd = even ^ 16;
      local float* to = us + e / 32 * 512;
      UNROLL
      for (int j = 0; j < 4; j++) {
        const float ends = 0.5f * (r[3 * j] + r[3 * j + 2]), middle = 0.5f * r[3 * j + 1];
        to[4 * j * 32 + even] = r[3 * j];
        to[(4 * j + 1) * 32 + odd] = ends + middle;
        to[(4 * j + 2) * 32 + even] = ends - middle;
        to[(4 * j + 3) * 32 + odd] = r[3 * j + 2];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (c0 + 8 < 64) {
      UNROLL
      for (int i = 0; i < 1; i++) {
        UNROLL
        for (int j = 0; j < 16; j++) d[16 * i + j] = inside[i] >> j & 1 ? x0[at[i] + c0 + 8 + j / 4 * 512L + j % 4 * 64L] : 0.0f;
      }
      UNROLL
      for (int i = 0; i < 1; i++) {
        const int e = t + i * 256;
        const int k = e % 32, c = c0 + 8 + e / 32;
        UNROLL
        for (int tap = 0; tap < 9; tap++) g[9 * i + tap] = 1 ? x1[(tap * 64L + c) * 64 + j0 + k] : 0.0f;
      }
    }
    UNROLL_BY_4
    for (int c = 0; c < 8; c++) {
      local const float* v = vs + (c * 16 + product) * 32;
      local const float* u = us + (c * 16 + product) * 32;
      const int flip = (c * 4 & 31) ^ flipTile;
      const float4 a0 = *(local const float4*)(v + ((down * 4) ^ flip));
      const float4 a1 = *(local const float4*)(v + ((16 + down * 4) ^ flip));
      const float4 b0 = *(local const float4*)(u + ((over * 4) ^ flipColumn));
      const float4 b1 = *(local const float4*)(u + ((16 + over * 4) ^ flipColumn));
      acc[0] = fma((float4)(a0.x), b0, acc[0]);
      acc[1] = fma((float4)(a0.x), b1, acc[1]);
      acc[2] = fma((float4)(a0.y), b0, acc[2]);
      acc[3] = fma((float4)(a0.y), b1, acc[3]);
      acc[4] = fma((float4)(a0.z), b0, acc[4]);
      acc[5] = fma((float4)(a0.z), b1, acc[5]);
      acc[6] = fma((float4)(a0.w), b0, acc[6]);
      acc[7] = fma((float4)(a0.w), b1, acc[7]);
      acc[8] = fma((float4)(a1.x), b0, acc[8]);
      acc[9] = fma((float4)(a1.x), b1, acc[9]);
      acc[10] = fma((float4)(a1.y), b0, acc[10]);
      acc[11] = fma((float4)(a1.y), b1, acc[11]);
      acc[12] = fma((float4)(a1.z), b0, acc[12]);
      acc[13] = fma((float4)(a1.z), b1, acc[13]);
      acc[14] = fma((float4)(a1.w), b0, acc[14]);
      acc[15] = fma((float4)(a1.w), b1, acc[15]);
  
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  local float* es = panels;
  UNROLL
  for (int round = 0; round < 4; round++) {
    UNROLL
    for (int low = 0; low < 2; low++) {
      local float* to = es + (product * 8 + low * 4 + down) * 32 + over * 4;
      *(local float4*)to = acc[4 * round + 2 * low];
      *(local float4*)(to + 16) = acc[4 * round + 2 * low + 1];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int slot = t / 32;
    const int line = 2 * round + slot / 4;
    const long m = m0 + slot % 4 * 4 + (line < 4 ? line : 16 + line - 4);
    const long i1 = j0 + t % 32;
    if (m < (16*(long)n) && i1 < 64) {
      const long image = m / 16;
      const uint rest = (uint)(m % 16);
      const long ty = rest / 4u, tx = rest % 4u;
      const long i0 = image;
      local const float* from = es + slot * 32 + t % 32;
      float s[8];
      UNROLL
      for (int j = 0; j < 4; j++) {
        const float p0 = from[j * 256], p1 = from[(4 + j) * 256];
        const float p2 = from[(8 + j) * 256], p3 = from[(12 + j) * 256];
        s[j] = p0 + p1 + p2;
        s[4 + j] = p1 - p2 - p3;
      }
      float done[4];
      UNROLL
      for (int p = 0; p < 4; p++) {
        const float* r = s + p / 2 * 4;
        const long i2 = 2 * ty + p / 2, i3 = 2 * tx + p % 2;
        const float result = p % 2 ? r[1] - r[2] - r[3] : r[0] + r[1] + r[2];
        if (i2 < 8 && i3 < 8) done[p] = max_float(result, 0.0f);
      }
      UNROLL
      for (int p = 0; p < 4; p++) {
        const long i2 = 2 * ty + p / 2, i3 = 2 * tx + p % 2;
        if (i2 < 8 && i3 < 8) {
          y[(i0)*4096 + (i1)*64 + (i2)*8 + i3] = done[p];
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  GROUP_END
}

