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
OUTLINED void store_some_float(int count, float16 v, global float* to) {
  float some[16];
  vstore16(v, 0, some);
  for (int j = 0; j < count; j++) to[j] = some[j];
}
inline void store_float16(int count, float16 v, global float* to) {
  if (count == 16) {
    vstore16(v, 0, to);
    return;
  }
  #ifdef __AVX512F__
  __asm__ volatile("vmovups %0, (%1) %{%2%}" : : "v"(v), "r"(to), "Yk"((ushort)((1 << count) - 1)) : "memory");
  return;
  #endif
  store_some_float(count, v, to);
}
inline float16 exp_float16(float16 x) {
  const float16 least = select(x, (float16)(-104.0f), x < (float16)(-104.0f));
  const float16 t = select(least, (float16)(89.0f), least > (float16)(89.0f));
  const float16 whole = fma(t, (float16)(1.442695f), (float16)(12582912.0f));
  const float16 k = whole - (float16)(12582912.0f);
  const float16 r = fma(k, (float16)(1.9046543e-9f), fma(k, (float16)(-0.6931472f), t));
  const float16 e = fma(r * r, fma(r, fma(r, fma(r, fma(r, (float16)(0.0013814538f), (float16)(0.008368745f)), (float16)(0.04166839f)), (float16)(0.16666521f)), (float16)(0.49999994f)), r) + (float16)(1.0f);
  const int16 power = as_int16(whole) - (int16)(0x4B400000);
  const int16 part = power >> (int16)(1);
  const float16 scaled = e * as_float16((part + (int16)(127)) << (int16)(23));
  return scaled * as_float16((power - part + (int16)(127)) << (int16)(23));
}
inline float16 tanh_float16(float16 x) {
  const float16 s = x * x;
  const float16 near = fma(x * s, fma(s, fma(s, fma(s, fma(s, (float16)(-0.005439416f), (float16)(0.02039795f)), (float16)(-0.053665046f)), (float16)(0.13330543f)), (float16)(-0.33333248f)), x);
  const float16 size = fabs(x);
  const float16 far = (float16)(1.0f) - (float16)(2.0f) / (exp_float16(size + size) + (float16)(1.0f));
  const float16 of_sign = select(far, -far, x < (float16)(0.0f));
  return select(of_sign, near, size < (float16)(0.65f));
}
inline float16 gate_tanh_float16(float16 x) {
  const float16 least = select(x, (float16)(-9.02f), x < (float16)(-9.02f));
  const float16 t = select(least, (float16)(9.02f), least > (float16)(9.02f));
  const float16 s = t * t;
  return t * fma(s, fma(s, fma(s, fma(s, fma(s, (float16)(2.9426572E-11f), (float16)(9.811714E-8f)), (float16)(3.9822567E-5f)), (float16)(0.0043270285f)), (float16)(0.14024058f)), (float16)(1.0f)) / fma(s, fma(s, fma(s, fma(s, fma(s, (float16)(2.490857E-9f), (float16)(2.3834752E-6f)), (float16)(4.8209832E-4f)), (float16)(0.02885171f)), (float16)(0.47357383f)), (float16)(1.0f));
}
inline float16 gate_sigmoid_float16(float16 x) {
  return fma(gate_tanh_float16(x * (float16)(0.5f)), (float16)(0.5f), (float16)(0.5f));
}
// A work item takes 4 rows of the batch through all steps, rows behind the last 4 one by one. In a step it
// goes over the states 16 elements at a time:
//
//             16 elements of each gate
//           +--------+--------+--
//  row + 0  |  c0_0  |  c0_1  | ...  += state[k] (one float of the row, broadcast) * one packed vector
//  row + 1  |  c1_0  |  c1_1  | ...     of weights, for each k
//  ...      |  ...   |  ...   |
//           +--------+--------+--
//
// Then it makes the next states of them, in vectors. w: [block][k][gate][lane], packed at load, so that a step
// reads its weights from front to back. States are in scratch, which a core's first cache holds.
kernel __attribute__((reqd_work_group_size(1,1,1))) void recurrent_lstm_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global const float* w = (global const float*)(pool + o1);
  global float* y_states = (global float*)(pool + o2);
  global float* states = (global float*)(pool + o3);
  const long rows = ((long)n);
  long row = ((long)get_global_id(0) + first) * 4;
  if (row >= rows) return;
  if (row + 4 <= rows) {
    global float* s = states + row * 768;
    long length[4];
    for (int r = 0; r < 4; r++) {
      length[r] = 10;
      global float* own = s + r * 768;
      for (long j = 0; j < 768; j++) own[j] = 0;
    }
    for (long step = 0; step < 10; step++) {
      const long before = (step & 1) ? 256 : 0;
      const long next = 256 - before;
      for (long b = 0; b < 14; b += 1) {
        const long block = (step & 1) ? 13 - b : b;
        float16 z[16];
        {
          global const float* v = w + 0 + block * 13440;
          global const float* a = s + before;
          float16 c0 = (float16)(0.0f);
          float16 c1 = (float16)(0.0f);
          float16 c2 = (float16)(0.0f);
          float16 c3 = (float16)(0.0f);
          float16 c4 = (float16)(0.0f);
          float16 c5 = (float16)(0.0f);
          float16 c6 = (float16)(0.0f);
          float16 c7 = (float16)(0.0f);
          float16 c8 = (float16)(0.0f);
          float16 c9 = (float16)(0.0f);
          float16 c10 = (float16)(0.0f);
          float16 c11 = (float16)(0.0f);
          float16 c12 = (float16)(0.0f);
          float16 c13 = (float16)(0.0f);
          float16 c14 = (float16)(0.0f);
          float16 c15 = (float16)(0.0f);
          for (long k = 0; k < 210; k++) {
            const float16 w0 = vload16(k * 4 + 0, v + 0);
            const float16 w1 = vload16(k * 4 + 1, v + 0);
            const float16 w2 = vload16(k * 4 + 2, v + 0);
            const float16 w3 = vload16(k * 4 + 3, v + 0);
            { const float16 x = (float16)(a[0 + k]); c0 = fma(x, w0, c0); c1 = fma(x, w1, c1); c2 = fma(x, w2, c2); c3 = fma(x, w3, c3); }
            { const float16 x = (float16)(a[768 + k]); c4 = fma(x, w0, c4); c5 = fma(x, w1, c5); c6 = fma(x, w2, c6); c7 = fma(x, w3, c7); }
            { const float16 x = (float16)(a[1536 + k]); c8 = fma(x, w0, c8); c9 = fma(x, w1, c9); c10 = fma(x, w2, c10); c11 = fma(x, w3, c11); }
            { const float16 x = (float16)(a[2304 + k]); c12 = fma(x, w0, c12); c13 = fma(x, w1, c13); c14 = fma(x, w2, c14); c15 = fma(x, w3, c15); }
          }
          z[0] = c0;
          z[1] = c1;
          z[2] = c2;
          z[3] = c3;
          z[4] = c4;
          z[5] = c5;
          z[6] = c6;
          z[7] = c7;
          z[8] = c8;
          z[9] = c9;
          z[10] = c10;
          z[11] = c11;
          z[12] = c12;
          z[13] = c13;
          z[14] = c14;
          z[15] = c15;
        }
        for (int i = 0; i < 4; i++) {
          const int r = i / 1;
          const long at = (block + i % 1) * 16;
          if (at >= 210) continue;
          const int left = (int)min(16L, 210 - at);
          global float* own = s + r * 768;
          const long t = step;
          if (step < length[r]) {
            const float16 s0 = z[i * 4 + 0];
            const float16 s1 = z[i * 4 + 1];
            const float16 s2 = z[i * 4 + 2];
            const float16 s3 = z[i * 4 + 3];
            const float16 x0 = load_float16(left, x + (t)*(840*(long)n) + ((row + r))*840 + (0 + at));
            const float16 x1 = load_float16(left, x + (t)*(840*(long)n) + ((row + r))*840 + (210 + at));
            const float16 x2 = load_float16(left, x + (t)*(840*(long)n) + ((row + r))*840 + (420 + at));
            const float16 x3 = load_float16(left, x + (t)*(840*(long)n) + ((row + r))*840 + (630 + at));
            const float16 cell = vload16(0, own + 512 + at);
            float16 enter;
            {
              const float16 v = x0 + s0;
              enter = gate_sigmoid_float16(v);
            }
            float16 forget;
            {
              const float16 v = x2 + s2;
              forget = gate_sigmoid_float16(v);
            }
            float16 fresh;
            {
              const float16 v = x3 + s3;
              fresh = gate_tanh_float16(v);
            }
            const float16 after = forget * cell + enter * fresh;
            float16 leave;
            {
              const float16 v = x1 + s1;
              leave = gate_sigmoid_float16(v);
            }
            float16 shown;
            {
              const float16 v = after;
              shown = gate_tanh_float16(v);
            }
            const float16 hidden = leave * shown;
            vstore16(hidden, 0, own + next + at);
            vstore16(after, 0, own + 512 + at);
            store_float16(left, hidden, y_states + (t)*(210*(long)n) + ((row + r))*210 + at);
          }
        }
      }
    }
    return;
  }
  for (const long end = min(rows, row + 4); row < end; row++) {
    global float* s = states + row * 768;
    long length[1];
    for (int r = 0; r < 1; r++) {
      length[r] = 10;
      global float* own = s + r * 768;
      for (long j = 0; j < 768; j++) own[j] = 0;
    }
    for (long step = 0; step < 10; step++) {
      const long before = (step & 1) ? 256 : 0;
      const long next = 256 - before;
      for (long b = 0; b < 16; b += 4) {
        const long block = (step & 1) ? 12 - b : b;
        float16 z[16];
        {
          global const float* v = w + 0 + block * 13440;
          global const float* a = s + before;
          float16 c0 = (float16)(0.0f);
          float16 c1 = (float16)(0.0f);
          float16 c2 = (float16)(0.0f);
          float16 c3 = (float16)(0.0f);
          float16 c4 = (float16)(0.0f);
          float16 c5 = (float16)(0.0f);
          float16 c6 = (float16)(0.0f);
          float16 c7 = (float16)(0.0f);
          float16 c8 = (float16)(0.0f);
          float16 c9 = (float16)(0.0f);
          float16 c10 = (float16)(0.0f);
          float16 c11 = (float16)(0.0f);
          float16 c12 = (float16)(0.0f);
          float16 c13 = (float16)(0.0f);
          float16 c14 = (float16)(0.0f);
          float16 c15 = (float16)(0.0f);
          for (long k = 0; k < 210; k++) {
            const float16 w0 = vload16(k * 4 + 0, v + 0);
            const float16 w1 = vload16(k * 4 + 1, v + 0);
            const float16 w2 = vload16(k * 4 + 2, v + 0);
            const float16 w3 = vload16(k * 4 + 3, v + 0);
            const float16 w4 = vload16(k * 4 + 0, v + 13440);
            const float16 w5 = vload16(k * 4 + 1, v + 13440);
            const float16 w6 = vload16(k * 4 + 2, v + 13440);
            const float16 w7 = vload16(k * 4 + 3, v + 13440);
            const float16 w8 = vload16(k * 4 + 0, v + 26880);
            const float16 w9 = vload16(k * 4 + 1, v + 26880);
            const float16 w10 = vload16(k * 4 + 2, v + 26880);
            const float16 w11 = vload16(k * 4 + 3, v + 26880);
            const float16 w12 = vload16(k * 4 + 0, v + 40320);
            const float16 w13 = vload16(k * 4 + 1, v + 40320);
            const float16 w14 = vload16(k * 4 + 2, v + 40320);
            const float16 w15 = vload16(k * 4 + 3, v + 40320);
            { const float16 x = (float16)(a[0 + k]); c0 = fma(x, w0, c0); c1 = fma(x, w1, c1); c2 = fma(x, w2, c2); c3 = fma(x, w3, c3); c4 = fma(x, w4, c4); c5 = fma(x, w5, c5); c6 = fma(x, w6, c6); c7 = fma(x, w7, c7); c8 = fma(x, w8, c8); c9 = fma(x, w9, c9); c10 = fma(x, w10, c10); c11 = fma(x, w11, c11); c12 = fma(x, w12, c12); c13 = fma(x, w13, c13); c14 = fma(x, w14, c14); c15 = fma(x, w15, c15); }
          }
          z[0] = c0;
          z[1] = c1;
          z[2] = c2;
          z[3] = c3;
          z[4] = c4;
          z[5] = c5;
          z[6] = c6;
          z[7] = c7;
          z[8] = c8;
          z[9] = c9;
          z[10] = c10;
          z[11] = c11;
          z[12] = c12;
          z[13] = c13;
          z[14] = c14;
          z[15] = c15;
        }
        for (int i = 0; i < 4; i++) {
          const int r = i / 4;
          const long at = (block + i % 4) * 16;
          if (at >= 210) continue;
          const int left = (int)min(16L, 210 - at);
          global float* own = s + r * 768;
          const long t = step;
          if (step < length[r]) {
            const float16 s0 = z[i * 4 + 0];
            const float16 s1 = z[i * 4 + 1];
            const float16 s2 = z[i * 4 + 2];
            const float16 s3 = z[i * 4 + 3];
            const float16 x0 = load_float16(left, x + (t)*(840*(long)n) + ((row + r))*840 + (0 + at));
            const float16 x1 = load_float16(left, x + (t)*(840*(long)n) + ((row + r))*840 + (210 + at));
            const float16 x2 = load_float16(left, x + (t)*(840*(long)n) + ((row + r))*840 + (420 + at));
            const float16 x3 = load_float16(left, x + (t)*(840*(long)n) + ((row + r))*840 + (630 + at));
            const float16 cell = vload16(0, own + 512 + at);
            float16 enter;
            {
              const float16 v = x0 + s0;
              enter = gate_sigmoid_float16(v);
            }
            float16 forget;
            {
              const float16 v = x2 + s2;
              forget = gate_sigmoid_float16(v);
            }
            float16 fresh;
            {
              const float16 v = x3 + s3;
              fresh = gate_tanh_float16(v);
            }
            const float16 after = forget * cell + enter * fresh;
            float16 leave;
            {
              const float16 v = x1 + s1;
              leave = gate_sigmoid_float16(v);
            }
            float16 shown;
            {
              const float16 v = after;
              shown = gate_tanh_float16(v);
            }
            const float16 hidden = leave * shown;
            vstore16(hidden, 0, own + next + at);
            vstore16(after, 0, own + 512 + at);
            store_float16(left, hidden, y_states + (t)*(210*(long)n) + ((row + r))*210 + at);
          }
        }
      }
    }
  }
}

