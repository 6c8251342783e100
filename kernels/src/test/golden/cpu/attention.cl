#ifdef POCL_DEVICE_ADDRESS_BITS
#define OUTLINED __attribute__((noinline))
#else
#define OUTLINED
#endif
OUTLINED float16 load_some_float(int count, global const float* from) {
  float some[16] = {0};
  for (int j = 0; j < count; j++) some[j] = from[j];
  return vload16(0, some);
}
inline float16 load_float16(int count, global const float* from) {
  if (count == 16) return vload16(0, from);
  #ifdef __AVX512F__
  float16 some;
  __asm__ volatile("vmovups (%1), %0 %{%2%}%{z%}" : "=v"(some) : "r"(from), "Yk"((ushort)((1 << count) - 1)) : "memory");
  return some;
  #endif
  return load_some_float(count, from);
}
inline float16 weight_float16(float16 x) {
  const float16 t = select(x, (float16)(-95.65431f), x < (float16)(-95.65431f));
  const float16 whole = fma(t, (float16)(1.442695f), (float16)(12583103.0f));
  const float16 k = whole - (float16)(12583103.0f);
  const float16 r = fma(k, (float16)(1.9046543e-9f), fma(k, (float16)(-0.6931472f), t));
  const float16 e = fma(r * r, fma(r, fma(r, fma(r, fma(r, (float16)(0.0013814538f), (float16)(0.008368745f)), (float16)(0.04166839f)), (float16)(0.16666521f)), (float16)(0.49999994f)), r) + (float16)(1.0f);
  const float16 large = e * as_float16(as_int16(whole) << (int16)(23));
  return select(large * (float16)(5.421011e-20f), (float16)(0.0f), x < (float16)(-95.65431f));
}
// A work item owns 40 rows of one matrix of the result, and goes over the keys 64 at a time: it puts
// them together as [k][key], takes 4 rows at a time to scores in registers, weighs them by the largest
// score so far, and adds the values as they weigh to sums of its own. Sums from before a larger score came
// are scaled down. No score leaves the work item.
kernel __attribute__((reqd_work_group_size(1,1,1))) void attention_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3, const ulong o4) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global const float* x2 = (global const float*)(pool + o2);
  global const float* x3 = (global const float*)(pool + o3);
  global float* y = (global float*)(pool + o4);
  long item = (long)get_global_id(0) + first;
  const long chunk = item % 1; item /= 1;
  const long i1 = item % 4; item /= 4;
  const long i0 = item % ((long)n); item /= ((long)n);
  if (item > 0) return;
  const long begin = chunk * 40;
  const int count = (int)min((long)40, 40 - begin);
  float panel[1536];
  float sums[1920];
  float highest[40];
  float total[40];
  for (int r = 0; r < 40; r++) { highest[r] = -INFINITY; total[r] = 0; }
  for (int i = 0; i < 1920; i++) sums[i] = 0;
  for (long key = 0; key < 70; key += 64) {
    const int width = (int)min((long)64, 70 - key);
    for (int j = 0; j < width; j++)
      for (int k = 0; k < 24; k++) panel[k * 64 + j] = x1[(i0)*6720 + (i1)*1680 + ((key + j))*24 + k];
    for (int j = width; j < 64; j++)
      for (int k = 0; k < 24; k++) panel[k * 64 + j] = 0;
    for (int r = 0; r < count; r += 4) {
      float z[256];
      float kept[4];
      const long row0 = begin + min(r + 0, count - 1);
      const long row1 = begin + min(r + 1, count - 1);
      const long row2 = begin + min(r + 2, count - 1);
      const long row3 = begin + min(r + 3, count - 1);
      {
        float16 c0_0 = (float16)(0.0f);
        float16 c0_1 = (float16)(0.0f);
        float16 c0_2 = (float16)(0.0f);
        float16 c0_3 = (float16)(0.0f);
        float16 c1_0 = (float16)(0.0f);
        float16 c1_1 = (float16)(0.0f);
        float16 c1_2 = (float16)(0.0f);
        float16 c1_3 = (float16)(0.0f);
        float16 c2_0 = (float16)(0.0f);
        float16 c2_1 = (float16)(0.0f);
        float16 c2_2 = (float16)(0.0f);
        float16 c2_3 = (float16)(0.0f);
        float16 c3_0 = (float16)(0.0f);
        float16 c3_1 = (float16)(0.0f);
        float16 c3_2 = (float16)(0.0f);
        float16 c3_3 = (float16)(0.0f);
        for (int k = 0; k < 24; k++) {
          const float16 w0 = vload16(k * 4 + 0, panel);
          const float16 w1 = vload16(k * 4 + 1, panel);
          const float16 w2 = vload16(k * 4 + 2, panel);
          const float16 w3 = vload16(k * 4 + 3, panel);
          { const float16 a = (float16)(x0[(i0)*3840 + (i1)*960 + (row0)*24 + k]); c0_0 = fma(a, w0, c0_0); c0_1 = fma(a, w1, c0_1); c0_2 = fma(a, w2, c0_2); c0_3 = fma(a, w3, c0_3); }
          { const float16 a = (float16)(x0[(i0)*3840 + (i1)*960 + (row1)*24 + k]); c1_0 = fma(a, w0, c1_0); c1_1 = fma(a, w1, c1_1); c1_2 = fma(a, w2, c1_2); c1_3 = fma(a, w3, c1_3); }
          { const float16 a = (float16)(x0[(i0)*3840 + (i1)*960 + (row2)*24 + k]); c2_0 = fma(a, w0, c2_0); c2_1 = fma(a, w1, c2_1); c2_2 = fma(a, w2, c2_2); c2_3 = fma(a, w3, c2_3); }
          { const float16 a = (float16)(x0[(i0)*3840 + (i1)*960 + (row3)*24 + k]); c3_0 = fma(a, w0, c3_0); c3_1 = fma(a, w1, c3_1); c3_2 = fma(a, w2, c3_2); c3_3 = fma(a, w3, c3_3); }
        }
        vstore16(c0_0, 0, z);
        vstore16(c0_1, 1, z);
        vstore16(c0_2, 2, z);
        vstore16(c0_3, 3, z);
        vstore16(c1_0, 4, z);
        vstore16(c1_1, 5, z);
        vstore16(c1_2, 6, z);
        vstore16(c1_3, 7, z);
        vstore16(c2_0, 8, z);
        vstore16(c2_1, 9, z);
        vstore16(c2_2, 10, z);
        vstore16(c2_3, 11, z);
        vstore16(c3_0, 12, z);
        vstore16(c3_1, 13, z);
        vstore16(c3_2, 14, z);
        vstore16(c3_3, 15, z);
      }
      for (int t = 0; t < 4; t++) {
        const long row = begin + min(r + t, count - 1);
        const long masked = (i0)*70;
        float16 most = (float16)(-INFINITY);
        for (int v = 0; v < 4; v++) {
          const int left = width - v * 16;
          float16 x = vload16(t * 4 + v, z) * (float16)(0.25f) + load_float16(clamp(left, 0, 16), x3 + masked + (key / 16 + v) * 16L);
          vstore16(x, t * 4 + v, z);
          if (left < 16) {
            for (int j = max(left, 0); j < 16; j++) z[(t * 4 + v) * 16 + j] = -INFINITY;
            x = vload16(t * 4 + v, z);
          }
          most = fmax(most, x);
        }
        float largest;
        {
          float lanes[16];
          vstore16(most, 0, lanes);
          for (int width = 8; width > 0; width /= 2)
            for (int j = 0; j < width; j++) lanes[j] = fmax(lanes[j], lanes[j + width]);
          largest = lanes[0];
        }
        const float before = highest[r + t];
        const float now = fmax(before, largest);
        const float base = now == -INFINITY ? 0.0f : now;
        float16 all = (float16)(0.0f);
        for (int v = 0; v < 4; v++) {
          const float16 e = weight_float16(vload16(t * 4 + v, z) - (float16)(base));
          vstore16(e, t * 4 + v, z);
          all += e;
        }
        float sum;
        {
          float lanes[16];
          vstore16(all, 0, lanes);
          for (int width = 8; width > 0; width /= 2)
            for (int j = 0; j < width; j++) lanes[j] = lanes[j] + lanes[j + width];
          sum = lanes[0];
        }
        kept[t] = before == -INFINITY ? 0.0f : exp(before - base);
        total[r + t] = fma(total[r + t], kept[t], sum);
        highest[r + t] = now;
      }
      for (int c = 0; c < 48; c += 48) {
        float16 c0_0 = vload16(0, sums + (r + 0) * 48 + c) * (float16)(kept[0]);
        float16 c0_1 = vload16(1, sums + (r + 0) * 48 + c) * (float16)(kept[0]);
        float16 c0_2 = vload16(2, sums + (r + 0) * 48 + c) * (float16)(kept[0]);
        float16 c1_0 = vload16(0, sums + (r + 1) * 48 + c) * (float16)(kept[1]);
        float16 c1_1 = vload16(1, sums + (r + 1) * 48 + c) * (float16)(kept[1]);
        float16 c1_2 = vload16(2, sums + (r + 1) * 48 + c) * (float16)(kept[1]);
        float16 c2_0 = vload16(0, sums + (r + 2) * 48 + c) * (float16)(kept[2]);
        float16 c2_1 = vload16(1, sums + (r + 2) * 48 + c) * (float16)(kept[2]);
        float16 c2_2 = vload16(2, sums + (r + 2) * 48 + c) * (float16)(kept[2]);
        float16 c3_0 = vload16(0, sums + (r + 3) * 48 + c) * (float16)(kept[3]);
        float16 c3_1 = vload16(1, sums + (r + 3) * 48 + c) * (float16)(kept[3]);
        float16 c3_2 = vload16(2, sums + (r + 3) * 48 + c) * (float16)(kept[3]);
        for (int j = 0; j < width; j++) {
          const float16 w0 = vload16(0, x2 + (i0)*13440 + (i1)*3360 + ((key + j))*48 + c);
          const float16 w1 = vload16(1, x2 + (i0)*13440 + (i1)*3360 + ((key + j))*48 + c);
          const float16 w2 = vload16(2, x2 + (i0)*13440 + (i1)*3360 + ((key + j))*48 + c);
          { const float16 a = (float16)(z[0 + j]); c0_0 = fma(a, w0, c0_0); c0_1 = fma(a, w1, c0_1); c0_2 = fma(a, w2, c0_2); }
          { const float16 a = (float16)(z[64 + j]); c1_0 = fma(a, w0, c1_0); c1_1 = fma(a, w1, c1_1); c1_2 = fma(a, w2, c1_2); }
          { const float16 a = (float16)(z[128 + j]); c2_0 = fma(a, w0, c2_0); c2_1 = fma(a, w1, c2_1); c2_2 = fma(a, w2, c2_2); }
          { const float16 a = (float16)(z[192 + j]); c3_0 = fma(a, w0, c3_0); c3_1 = fma(a, w1, c3_1); c3_2 = fma(a, w2, c3_2); }
        }
        vstore16(c0_0, 0, sums + (r + 0) * 48 + c);
        vstore16(c0_1, 1, sums + (r + 0) * 48 + c);
        vstore16(c0_2, 2, sums + (r + 0) * 48 + c);
        vstore16(c1_0, 0, sums + (r + 1) * 48 + c);
        vstore16(c1_1, 1, sums + (r + 1) * 48 + c);
        vstore16(c1_2, 2, sums + (r + 1) * 48 + c);
        vstore16(c2_0, 0, sums + (r + 2) * 48 + c);
        vstore16(c2_1, 1, sums + (r + 2) * 48 + c);
        vstore16(c2_2, 2, sums + (r + 2) * 48 + c);
        vstore16(c3_0, 0, sums + (r + 3) * 48 + c);
        vstore16(c3_1, 1, sums + (r + 3) * 48 + c);
        vstore16(c3_2, 2, sums + (r + 3) * 48 + c);
      }
    }
  }
  for (int r = 0; r < count; r++) {
    const long row = begin + r;
    const float16 scale = (float16)(1 / total[r]);
    const long to = (i0)*7680 + (i1)*1920 + (row)*48;
    for (int v = 0; v < 3; v++) {
      const float16 sum = vload16(r * 3 + v, sums) * scale;
      vstore16(sum, 0, y + to + v * 16L);
    }
  }
}

