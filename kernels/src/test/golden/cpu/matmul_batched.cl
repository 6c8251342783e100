// A work item owns up to 33 rows x 32 columns of one matrix of the result, 8 rows at a time in
// registers. The right operand's columns are first put into an array of its own, [k][lane].
kernel __attribute__((reqd_work_group_size(1,1,1))) void matmul_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  long item = (long)get_global_id(0) + first;
  const long c0 = item % 3 * 32; item /= 3;
  const long chunk = item % 1; item /= 1;
  const long i1 = item % 4; item /= 4;
  const long i0 = item % ((long)n); item /= ((long)n);
  if (item > 0) return;
  const long end = chunk == 0 ? 33 : (chunk + 1) * 64;
  float panel[640];
  const int width = (int)min(32L, 65 - c0);
  for (int k = 0; k < 20; k++) {
    for (int j = 0; j < width; j++) panel[k * 32 + j] = x1[(i0)*5200 + (i1)*1300 + (k)*65 + (c0 + j)];
    for (int j = width; j < 32; j++) panel[k * 32 + j] = 0;
  }
  for (long r = chunk * 64; r < end; r += 8) {
    const long row = min(r, end - 8);
    float16 c0_0 = (float16)(0.0f);
    float16 c0_1 = (float16)(0.0f);
    float16 c1_0 = (float16)(0.0f);
    float16 c1_1 = (float16)(0.0f);
    float16 c2_0 = (float16)(0.0f);
    float16 c2_1 = (float16)(0.0f);
    float16 c3_0 = (float16)(0.0f);
    float16 c3_1 = (float16)(0.0f);
    float16 c4_0 = (float16)(0.0f);
    float16 c4_1 = (float16)(0.0f);
    float16 c5_0 = (float16)(0.0f);
    float16 c5_1 = (float16)(0.0f);
    float16 c6_0 = (float16)(0.0f);
    float16 c6_1 = (float16)(0.0f);
    float16 c7_0 = (float16)(0.0f);
    float16 c7_1 = (float16)(0.0f);
    for (long k = 0; k < 20; k++) {
      const float16 w0 = vload16(0, panel + k * 32);
      const float16 w1 = vload16(1, panel + k * 32);
      { const float16 a = (float16)(x0[(i0)*2640 + (i1)*660 + ((row + 0))*20 + k]); c0_0 = fma(a, w0, c0_0); c0_1 = fma(a, w1, c0_1); }
      { const float16 a = (float16)(x0[(i0)*2640 + (i1)*660 + ((row + 1))*20 + k]); c1_0 = fma(a, w0, c1_0); c1_1 = fma(a, w1, c1_1); }
      { const float16 a = (float16)(x0[(i0)*2640 + (i1)*660 + ((row + 2))*20 + k]); c2_0 = fma(a, w0, c2_0); c2_1 = fma(a, w1, c2_1); }
      { const float16 a = (float16)(x0[(i0)*2640 + (i1)*660 + ((row + 3))*20 + k]); c3_0 = fma(a, w0, c3_0); c3_1 = fma(a, w1, c3_1); }
      { const float16 a = (float16)(x0[(i0)*2640 + (i1)*660 + ((row + 4))*20 + k]); c4_0 = fma(a, w0, c4_0); c4_1 = fma(a, w1, c4_1); }
      { const float16 a = (float16)(x0[(i0)*2640 + (i1)*660 + ((row + 5))*20 + k]); c5_0 = fma(a, w0, c5_0); c5_1 = fma(a, w1, c5_1); }
      { const float16 a = (float16)(x0[(i0)*2640 + (i1)*660 + ((row + 6))*20 + k]); c6_0 = fma(a, w0, c6_0); c6_1 = fma(a, w1, c6_1); }
      { const float16 a = (float16)(x0[(i0)*2640 + (i1)*660 + ((row + 7))*20 + k]); c7_0 = fma(a, w0, c7_0); c7_1 = fma(a, w1, c7_1); }
    }
    float z[256];
    vstore16(c0_0, 0, z);
    vstore16(c0_1, 1, z);
    vstore16(c1_0, 2, z);
    vstore16(c1_1, 3, z);
    vstore16(c2_0, 4, z);
    vstore16(c2_1, 5, z);
    vstore16(c3_0, 6, z);
    vstore16(c3_1, 7, z);
    vstore16(c4_0, 8, z);
    vstore16(c4_1, 9, z);
    vstore16(c5_0, 10, z);
    vstore16(c5_1, 11, z);
    vstore16(c6_0, 12, z);
    vstore16(c6_1, 13, z);
    vstore16(c7_0, 14, z);
    vstore16(c7_1, 15, z);
    for (int t = 0; t < 8; t++) {
      for (int v = 0; v < 2; v++) {
        const long c = c0 + v * 16;
        const float16 raw = vload16(t * 2 + v, z);
        const long to = (i0)*8580 + (i1)*2145 + ((row + t))*65;
        if (c + 16 <= 65) {
          vstore16(raw, 0, y + to + (c / 16) * 16L);
        }
        else if (c < 65) {
          const int left = (int)(65 - c);
          float last[16];
          vstore16(raw, 0, last);
          global float* out = y + to + (c / 16) * 16L;
          for (int j = 0; j < left; j++) out[j] = last[j];
        }
      }
    }
  }
}

