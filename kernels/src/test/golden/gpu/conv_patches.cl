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
  if (item >= (3136*(long)n)) return;
  const long i0 = item / 3136;
  const uint i0_rest = (uint)(item % 3136);
  const long i2 = i0_rest / 112u % 28u;
  const long i3 = i0_rest / 4u % 28u;
  const long part = i0_rest % 4u;
  const long i1 = part * 4;
  float4 r0;
  {
    r0.x = x0[(i0)*12544 + (i1)*784 + (i2)*28 + i3];
  }
  {
    r0.y = x0[(i0)*12544 + ((i1 + 1))*784 + (i2)*28 + i3];
  }
  {
    r0.z = x0[(i0)*12544 + ((i1 + 2))*784 + (i2)*28 + i3];
  }
  {
    r0.w = x0[(i0)*12544 + ((i1 + 3))*784 + (i2)*28 + i3];
  }
  *(global float4*)(y + (i0)*12544 + i1 + (i2)*448 + (i3)*16) = r0;
}

// A work-group of 96 work items owns 32 patches of 2 x 2 pixels, with 12 of their channels; a work item
// has four channels of a patch, in registers.
//
// for four input channels at a time
//   as: [channel][patch][4 lines][4 pixels]  what the windows of each patch cover
//   bs: [channel][tap][output channel]
//   of each channel:  a work item reads its patch's 4 x 4 inputs, and of each of 9 taps four weights for all 4 pixels
// What comes next is on its way in registers while this is multiplied. Patches are 20 floats apart, so that neighbours are in
// other banks.
kernel __attribute__((reqd_work_group_size(96,1,1))) void conv_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  const int t = get_local_id(0);
  const int own = t / 3, quad = t % 3 * 4;
  const long m0 = ((long)first + get_group_id(0)) * 32;
  const int j0 = get_group_id(1) * 12;
  const uint patchesOfLine = 14, patchesOfImage = 14 * patchesOfLine;
  const long all = (long)patchesOfImage * ((long)n);
  const int count = all - m0 < 32 ? (int)(all - m0) : 32;
  const long image0 = m0 / patchesOfImage;
  const uint place0 = (uint)(m0 % patchesOfImage);
  const long from = (image0)*12544;
  local float as[2560] __attribute__((aligned(16)));
  local float bs[432] __attribute__((aligned(16)));
  int at[6];
  int to[6];
  UNROLL
  for (int i = 0; i < 6; i++) {
    const int e = t + i * 96;
    const int patch = e / 16, line = e % 16 / 4, column = e % 4;
    const uint place = place0 + patch;
    const int image = place / patchesOfImage;
    const int down = place % patchesOfImage / patchesOfLine, across = place % patchesOfImage % patchesOfLine;
    const int iy = down * 2 - 1 + line, ix = across * 2 - 1 + column;
    const bool inside = patch < count && (uint)iy < 28u && (uint)ix < 28u;
    at[i] = inside ? image * 12544 + iy * 448 + ix * 16 : -1;
    to[i] = patch * 20 + line * 4 + column;
  }
  float4 a[6];
  float4 b[2];
  float4 acc[4];
  UNROLL
  for (int i = 0; i < 4; i++) acc[i] = (float4)(0);
  UNROLL
  for (int i = 0; i < 6; i++) {
    a[i] = at[i] >= 0 ? *(global const float4*)(x0 + from + at[i] + 0) : (float4)(0);
  }
  UNROLL
  for (int i = 0; i < 2; i++) {
    const int e = t + i * 96;
    const int tap = e / 3 / 4, c = 0 + e / 3 % 4;
    b[i] = e >= 108 ? (float4)(0) : *(global const float4*)(x1 + (tap * 16L + c) * 12L + j0 + e % 3 * 4);
  }
  #pragma unroll 1
  for (int c0 = 0; c0 < 16; c0 += 4) {
    UNROLL
    for (int i = 0; i < 6; i++) {
      if (t + i * 96 >= 512) continue;
      local float* p = as + to[i];
      p[0] = a[i].x;
      p[640] = a[i].y;
      p[2 * 640] = a[i].z;
      p[3 * 640] = a[i].w;
    }
    UNROLL
    for (int i = 0; i < 2; i++) {
      const int e = t + i * 96;
      if (e >= 108) continue;
      const int tap = e / 3 / 4, c = e / 3 % 4;
      *(local float4*)(bs + (c * 9 + tap) * 12 + e % 3 * 4) = b[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (c0 + 4 < 16) {
      UNROLL
      for (int i = 0; i < 6; i++) {
        a[i] = at[i] >= 0 ? *(global const float4*)(x0 + from + at[i] + c0 + 4) : (float4)(0);
      }
      UNROLL
      for (int i = 0; i < 2; i++) {
        const int e = t + i * 96;
        const int tap = e / 3 / 4, c = c0 + 4 + e / 3 % 4;
        b[i] = e >= 108 ? (float4)(0) : *(global const float4*)(x1 + (tap * 16L + c) * 12L + j0 + e % 3 * 4);
      }
    }
    #pragma unroll 1
    for (int c = 0; c < 4; c++) {
      local const float* x = as + c * 640 + own * 20;
      local const float* w = bs + c * 9 * 12 + quad;
      float v[16];
      UNROLL
      for (int line = 0; line < 4; line++) {
        {
          const float4 four = *(local const float4*)(x + line * 4 + 0);
          v[line * 4 + 0] = four.x;
          v[line * 4 + 0 + 1] = four.y;
          v[line * 4 + 0 + 2] = four.z;
          v[line * 4 + 0 + 3] = four.w;
        }
      }
      UNROLL
      for (int tap = 0; tap < 9; tap++) {
        const float4 weight = *(local const float4*)(w + tap * 12);
        UNROLL
        for (int i = 0; i < 4; i++) {
          acc[i] = fma((float4)(v[(i / 2 + tap / 3) * 4 + i % 2 + tap % 3]), weight, acc[i]);
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (own < count) {
    const int patch = own;
    const uint place = place0 + patch;
    const int image = place / patchesOfImage;
    const int down = place % patchesOfImage / patchesOfLine, across = place % patchesOfImage % patchesOfLine;
    const long i0 = image0 + image;
    const long i1 = j0 + quad;
    UNROLL
    for (int i = 0; i < 4; i++) {
      const long i2 = down * 2 + i / 2, i3 = across * 2 + i % 2;
      float4 r;
      {
        const float result = acc[i].x;
        r.x = max_float(result, 0.0f);
      }
      {
        const float result = acc[i].y;
        r.y = max_float(result, 0.0f);
      }
      {
        const float result = acc[i].z;
        r.z = max_float(result, 0.0f);
      }
      {
        const float result = acc[i].w;
        r.w = max_float(result, 0.0f);
      }
      acc[i] = r;
    }
    UNROLL
    for (int i = 0; i < 4; i++) {
      const long i2 = down * 2 + i / 2, i3 = across * 2 + i % 2;
      *(global float4*)(y + (i0)*9408 + i1 + (i2)*336 + (i3)*12) = acc[i];
    }
  }
  GROUP_END
}

// A work-group of 96 work items owns 32 patches of 2 x 4 pixels, with 12 of their channels; a work item
// has four channels of a patch, in registers.
//
// for four input channels at a time
//   as: [channel][patch][4 lines][6 pixels]  what the windows of each patch cover
//   bs: [channel][tap][output channel]
//   of each channel:  a work item reads its patch's 4 x 6 inputs, and of each of 9 taps four weights for all 8 pixels
// What comes next is on its way in registers while this is multiplied. Patches are 36 floats apart, so that neighbours are in
// other banks.
kernel __attribute__((reqd_work_group_size(96,1,1))) void conv_2(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  const int t = get_local_id(0);
  const int own = t / 3, quad = t % 3 * 4;
  const long m0 = ((long)first + get_group_id(0)) * 32;
  const int j0 = get_group_id(1) * 12;
  const uint patchesOfLine = 7, patchesOfImage = 14 * patchesOfLine;
  const long all = (long)patchesOfImage * ((long)n);
  const int count = all - m0 < 32 ? (int)(all - m0) : 32;
  const long image0 = m0 / patchesOfImage;
  const uint place0 = (uint)(m0 % patchesOfImage);
  const long from = (image0)*12544;
  local float as[4608] __attribute__((aligned(16)));
  local float bs[432] __attribute__((aligned(16)));
  int at[8];
  int to[8];
  UNROLL
  for (int i = 0; i < 8; i++) {
    const int e = t + i * 96;
    const int patch = e / 24, line = e % 24 / 6, column = e % 6;
    const uint place = place0 + patch;
    const int image = place / patchesOfImage;
    const int down = place % patchesOfImage / patchesOfLine, across = place % patchesOfImage % patchesOfLine;
    const int iy = down * 2 - 1 + line, ix = across * 4 - 1 + column;
    const bool inside = patch < count && (uint)iy < 28u && (uint)ix < 28u;
    at[i] = inside ? image * 12544 + iy * 448 + ix * 16 : -1;
    to[i] = patch * 36 + line * 8 + column;
  }
  float4 a[8];
  float4 b[2];
  float4 acc[8];
  UNROLL
  for (int i = 0; i < 8; i++) acc[i] = (float4)(0);
  UNROLL
  for (int i = 0; i < 8; i++) {
    a[i] = at[i] >= 0 ? *(global const float4*)(x0 + from + at[i] + 0) : (float4)(0);
  }
  UNROLL
  for (int i = 0; i < 2; i++) {
    const int e = t + i * 96;
    const int tap = e / 3 / 4, c = 0 + e / 3 % 4;
    b[i] = e >= 108 ? (float4)(0) : *(global const float4*)(x1 + (tap * 16L + c) * 12L + j0 + e % 3 * 4);
  }
  #pragma unroll 1
  for (int c0 = 0; c0 < 16; c0 += 4) {
    UNROLL
    for (int i = 0; i < 8; i++) {
      local float* p = as + to[i];
      p[0] = a[i].x;
      p[1152] = a[i].y;
      p[2 * 1152] = a[i].z;
      p[3 * 1152] = a[i].w;
    }
    UNROLL
    for (int i = 0; i < 2; i++) {
      const int e = t + i * 96;
      if (e >= 108) continue;
      const int tap = e / 3 / 4, c = e / 3 % 4;
      *(local float4*)(bs + (c * 9 + tap) * 12 + e % 3 * 4) = b[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (c0 + 4 < 16) {
      UNROLL
      for (int i = 0; i < 8; i++) {
        a[i] = at[i] >= 0 ? *(global const float4*)(x0 + from + at[i] + c0 + 4) : (float4)(0);
      }
      UNROLL
      for (int i = 0; i < 2; i++) {
        const int e = t + i * 96;
        const int tap = e / 3 / 4, c = c0 + 4 + e / 3 % 4;
        b[i] = e >= 108 ? (float4)(0) : *(global const float4*)(x1 + (tap * 16L + c) * 12L + j0 + e % 3 * 4);
      }
    }
    #pragma unroll 1
    for (int c = 0; c < 4; c++) {
      local const float* x = as + c * 1152 + own * 36;
      local const float* w = bs + c * 9 * 12 + quad;
      float v[24];
      UNROLL
      for (int line = 0; line < 4; line++) {
        {
          const float4 four = *(local const float4*)(x + line * 8 + 0);
          v[line * 6 + 0] = four.x;
          v[line * 6 + 0 + 1] = four.y;
          v[line * 6 + 0 + 2] = four.z;
          v[line * 6 + 0 + 3] = four.w;
        }
        {
          const float2 two = *(local const float2*)(x + line * 8 + 4);
          v[line * 6 + 4] = two.x;
          v[line * 6 + 4 + 1] = two.y;
        }
      }
      UNROLL
      for (int tap = 0; tap < 9; tap++) {
        const float4 weight = *(local const float4*)(w + tap * 12);
        UNROLL
        for (int i = 0; i < 8; i++) {
          acc[i] = fma((float4)(v[(i / 4 + tap / 3) * 6 + i % 4 + tap % 3]), weight, acc[i]);
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (own < count) {
    const int patch = own;
    const uint place = place0 + patch;
    const int image = place / patchesOfImage;
    const int down = place % patchesOfImage / patchesOfLine, across = place % patchesOfImage % patchesOfLine;
    const long i0 = image0 + image;
    const long i1 = j0 + quad;
    UNROLL
    for (int i = 0; i < 8; i++) {
      const long i2 = down * 2 + i / 4, i3 = across * 4 + i % 4;
      float4 r;
      {
        const float result = acc[i].x;
        r.x = max_float(result, 0.0f);
      }
      {
        const float result = acc[i].y;
        r.y = max_float(result, 0.0f);
      }
      {
        const float result = acc[i].z;
        r.z = max_float(result, 0.0f);
      }
      {
        const float result = acc[i].w;
        r.w = max_float(result, 0.0f);
      }
      acc[i] = r;
    }
    UNROLL
    for (int i = 0; i < 8; i++) {
      const long i2 = down * 2 + i / 4, i3 = across * 4 + i % 4;
      *(global float4*)(y + (i0)*9408 + i1 + (i2)*336 + (i3)*12) = acc[i];
    }
  }
  GROUP_END
}

// A work-group of 96 work items owns 8 patches of 2 x 2 pixels, with 48 of their channels; a work item
// has four channels of a patch, in registers.
//
// for four input channels at a time
//   as: [channel][patch][6 lines][6 pixels]  what the windows of each patch cover
//   bs: [channel][tap][output channel]
//   of each channel:  a work item reads its patch's 6 x 6 inputs, and of each of 25 taps four weights for all 4 pixels
// What comes next is on its way in registers while this is multiplied. Patches are 52 floats apart, so that neighbours are in
// other banks.
kernel __attribute__((reqd_work_group_size(96,1,1))) void conv_3(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  const int t = get_local_id(0);
  const int own = t / 12, quad = t % 12 * 4;
  const long m0 = ((long)first + get_group_id(0)) * 8;
  const int j0 = get_group_id(1) * 48;
  const uint patchesOfLine = 14, patchesOfImage = 14 * patchesOfLine;
  const long all = (long)patchesOfImage * ((long)n);
  const int count = all - m0 < 8 ? (int)(all - m0) : 8;
  const long image0 = m0 / patchesOfImage;
  const uint place0 = (uint)(m0 % patchesOfImage);
  const long from = (image0)*9408;
  local float as[1664] __attribute__((aligned(16)));
  local float bs[4800] __attribute__((aligned(16)));
  int at[3];
  int to[3];
  UNROLL
  for (int i = 0; i < 3; i++) {
    const int e = t + i * 96;
    const int patch = e / 36, line = e % 36 / 6, column = e % 6;
    const uint place = place0 + patch;
    const int image = place / patchesOfImage;
    const int down = place % patchesOfImage / patchesOfLine, across = place % patchesOfImage % patchesOfLine;
    const int iy = down * 2 - 2 + line, ix = across * 2 - 2 + column;
    const bool inside = patch < count && (uint)iy < 28u && (uint)ix < 28u;
    at[i] = inside ? image * 9408 + iy * 336 + ix * 12 : -1;
    to[i] = patch * 52 + line * 8 + column;
  }
  float4 a[3];
  float4 b[13];
  float4 acc[4];
  UNROLL
  for (int i = 0; i < 4; i++) acc[i] = (float4)(0);
  UNROLL
  for (int i = 0; i < 3; i++) {
    a[i] = at[i] >= 0 ? *(global const float4*)(x0 + from + at[i] + 0) : (float4)(0);
  }
  UNROLL
  for (int i = 0; i < 13; i++) {
    const int e = t + i * 96;
    const int tap = e / 12 / 4, c = 0 + e / 12 % 4;
    b[i] = e >= 1200 ? (float4)(0) : *(global const float4*)(x1 + (tap * 12L + c) * 48L + j0 + e % 12 * 4);
  }
  #pragma unroll 1
  for (int c0 = 0; c0 < 12; c0 += 4) {
    UNROLL
    for (int i = 0; i < 3; i++) {
      local float* p = as + to[i];
      p[0] = a[i].x;
      p[416] = a[i].y;
      p[2 * 416] = a[i].z;
      p[3 * 416] = a[i].w;
    }
    UNROLL
    for (int i = 0; i < 13; i++) {
      const int e = t + i * 96;
      if (e >= 1200) continue;
      const int tap = e / 12 / 4, c = e / 12 % 4;
      *(local float4*)(bs + (c * 25 + tap) * 48 + e % 12 * 4) = b[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (c0 + 4 < 12) {
      UNROLL
      for (int i = 0; i < 3; i++) {
        a[i] = at[i] >= 0 ? *(global const float4*)(x0 + from + at[i] + c0 + 4) : (float4)(0);
      }
      UNROLL
      for (int i = 0; i < 13; i++) {
        const int e = t + i * 96;
        const int tap = e / 12 / 4, c = c0 + 4 + e / 12 % 4;
        b[i] = e >= 1200 ? (float4)(0) : *(global const float4*)(x1 + (tap * 12L + c) * 48L + j0 + e % 12 * 4);
      }
    }
    #pragma unroll 1
    for (int c = 0; c < 4; c++) {
      local const float* x = as + c * 416 + own * 52;
      local const float* w = bs + c * 25 * 48 + quad;
      float v[36];
      UNROLL
      for (int line = 0; line < 6; line++) {
        {
          const float4 four = *(local const float4*)(x + line * 8 + 0);
          v[line * 6 + 0] = four.x;
          v[line * 6 + 0 + 1] = four.y;
          v[line * 6 + 0 + 2] = four.z;
          v[line * 6 + 0 + 3] = four.w;
        }
        {
          const float2 two = *(local const float2*)(x + line * 8 + 4);
          v[line * 6 + 4] = two.x;
          v[line * 6 + 4 + 1] = two.y;
        }
      }
      UNROLL
      for (int tap = 0; tap < 25; tap++) {
        const float4 weight = *(local const float4*)(w + tap * 48);
        UNROLL
        for (int i = 0; i < 4; i++) {
          acc[i] = fma((float4)(v[(i / 2 + tap / 5) * 6 + i % 2 + tap % 5]), weight, acc[i]);
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (own < count) {
    const int patch = own;
    const uint place = place0 + patch;
    const int image = place / patchesOfImage;
    const int down = place % patchesOfImage / patchesOfLine, across = place % patchesOfImage % patchesOfLine;
    const long i0 = image0 + image;
    const long i1 = j0 + quad;
    UNROLL
    for (int i = 0; i < 4; i++) {
      const long i2 = down * 2 + i / 2, i3 = across * 2 + i % 2;
      float4 r;
      {
        const float result = acc[i].x;
        r.x = result;
      }
      {
        const float result = acc[i].y;
        r.y = result;
      }
      {
        const float result = acc[i].z;
        r.z = result;
      }
      {
        const float result = acc[i].w;
        r.w = result;
      }
      acc[i] = r;
    }
    UNROLL
    for (int i = 0; i < 4; i++) {
      const long i2 = down * 2 + i / 2, i3 = across * 2 + i % 2;
      *(global float4*)(y + (i0)*37632 + i1 + (i2)*1344 + (i3)*48) = acc[i];
    }
  }
  GROUP_END
}

// A work-group of 96 work items owns 8 patches of 2 x 4 pixels, with 48 of their channels; a work item
// has four channels of a patch, in registers.
//
// for four input channels at a time
//   as: [channel][patch][6 lines][8 pixels]  what the windows of each patch cover
//   bs: [channel][tap][output channel]
//   of each channel:  a work item reads its patch's 6 x 8 inputs, and of each of 25 taps four weights for all 8 pixels
// What comes next is on its way in registers while this is multiplied. Patches are 52 floats apart, so that neighbours are in
// other banks.
kernel __attribute__((reqd_work_group_size(96,1,1))) void conv_4(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  const int t = get_local_id(0);
  const int own = t / 12, quad = t % 12 * 4;
  const long m0 = ((long)first + get_group_id(0)) * 8;
  const int j0 = get_group_id(1) * 48;
  const uint patchesOfLine = 7, patchesOfImage = 14 * patchesOfLine;
  const long all = (long)patchesOfImage * ((long)n);
  const int count = all - m0 < 8 ? (int)(all - m0) : 8;
  const long image0 = m0 / patchesOfImage;
  const uint place0 = (uint)(m0 % patchesOfImage);
  const long from = (image0)*9408;
  local float as[1664] __attribute__((aligned(16)));
  local float bs[4800] __attribute__((aligned(16)));
  int at[4];
  int to[4];
  UNROLL
  for (int i = 0; i < 4; i++) {
    const int e = t + i * 96;
    const int patch = e / 48, line = e % 48 / 8, column = e % 8;
    const uint place = place0 + patch;
    const int image = place / patchesOfImage;
    const int down = place % patchesOfImage / patchesOfLine, across = place % patchesOfImage % patchesOfLine;
    const int iy = down * 2 - 2 + line, ix = across * 4 - 2 + column;
    const bool inside = patch < count && (uint)iy < 28u && (uint)ix < 28u;
    at[i] = inside ? image * 9408 + iy * 336 + ix * 12 : -1;
    to[i] = patch * 52 + line * 8 + column;
  }
  float4 a[4];
  float4 b[13];
  float4 acc[8];
  UNROLL
  for (int i = 0; i < 8; i++) acc[i] = (float4)(0);
  UNROLL
  for (int i = 0; i < 4; i++) {
    a[i] = at[i] >= 0 ? *(global const float4*)(x0 + from + at[i] + 0) : (float4)(0);
  }
  UNROLL
  for (int i = 0; i < 13; i++) {
    const int e = t + i * 96;
    const int tap = e / 12 / 4, c = 0 + e / 12 % 4;
    b[i] = e >= 1200 ? (float4)(0) : *(global const float4*)(x1 + (tap * 12L + c) * 48L + j0 + e % 12 * 4);
  }
  #pragma unroll 1
  for (int c0 = 0; c0 < 12; c0 += 4) {
    UNROLL
    for (int i = 0; i < 4; i++) {
      local float* p = as + to[i];
      p[0] = a[i].x;
      p[416] = a[i].y;
      p[2 * 416] = a[i].z;
      p[3 * 416] = a[i].w;
    }
    UNROLL
    for (int i = 0; i < 13; i++) {
      const int e = t + i * 96;
      if (e >= 1200) continue;
      const int tap = e / 12 / 4, c = e / 12 % 4;
      *(local float4*)(bs + (c * 25 + tap) * 48 + e % 12 * 4) = b[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (c0 + 4 < 12) {
      UNROLL
      for (int i = 0; i < 4; i++) {
        a[i] = at[i] >= 0 ? *(global const float4*)(x0 + from + at[i] + c0 + 4) : (float4)(0);
      }
      UNROLL
      for (int i = 0; i < 13; i++) {
        const int e = t + i * 96;
        const int tap = e / 12 / 4, c = c0 + 4 + e / 12 % 4;
        b[i] = e >= 1200 ? (float4)(0) : *(global const float4*)(x1 + (tap * 12L + c) * 48L + j0 + e % 12 * 4);
      }
    }
    #pragma unroll 1
    for (int c = 0; c < 4; c++) {
      local const float* x = as + c * 416 + own * 52;
      local const float* w = bs + c * 25 * 48 + quad;
      float v[48];
      UNROLL
      for (int line = 0; line < 6; line++) {
        {
          const float4 four = *(local const float4*)(x + line * 8 + 0);
          v[line * 8 + 0] = four.x;
          v[line * 8 + 0 + 1] = four.y;
          v[line * 8 + 0 + 2] = four.z;
          v[line * 8 + 0 + 3] = four.w;
        }
        {
          const float4 four = *(local const float4*)(x + line * 8 + 4);
          v[line * 8 + 4] = four.x;
          v[line * 8 + 4 + 1] = four.y;
          v[line * 8 + 4 + 2] = four.z;
          v[line * 8 + 4 + 3] = four.w;
        }
      }
      UNROLL
      for (int tap = 0; tap < 25; tap++) {
        const float4 weight = *(local const float4*)(w + tap * 48);
        UNROLL
        for (int i = 0; i < 8; i++) {
          acc[i] = fma((float4)(v[(i / 4 + tap / 5) * 8 + i % 4 + tap % 5]), weight, acc[i]);
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (own < count) {
    const int patch = own;
    const uint place = place0 + patch;
    const int image = place / patchesOfImage;
    const int down = place % patchesOfImage / patchesOfLine, across = place % patchesOfImage % patchesOfLine;
    const long i0 = image0 + image;
    const long i1 = j0 + quad;
    UNROLL
    for (int i = 0; i < 8; i++) {
      const long i2 = down * 2 + i / 4, i3 = across * 4 + i % 4;
      float4 r;
      {
        const float result = acc[i].x;
        r.x = result;
      }
      {
        const float result = acc[i].y;
        r.y = result;
      }
      {
        const float result = acc[i].z;
        r.z = result;
      }
      {
        const float result = acc[i].w;
        r.w = result;
      }
      acc[i] = r;
    }
    UNROLL
    for (int i = 0; i < 8; i++) {
      const long i2 = down * 2 + i / 4, i3 = across * 4 + i % 4;
      *(global float4*)(y + (i0)*37632 + i1 + (i2)*1344 + (i3)*48) = acc[i];
    }
  }
  GROUP_END
}

// A work item owns 4 elements of the result that are neighbours in memory: their place is worked out once, and
// they are loaded and stored 16 bytes at a time, next to those of the neighbouring work items.
kernel __attribute__((reqd_work_group_size(128,1,1))) void output_5(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= (9408*(long)n)) return;
  const long i0 = item / 9408;
  const uint i0_rest = (uint)(item % 9408);
  const long i1 = i0_rest / 196u % 48u;
  const long i2 = i0_rest / 7u % 28u;
  const long part = i0_rest % 7u;
  const long i3 = part * 4;
  float4 r0;
  {
    r0.x = x0[(i0)*37632 + i1 + (i2)*1344 + (i3)*48];
  }
  {
    r0.y = x0[(i0)*37632 + i1 + (i2)*1344 + ((i3 + 1))*48];
  }
  {
    r0.z = x0[(i0)*37632 + i1 + (i2)*1344 + ((i3 + 2))*48];
  }
  {
    r0.w = x0[(i0)*37632 + i1 + (i2)*1344 + ((i3 + 3))*48];
  }
  *(global float4*)(y + (i0)*37632 + (i1)*784 + (i2)*28 + i3) = r0;
}

