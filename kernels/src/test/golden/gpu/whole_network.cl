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
inline float max_float(float a, float b) { return a > b || isnan(a) ? a : b; }
// A work-group of 256 work items takes a row of the batch through the whole network: it brings their inputs into local
// memory, keeps there what is between its steps, in places that are planned as an arena is, and stores their outputs.
// Between two steps all work items meet. Work items that are neighbours have neighbouring channels, and so read one
// pixel, and weights that lie side by side.
kernel __attribute__((reqd_work_group_size(256,1,1))) void network_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3, const ulong o4) {
  if (n < 0) return;
  const int t = get_local_id(0);
  const long row = ((long)first + get_group_id(0)) * 1;
  const int rows = n - row < 1 ? (int)(n - row) : 1;
  local float memory[768] __attribute__((aligned(16)));
  local uchar* lane = (local uchar*)memory;
  { // an input
    const int n = rows;
    for (int item = t; item < (int)((1024*(long)n) / 4); item += 256) ((local float*)(lane + 2048))[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    local float* y = (local float*)(lane + 2048);
    global const float* from = (global const float*)(pool + o0);
    for (int item = t; item < (int)(144*(long)n); item += 256) {
      const long i0 = item / 144;
      const uint i0_rest = (uint)(item % 144);
      const long i2 = i0_rest / 12u % 12u;
      const long i3 = i0_rest % 12u;
      y[34 + (i0)*256 + (i2)*16 + i3] = from[row * 144 + item];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  { // conv, pool_max
    const int n = rows;
    for (int item = t; item < (int)((2048*(long)n) / 4); item += 256) ((local float*)(lane + 0))[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    local const float* x0 = (local const float*)(lane + 2048);
    global const float* x1 = (global const float*)(pool + o1);
    local float* y = (local float*)(lane + 0);
    for (int item = t; item < (int)(72*(long)n); item += 256) {
      const long i0 = item / 72;
      const uint i0_rest = (uint)(item % 72);
      const long down = i0_rest / 12u % 6u;
      const long across = i0_rest / 2u % 6u;
      const long part = i0_rest % 2u;
      const long i1 = part * 4;
      float4 acc[4];
      UNROLL
      for (int i = 0; i < 4; i++) acc[i] = (float4)(0.0f);
      const int from = (int)(34 + i0 * 256 + (down * 2 - 2) * 16 + (across * 2 - 2) * 1);
      for (int c = 0; c < 1; c++) {
        float4 w[25];
        UNROLL
        for (int tap = 0; tap < 25; tap++) w[tap] = *(global const float4*)(x1 + (tap * 1 + c) * 8 + i1);
        UNROLL
        for (int line = 0; line < 6; line++) {
          float r[6];
          UNROLL
          for (int i = 0; i < 6; i++) r[i] = x0[from + c * 1 + line * 16 + i * 1];
          UNROLL
          for (int y = 0; y < 2; y++) {
            const int ky = line - y * 1;
            if (ky >= 0 && ky < 5) {
              UNROLL
              for (int kx = 0; kx < 5; kx++) {
                UNROLL
                for (int x = 0; x < 2; x++) acc[y * 2 + x] = fma((float4)(r[x * 1 + kx]), w[ky * 5 + kx], acc[y * 2 + x]);
              }
            }
          }
        }
      }
      {
        float best = -INFINITY;
        UNROLL
        for (int y = 0; y < 2; y++) {
          UNROLL
          for (int x = 0; x < 2; x++) {
            const long i2 = down * 2 + y;
            const long i3 = across * 2 + x;
            const float result = acc[y * 2 + x].x;
            { const __typeof__(best) v = max_float(result, 0.0f); best = v > best || v != v ? v : best; }
          }
        }
        y[72 + (i0)*512 + i1 + (down)*64 + (across)*8] = best;
      }
      {
        float best = -INFINITY;
        UNROLL
        for (int y = 0; y < 2; y++) {
          UNROLL
          for (int x = 0; x < 2; x++) {
            const long i2 = down * 2 + y;
            const long i3 = across * 2 + x;
            const float result = acc[y * 2 + x].y;
            { const __typeof__(best) v = max_float(result, 0.0f); best = v > best || v != v ? v : best; }
          }
        }
        y[72 + (i0)*512 + (i1 + 1) + (down)*64 + (across)*8] = best;
      }
      {
        float best = -INFINITY;
        UNROLL
        for (int y = 0; y < 2; y++) {
          UNROLL
          for (int x = 0; x < 2; x++) {
            const long i2 = down * 2 + y;
            const long i3 = across * 2 + x;
            const float result = acc[y * 2 + x].z;
            { const __typeof__(best) v = max_float(result, 0.0f); best = v > best || v != v ? v : best; }
          }
        }
        y[72 + (i0)*512 + (i1 + 2) + (down)*64 + (across)*8] = best;
      }
      {
        float best = -INFINITY;
        UNROLL
        for (int y = 0; y < 2; y++) {
          UNROLL
          for (int x = 0; x < 2; x++) {
            const long i2 = down * 2 + y;
            const long i3 = across * 2 + x;
            const float result = acc[y * 2 + x].w;
            { const __typeof__(best) v = max_float(result, 0.0f); best = v > best || v != v ? v : best; }
          }
        }
        y[72 + (i0)*512 + (i1 + 3) + (down)*64 + (across)*8] = best;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  { // conv
    const int n = rows;
    local const float* x0 = (local const float*)(lane + 0);
    global const float* x1 = (global const float*)(pool + o2);
    local float* y = (local float*)(lane + 2048);
    for (int item = t; item < (int)(54*(long)n); item += 256) {
      const long i0 = item / 54;
      const uint i0_rest = (uint)(item % 54);
      const long down = i0_rest / 9u % 6u;
      const long across = i0_rest / 3u % 3u;
      const long part = i0_rest % 3u;
      const long i1 = part * 2;
      float2 acc[2];
      UNROLL
      for (int i = 0; i < 2; i++) acc[i] = (float2)(0.0f);
      const int from = (int)(72 + i0 * 512 + (down * 1 - 1) * 64 + (across * 2 - 1) * 8);
      for (int c = 0; c < 8; c++) {
        float2 w[9];
        UNROLL
        for (int tap = 0; tap < 9; tap++) w[tap] = *(global const float2*)(x1 + (tap * 8 + c) * 8 + i1);
        UNROLL
        for (int line = 0; line < 3; line++) {
          float r[4];
          UNROLL
          for (int i = 0; i < 4; i++) r[i] = x0[from + c * 1 + line * 64 + i * 8];
          UNROLL
          for (int y = 0; y < 1; y++) {
            const int ky = line - y * 1;
            if (ky >= 0 && ky < 3) {
              UNROLL
              for (int kx = 0; kx < 3; kx++) {
                UNROLL
                for (int x = 0; x < 2; x++) acc[y * 2 + x] = fma((float2)(r[x * 1 + kx]), w[ky * 3 + kx], acc[y * 2 + x]);
              }
            }
          }
        }
      }
      UNROLL
      for (int x = 0; x < 2; x++) {
        const long i2 = down;
        const long i3 = across * 2 + x;
        {
          const float result = acc[x].x;
          y[(i0)*216 + i1 + (i2)*36 + (i3)*6] = max_float(result, 0.0f);
        }
        {
          const float result = acc[x].y;
          y[(i0)*216 + (i1 + 1) + (i2)*36 + (i3)*6] = max_float(result, 0.0f);
        }
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  { // pool_average
    const int n = rows;
    local const float* x0 = (local const float*)(lane + 2048);
    local float* y = (local float*)(lane + 0);
    for (int item = t; item < (int)(54*(long)n); item += 256) {
      const long i0 = item / 54;
      const uint i0_rest = (uint)(item % 54);
      const long i1 = i0_rest / 9u % 6u;
      const long i2 = i0_rest / 3u % 3u;
      const long i3 = i0_rest % 3u;
      float acc = 0;
      int count = 0;
      for (int k2 = 0; k2 < 3; k2++) {
        const long p2 = i2 * 2 - 1 + k2 * 1;
        if (p2 < 0 || p2 >= 6) continue;
        for (int k3 = 0; k3 < 3; k3++) {
          const long p3 = i3 * 2 - 1 + k3 * 1;
          if (p3 < 0 || p3 >= 6) continue;
          acc += x0[(i0)*216 + i1 + (p2)*36 + (p3)*6];
          count++;
        }
      }
      acc /= count;
      const float result = (float)acc;
      y[(i0)*54 + (i1)*9 + (i2)*3 + i3] = result;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  { // matmul
    const int n = rows;
    local const float* x0 = (local const float*)(lane + 0);
    global const float* x1 = (global const float*)(pool + o3);
    local float* y = (local float*)(lane + 256);
    local float4* sums = (local float4*)(lane + 512);
    for (int item = t; item < (int)(24*(long)n); item += 256) {
      const long i0 = item / 24;
      const uint i0_rest = (uint)(item % 24);
      const long part = i0_rest / 3u % 8u;
      const long four = i0_rest % 3u;
      float4 sum = (float4)(0);
      for (int k = (int)part; k < 54; k += 8) {
        sum = fma((float4)(x0[(i0)*54 + k]), *(global const float4*)(x1 + k * 12L + four * 4), sum);
      }
      sums[(i0 * 8 + part) * 3 + four] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int item = t; item < (int)(3*(long)n); item += 256) {
      const long i0 = item / 3;
      const uint i0_rest = (uint)(item % 3);
      const long four = i0_rest % 3u;
      float4 sum = sums[i0 * 8 * 3 + four];
      for (int part = 1; part < 8; part++) sum += sums[(i0 * 8 + part) * 3 + four];
      if (four * 4 + 0 < 10) {
        const long i1 = four * 4 + 0;
        const float result = sum.x;
        y[(i0)*10 + i1] = result;
      }
      if (four * 4 + 1 < 10) {
        const long i1 = four * 4 + 1;
        const float result = sum.y;
        y[(i0)*10 + i1] = result;
      }
      if (four * 4 + 2 < 10) {
        const long i1 = four * 4 + 2;
        const float result = sum.z;
        y[(i0)*10 + i1] = result;
      }
      if (four * 4 + 3 < 10) {
        const long i1 = four * 4 + 3;
        const float result = sum.w;
        y[(i0)*10 + i1] = result;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  { // softmax
    const int n = rows;
    local const float* x0 = (local const float*)(lane + 256);
    local float* y = (local float*)(lane + 0);
    for (int item = t; item < (int)((long)n); item += 256) {
      const long i0 = item;
      float highest = -INFINITY;
      for (int i1 = 0; i1 < 10; i1++) highest = fmax(highest, x0[(i0)*10 + i1]);
      float sum = 0;
      for (int i1 = 0; i1 < 10; i1++) sum += exp(x0[(i0)*10 + i1] - highest);
      const float scale = 1 / sum;
      for (int i1 = 0; i1 < 10; i1++) {
        const float result = exp_of_weight(x0[(i0)*10 + i1] - highest) * scale;
        y[(i0)*10 + i1] = result;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  { // an output
    const int n = rows;
    local const float* x = (local const float*)(lane + 0);
    global float* to = (global float*)(pool + o4);
    for (int item = t; item < (int)(10*(long)n); item += 256) {
      const long i0 = item / 10;
      const uint i0_rest = (uint)(item % 10);
      const long i1 = i0_rest % 10u;
      to[row * 10 + item] = x[(i0)*10 + i1];
    }
  }
  GROUP_END
}

// A work-group of 256 work items takes 2 rows of the batch through the whole network: it brings their inputs into local
// memory, keeps there what is between its steps, in places that are planned as an arena is, and stores their outputs.
// Between two steps all work items meet. Work items that are neighbours have neighbouring channels, and so read one
// pixel, and weights that lie side by side.
kernel __attribute__((reqd_work_group_size(256,1,1))) void network_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3, const ulong o4) {
  if (n < 0) return;
  const int t = get_local_id(0);
  const long row = ((long)first + get_group_id(0)) * 2;
  const int rows = n - row < 2 ? (int)(n - row) : 2;
  local float memory[1536] __attribute__((aligned(16)));
  local uchar* lane = (local uchar*)memory;
  { // an input
    const int n = rows;
    for (int item = t; item < (int)((1024*(long)n) / 4); item += 256) ((local float*)(lane + 4096))[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    local float* y = (local float*)(lane + 4096);
    global const float* from = (global const float*)(pool + o0);
    for (int item = t; item < (int)(144*(long)n); item += 256) {
      const long i0 = item / 144;
      const uint i0_rest = (uint)(item % 144);
      const long i2 = i0_rest / 12u % 12u;
      const long i3 = i0_rest % 12u;
      y[34 + (i0)*256 + (i2)*16 + i3] = from[row * 144 + item];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  { // conv, pool_max
    const int n = rows;
    for (int item = t; item < (int)((2048*(long)n) / 4); item += 256) ((local float*)(lane + 0))[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    local const float* x0 = (local const float*)(lane + 4096);
    global const float* x1 = (global const float*)(pool + o1);
    local float* y = (local float*)(lane + 0);
    for (int item = t; item < (int)(72*(long)n); item += 256) {
      const long i0 = item / 72;
      const uint i0_rest = (uint)(item % 72);
      const long down = i0_rest / 12u % 6u;
      const long across = i0_rest / 2u % 6u;
      const long part = i0_rest % 2u;
      const long i1 = part * 4;
      float4 acc[4];
      UNROLL
      for (int i = 0; i < 4; i++) acc[i] = (float4)(0.0f);
      const int from = (int)(34 + i0 * 256 + (down * 2 - 2) * 16 + (across * 2 - 2) * 1);
      for (int c = 0; c < 1; c++) {
        float4 w[25];
        UNROLL
        for (int tap = 0; tap < 25; tap++) w[tap] = *(global const float4*)(x1 + (tap * 1 + c) * 8 + i1);
        UNROLL
        for (int line = 0; line < 6; line++) {
          float r[6];
          UNROLL
          for (int i = 0; i < 6; i++) r[i] = x0[from + c * 1 + line * 16 + i * 1];
          UNROLL
          for (int y = 0; y < 2; y++) {
            const int ky = line - y * 1;
            if (ky >= 0 && ky < 5) {
              UNROLL
              for (int kx = 0; kx < 5; kx++) {
                UNROLL
                for (int x = 0; x < 2; x++) acc[y * 2 + x] = fma((float4)(r[x * 1 + kx]), w[ky * 5 + kx], acc[y * 2 + x]);
              }
            }
          }
        }
      }
      {
        float best = -INFINITY;
        UNROLL
        for (int y = 0; y < 2; y++) {
          UNROLL
          for (int x = 0; x < 2; x++) {
            const long i2 = down * 2 + y;
            const long i3 = across * 2 + x;
            const float result = acc[y * 2 + x].x;
            { const __typeof__(best) v = max_float(result, 0.0f); best = v > best || v != v ? v : best; }
          }
        }
        y[72 + (i0)*512 + i1 + (down)*64 + (across)*8] = best;
      }
      {
        float best = -INFINITY;
        UNROLL
        for (int y = 0; y < 2; y++) {
          UNROLL
          for (int x = 0; x < 2; x++) {
            const long i2 = down * 2 + y;
            const long i3 = across * 2 + x;
            const float result = acc[y * 2 + x].y;
            { const __typeof__(best) v = max_float(result, 0.0f); best = v > best || v != v ? v : best; }
          }
        }
        y[72 + (i0)*512 + (i1 + 1) + (down)*64 + (across)*8] = best;
      }
      {
        float best = -INFINITY;
        UNROLL
        for (int y = 0; y < 2; y++) {
          UNROLL
          for (int x = 0; x < 2; x++) {
            const long i2 = down * 2 + y;
            const long i3 = across * 2 + x;
            const float result = acc[y * 2 + x].z;
            { const __typeof__(best) v = max_float(result, 0.0f); best = v > best || v != v ? v : best; }
          }
        }
        y[72 + (i0)*512 + (i1 + 2) + (down)*64 + (across)*8] = best;
      }
      {
        float best = -INFINITY;
        UNROLL
        for (int y = 0; y < 2; y++) {
          UNROLL
          for (int x = 0; x < 2; x++) {
            const long i2 = down * 2 + y;
            const long i3 = across * 2 + x;
            const float result = acc[y * 2 + x].w;
            { const __typeof__(best) v = max_float(result, 0.0f); best = v > best || v != v ? v : best; }
          }
        }
        y[72 + (i0)*512 + (i1 + 3) + (down)*64 + (across)*8] = best;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  { // conv
    const int n = rows;
    local const float* x0 = (local const float*)(lane + 0);
    global const float* x1 = (global const float*)(pool + o2);
    local float* y = (local float*)(lane + 4096);
    for (int item = t; item < (int)(36*(long)n); item += 256) {
      const long i0 = item / 36;
      const uint i0_rest = (uint)(item % 36);
      const long down = i0_rest / 6u % 6u;
      const long across = i0_rest / 3u % 2u;
      const long part = i0_rest % 3u;
      const long i1 = part * 2;
      float2 acc[3];
      UNROLL
      for (int i = 0; i < 3; i++) acc[i] = (float2)(0.0f);
      const int from = (int)(72 + i0 * 512 + (down * 1 - 1) * 64 + (across * 3 - 1) * 8);
      for (int c = 0; c < 8; c++) {
        float2 w[9];
        UNROLL
        for (int tap = 0; tap < 9; tap++) w[tap] = *(global const float2*)(x1 + (tap * 8 + c) * 8 + i1);
        UNROLL
        for (int line = 0; line < 3; line++) {
          float r[5];
          UNROLL
          for (int i = 0; i < 5; i++) r[i] = x0[from + c * 1 + line * 64 + i * 8];
          UNROLL
          for (int y = 0; y < 1; y++) {
            const int ky = line - y * 1;
            if (ky >= 0 && ky < 3) {
              UNROLL
              for (int kx = 0; kx < 3; kx++) {
                UNROLL
                for (int x = 0; x < 3; x++) acc[y * 3 + x] = fma((float2)(r[x * 1 + kx]), w[ky * 3 + kx], acc[y * 3 + x]);
              }
            }
          }
        }
      }
      UNROLL
      for (int x = 0; x < 3; x++) {
        const long i2 = down;
        const long i3 = across * 3 + x;
        {
          const float result = acc[x].x;
          y[(i0)*216 + i1 + (i2)*36 + (i3)*6] = max_float(result, 0.0f);
        }
        {
          const float result = acc[x].y;
          y[(i0)*216 + (i1 + 1) + (i2)*36 + (i3)*6] = max_float(result, 0.0f);
        }
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  { // pool_average
    const int n = rows;
    local const float* x0 = (local const float*)(lane + 4096);
    local float* y = (local float*)(lane + 768);
    for (int item = t; item < (int)(54*(long)n); item += 256) {
      const long i0 = item / 54;
      const uint i0_rest = (uint)(item % 54);
      const long i1 = i0_rest / 9u % 6u;
      const long i2 = i0_rest / 3u % 3u;
      const long i3 = i0_rest % 3u;
      float acc = 0;
      int count = 0;
      for (int k2 = 0; k2 < 3; k2++) {
        const long p2 = i2 * 2 - 1 + k2 * 1;
        if (p2 < 0 || p2 >= 6) continue;
        for (int k3 = 0; k3 < 3; k3++) {
          const long p3 = i3 * 2 - 1 + k3 * 1;
          if (p3 < 0 || p3 >= 6) continue;
          acc += x0[(i0)*216 + i1 + (p2)*36 + (p3)*6];
          count++;
        }
      }
      acc /= count;
      const float result = (float)acc;
      y[(i0)*54 + (i1)*9 + (i2)*3 + i3] = result;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  { // matmul
    const int n = rows;
    local const float* x0 = (local const float*)(lane + 768);
    global const float* x1 = (global const float*)(pool + o3);
    local float* y = (local float*)(lane + 1280);
    local float4* sums = (local float4*)(lane + 0);
    for (int item = t; item < (int)(24*(long)n); item += 256) {
      const long i0 = item / 24;
      const uint i0_rest = (uint)(item % 24);
      const long part = i0_rest / 3u % 8u;
      const long four = i0_rest % 3u;
      float4 sum = (float4)(0);
      for (int k = (int)part; k < 54; k += 8) {
        sum = fma((float4)(x0[(i0)*54 + k]), *(global const float4*)(x1 + k * 12L + four * 4), sum);
      }
      sums[(i0 * 8 + part) * 3 + four] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int item = t; item < (int)(3*(long)n); item += 256) {
      const long i0 = item / 3;
      const uint i0_rest = (uint)(item % 3);
      const long four = i0_rest % 3u;
      float4 sum = sums[i0 * 8 * 3 + four];
      for (int part = 1; part < 8; part++) sum += sums[(i0 * 8 + part) * 3 + four];
      if (four * 4 + 0 < 10) {
        const long i1 = four * 4 + 0;
        const float result = sum.x;
        y[(i0)*10 + i1] = result;
      }
      if (four * 4 + 1 < 10) {
        const long i1 = four * 4 + 1;
        const float result = sum.y;
        y[(i0)*10 + i1] = result;
      }
      if (four * 4 + 2 < 10) {
        const long i1 = four * 4 + 2;
        const float result = sum.z;
        y[(i0)*10 + i1] = result;
      }
      if (four * 4 + 3 < 10) {
        const long i1 = four * 4 + 3;
        const float result = sum.w;
        y[(i0)*10 + i1] = result;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  { // softmax
    const int n = rows;
    local const float* x0 = (local const float*)(lane + 1280);
    local float* y = (local float*)(lane + 1408);
    for (int item = t; item < (int)((long)n); item += 256) {
      const long i0 = item;
      float highest = -INFINITY;
      for (int i1 = 0; i1 < 10; i1++) highest = fmax(highest, x0[(i0)*10 + i1]);
      float sum = 0;
      for (int i1 = 0; i1 < 10; i1++) sum += exp(x0[(i0)*10 + i1] - highest);
      const float scale = 1 / sum;
      for (int i1 = 0; i1 < 10; i1++) {
        const float result = exp_of_weight(x0[(i0)*10 + i1] - highest) * scale;
        y[(i0)*10 + i1] = result;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  { // an output
    const int n = rows;
    local const float* x = (local const float*)(lane + 1408);
    global float* to = (global float*)(pool + o4);
    for (int item = t; item < (int)(10*(long)n); item += 256) {
      const long i0 = item / 10;
      const uint i0_rest = (uint)(item % 10);
      const long i1 = i0_rest % 10u;
      to[row * 10 + item] = x[(i0)*10 + i1];
    }
  }
  GROUP_END
}

