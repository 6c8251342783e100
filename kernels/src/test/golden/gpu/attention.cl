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
inline float exp_of_weight(float v) {
#ifdef cl_khr_fp64
  if (v < -16.0f && v > -104.0f) return (float)exp((double)v);
#endif
  return exp(v);
}
// A work-group of 128 work items owns 16 rows of one matrix of the result, and goes over the keys 64 at a time;
// a work item has 2 rows x 4 keys of scores, and then 2 rows x 4 numbers of sums, in registers.
//
//                             tx * 4                          tx * 4
//                   panel: +-----------+           panel: +-----------+
//           24 of each key | 64 keys   |  32 values of  48 |           |
//                          +-----------+                  +-----------+
//   queries:  24           scores          weights: 64       sums
//    +------+              +-----------+    +------+      +-----------+
//    |      | ty * 2       |     z     | -> |      |      |     o     |
//    +------+              +-----------+    +------+      +-----------+
//
// Work items of a row tell each other their largest scores, and weigh theirs by the largest so far; what was
// summed up before a larger one came is scaled down. A panel is read into registers while the one before is in use.
kernel __attribute__((reqd_work_group_size(128,1,1))) void attention_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3, const ulong o4) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global const float* x2 = (global const float*)(pool + o2);
  global const float* x3 = (global const float*)(pool + o3);
  global float* y = (global float*)(pool + o4);
  const long group = (long)first + get_group_id(0);
  const int t = get_local_id(0);
  const int tx = t % 16, ty = t / 16;
  const long row0 = group % 3 * 16;
  const long matrix = group / 3;
  const long i0 = matrix / 4;
  const uint i0_rest = (uint)(matrix % 4);
  const long i1 = i0_rest % 4u;
  local float queries[480] __attribute__((aligned(16)));
  local float panel[2048] __attribute__((aligned(16)));
  local float weights[1280] __attribute__((aligned(16)));
  local float found[256] __attribute__((aligned(16)));
  {
    float4 q_next[1];
    UNROLL
    for (int i = 0; i < 1; i++) {
      const int e = t + i * 128;
      const long line = row0 + e % 16, at = 0 + e / 16 * 4;
      q_next[i] = (e < 96 && line < 40 && at < 24) ? *(global const float4*)(x0 + (i0)*3840 + (i1)*960 + line * 24 + at * 1) : (float4)(0);
    }
    UNROLL
    for (int i = 0; i < 1; i++) {
      const int e = t + i * 128;
      const int line = e % 16, at = e / 16 * 4;
      if (e >= 96) continue;
      local float* p = queries + (0 + at) * 20 + line;
      p[0] = q_next[i].x;
      p[20] = q_next[i].y;
      p[40] = q_next[i].z;
      p[60] = q_next[i].w;
    }
  }
  float4 z[2];
  float4 o[2];
  UNROLL
  for (int i = 0; i < 2; i++) o[i] = (float4)(0);
  float highest[2], total[2];
  UNROLL
  for (int r = 0; r < 2; r++) { highest[r] = -INFINITY; total[r] = 0; }
  float4 k_next[3];
  float4 v_next[4];
  UNROLL
  for (int i = 0; i < 3; i++) {
    const int e = t + i * 128;
    const long line = 0 + e % 64, at = 0 + e / 64 * 4;
    k_next[i] = (line < 70 && at < 24) ? *(global const float4*)(x1 + (i0)*6720 + (i1)*1680 + line * 24 + at * 1) : (float4)(0);
  }
  #pragma unroll 1
  for (long key = 0; key < 70; key += 64) {
    UNROLL
    for (int r = 0; r < 2; r++) z[r] = (float4)(0);
    #pragma unroll 1
    for (int d0 = 0; d0 < 24; d0 += 24) {
      UNROLL
      for (int i = 0; i < 3; i++) {
        const int e = t + i * 128;
        const int line = e % 64, at = e / 64 * 4;
        local float* p = panel + (0 + at) * 68 + line;
        p[0] = k_next[i].x;
        p[68] = k_next[i].y;
        p[136] = k_next[i].z;
        p[204] = k_next[i].w;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (d0 + 24 < 24) {
        UNROLL
        for (int i = 0; i < 3; i++) {
          const int e = t + i * 128;
          const long line = key + e % 64, at = d0 + 24 + e / 64 * 4;
          k_next[i] = (line < 70 && at < 24) ? *(global const float4*)(x1 + (i0)*6720 + (i1)*1680 + line * 24 + at * 1) : (float4)(0);
        }
      } else {
        UNROLL
        for (int i = 0; i < 4; i++) {
          const int e = t + i * 128;
          const long line = key + e / 16, at = 0 + e % 16 * 4;
          v_next[i] = (line < 70 && at < 48) ? *(global const float4*)(x2 + (i0)*13440 + (i1)*3360 + line * 48 + at * 1) : (float4)(0);
        }
      }
      UNROLL_BY_4
      for (int d = 0; d < 24; d++) {
        local const float* a = queries + (d0 + d) * 20 + ty * 2;
        const float4 b = ((local const float4*)(panel + d * 68))[tx];
        z[0] = fma((float4)(a[0]), b, z[0]);
        z[1] = fma((float4)(a[1]), b, z[1]);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    UNROLL
    for (int r = 0; r < 2; r++) {
      {
        const long col = key + tx * 4 + 0;
        z[r].x = col < 70 ? z[r].x * 0.25f + x3[(i0)*70 + col] : -INFINITY;
      }
      {
        const long col = key + tx * 4 + 1;
        z[r].y = col < 70 ? z[r].y * 0.25f + x3[(i0)*70 + col] : -INFINITY;
      }
      {
        const long col = key + tx * 4 + 2;
        z[r].z = col < 70 ? z[r].z * 0.25f + x3[(i0)*70 + col] : -INFINITY;
      }
      {
        const long col = key + tx * 4 + 3;
        z[r].w = col < 70 ? z[r].w * 0.25f + x3[(i0)*70 + col] : -INFINITY;
      }
      found[(ty * 2 + r) * 16 + tx] = fmax(fmax(z[r].x, z[r].y), fmax(z[r].z, z[r].w));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL
    for (int r = 0; r < 2; r++) {
      local const float* all = found + (ty * 2 + r) * 16;
      float now = highest[r];
      UNROLL
      for (int i = 0; i < 16; i++) now = fmax(now, all[i]);
      const float base = now == -INFINITY ? 0.0f : now;
      const float kept = highest[r] == -INFINITY ? 0.0f : exp_of_weight(highest[r] - base);
      highest[r] = now;
      z[r].x = exp_of_weight(z[r].x - base);
      z[r].y = exp_of_weight(z[r].y - base);
      z[r].z = exp_of_weight(z[r].z - base);
      z[r].w = exp_of_weight(z[r].w - base);
      total[r] = fma(total[r], kept, (z[r].x + z[r].y) + (z[r].z + z[r].w));
      o[0 + r] *= (float4)(kept);
    }
    {
    local float* w = weights + (tx * 4 + 0) * 20 + ty * 2;
    w[0] = z[0].x;
    w[1] = z[1].x;
    }
    {
    local float* w = weights + (tx * 4 + 1) * 20 + ty * 2;
    w[0] = z[0].y;
    w[1] = z[1].y;
    }
    {
    local float* w = weights + (tx * 4 + 2) * 20 + ty * 2;
    w[0] = z[0].z;
    w[1] = z[1].z;
    }
    {
    local float* w = weights + (tx * 4 + 3) * 20 + ty * 2;
    w[0] = z[0].w;
    w[1] = z[1].w;
    }
    #pragma unroll 1
    for (int j0 = 0; j0 < 64 && key + j0 < 70; j0 += 32) {
      UNROLL
      for (int i = 0; i < 4; i++) {
        const int e = t + i * 128;
        const int line = e / 16, at = e % 16 * 4;
        local float* p = panel + (0 + line) * 64 + at;
        *(local float4*)p = v_next[i];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (j0 + 32 < 64 && key + j0 + 32 < 70) {
        UNROLL
        for (int i = 0; i < 4; i++) {
          const int e = t + i * 128;
          const long line = key + j0 + 32 + e / 16, at = 0 + e % 16 * 4;
          v_next[i] = (line < 70 && at < 48) ? *(global const float4*)(x2 + (i0)*13440 + (i1)*3360 + line * 48 + at * 1) : (float4)(0);
        }
      } else if (key + 64 < 70) {
        UNROLL
        for (int i = 0; i < 3; i++) {
          const int e = t + i * 128;
          const long line = key + 64 + e % 64, at = 0 + e / 64 * 4;
          k_next[i] = (line < 70 && at < 24) ? *(global const float4*)(x1 + (i0)*6720 + (i1)*1680 + line * 24 + at * 1) : (float4)(0);
        }
      }
      UNROLL_BY_4
      for (int j = 0; j < 32; j++) {
        local const float* a = weights + (j0 + j) * 20 + ty * 2;
        const float4 b0 = ((local const float4*)(panel + j * 64 + 0))[tx];
        o[0 + 0] = fma((float4)(a[0]), b0, o[0 + 0]);
        o[0 + 1] = fma((float4)(a[1]), b0, o[0 + 1]);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  UNROLL
  for (int r = 0; r < 2; r++) found[(ty * 2 + r) * 16 + tx] = total[r];
  barrier(CLK_LOCAL_MEM_FENCE);
  UNROLL
  for (int r = 0; r < 2; r++) {
    const long row = row0 + ty * 2 + r;
    if (row < 40) {
      local const float* all = found + (ty * 2 + r) * 16;
      float sum = 0;
      UNROLL
      for (int i = 0; i < 16; i++) sum += all[i];
      const float share = 1 / sum;
      {
        const long col = 0 + tx * 4;
        if (col < 48) {
          const float4 result = o[0 + r] * (float4)(share);
          *(global float4*)(y + (i0)*7680 + (i1)*1920 + (row)*48 + col) = result;
        }
      }
    }
  }
  GROUP_END
}

