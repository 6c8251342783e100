#ifdef POCL_DEVICE_ADDRESS_BITS
#define OUTLINED __attribute__((noinline))
#else
#define OUTLINED
#endif
OUTLINED float16 gather_some_float(int count, global const float* from, long stride) {
  float some[16] = {0};
  for (int j = 0; j < count; j++) some[j] = from[j * stride];
  return vload16(0, some);
}
inline float16 gather_float16(int count, global const float* from, long stride) {
  return count == 16 ? (float16)(from[0 * stride], from[1 * stride], from[2 * stride], from[3 * stride], from[4 * stride], from[5 * stride], from[6 * stride], from[7 * stride], from[8 * stride], from[9 * stride], from[10 * stride], from[11 * stride], from[12 * stride], from[13 * stride], from[14 * stride], from[15 * stride]) : gather_some_float(count, from, stride);
}
// A work item owns a few runs of 16 neighbouring elements, and takes 16 of them at a time in a vector.
// All arrays are read in the order of the result's memory: vector by vector;
// elements that lie apart there are gathered, each from an address that is one stride on.
kernel __attribute__((reqd_work_group_size(1,1,1))) void convert_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long p0 = item % ((long)n); item /= ((long)n);
  for (long p1 = 0; p1 < 4; p1++) {
    for (long p2 = 0; p2 < 64; p2++) {
      for (long e = 0; e < 16; e += 16) {
        const float16 v0 = gather_float16(16, x0 + p0 * 4096 + p1 * 1024 + p2 * 1 + e * 64, 64);
        vstore16(v0, 0, y + p0 * 4096 + p1 * 1024 + p2 * 16 + e);
      }
    }
  }
}

// A work item owns up to 4 tiles of 4 x 4 pixels of an image, with 32 of their channels.
//
//  6 x 6 inputs of a tile -> u: [product][tile][input channel]      columns, then rows
//  for each 32 output channels
//    m: [product][tile][lane] = u * w, 4 x 32 sums in registers for each of 36 products
//    m -> 4 x 4 results of a tile                              columns, then rows
//
// x: sixteen channels innermost (NCHW16c). w: [block of 32 channels][product][input channel][lane], the
// filters transformed. y: sixteen channels innermost (NCHW16c).
kernel __attribute__((reqd_work_group_size(1,1,1))) void conv_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global const float* w = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  long item = (long)get_global_id(0) + first;
  const int group = item % 1; item /= 1;
  const int part = item % 2; item /= 2;
  const int from = group * 4;
  if (item >= ((long)n)) return;
  x += 0 + item * 4096;
  w += part * 73728L;
  const int some = min(4, ((3 - from) / 4 + 1) * 4);
  float u[9792];
  float m[5184];
  float16 q[36];
  #pragma unroll 1
  for (int t = 0; t < some; t++) {
    const int tile = min(from + t, 3);
    const int iy = tile / 2 * 4 - 1;
    const int ix = tile % 2 * 4 - 1;
    const int inside = iy >= 0 && ix >= 0 && iy + 6 <= 8 && ix + 6 <= 8;
    #pragma unroll 1
    for (int cb = 0; cb < 4; cb++) {
      global const float* xb = x + cb * 1024L + iy * 128L + ix * 16L;
      if (inside) {
        #pragma unroll 1
        for (int j = 0; j < 6; j++, xb += 16) {
          const float16 i0 = vload16(0, xb + 0);
          const float16 i1 = vload16(0, xb + 128);
          const float16 i2 = vload16(0, xb + 256);
          const float16 i3 = vload16(0, xb + 384);
          const float16 i4 = vload16(0, xb + 512);
          const float16 i5 = vload16(0, xb + 640);
          const float16 p0 = fma((float16)(-4.0f), i2, i4);
          const float16 p1 = fma((float16)(-4.0f), i1, i3);
          const float16 p2 = i4 - i2;
          const float16 p3 = i3 - i1;
          const float16 o0 = fma((float16)(4.0f), i0, fma((float16)(-5.0f), i2, i4));
          const float16 o1 = p0 + p1;
          const float16 o2 = p0 - p1;
          const float16 o3 = fma((float16)(2.0f), p3, p2);
          const float16 o4 = fma((float16)(-2.0f), p3, p2);
          const float16 o5 = fma((float16)(4.0f), i1, fma((float16)(-5.0f), i3, i5));
          q[0 + j] = o0;
          q[6 + j] = o1;
          q[12 + j] = o2;
          q[18 + j] = o3;
          q[24 + j] = o4;
          q[30 + j] = o5;
        }
      } else {
        #pragma unroll 1
        for (int j = 0; j < 6; j++, xb += 16) {
          float16 i0 = (float16)(0.0f);
          float16 i1 = (float16)(0.0f);
          float16 i2 = (float16)(0.0f);
          float16 i3 = (float16)(0.0f);
          float16 i4 = (float16)(0.0f);
          float16 i5 = (float16)(0.0f);
          if (ix + j >= 0 && ix + j < 8) {
            if (iy + 0 >= 0 && iy + 0 < 8) i0 = vload16(0, xb + 0);
            if (iy + 1 >= 0 && iy + 1 < 8) i1 = vload16(0, xb + 128);
            if (iy + 2 >= 0 && iy + 2 < 8) i2 = vload16(0, xb + 256);
            if (iy + 3 >= 0 && iy + 3 < 8) i3 = vload16(0, xb + 384);
            if (iy + 4 >= 0 && iy + 4 < 8) i4 = vload16(0, xb + 512);
            if (iy + 5 >= 0 && iy + 5 < 8) i5 = vload16(0, xb + 640);
          }
          const float16 p0 = fma((float16)(-4.0f), i2, i4);
          const float16 p1 = fma((float16)(-4.0f), i1, i3);
          const float16 p2 = i4 - i2;
          const float16 p3 = i3 - i1;
          const float16 o0 = fma((float16)(4.0f), i0, fma((float16)(-5.0f), i2, i4));
          const float16 o1 = p0 + p1;
          const float16 o2 = p0 - p1;
          const float16 o3 = fma((float16)(2.0f), p3, p2);
          const float16 o4 = fma((float16)(-2.0f), p3, p2);
          const float16 o5 = fma((float16)(4.0f), i1, fma((float16)(-5.0f), i3, i5));
          q[0 + j] = o0;
          q[6 + j] = o1;
          q[12 + j] = o2;
          q[18 + j] = o3;
          q[24 + j] = o4;
          q[30 + j] = o5;
        }
      }
      #pragma unroll 1
      for (int i = 0; i < 6; i++) {
        const float16 i0 = q[i * 6 + 0];
        const float16 i1 = q[i * 6 + 1];
        const float16 i2 = q[i * 6 + 2];
        const float16 i3 = q[i * 6 + 3];
        const float16 i4 = q[i * 6 + 4];
        const float16 i5 = q[i * 6 + 5];
        const float16 p0 = fma((float16)(-4.0f), i2, i4);
        const float16 p1 = fma((float16)(-4.0f), i1, i3);
        const float16 p2 = i4 - i2;
        const float16 p3 = i3 - i1;
        const float16 o0 = fma((float16)(4.0f), i0, fma((float16)(-5.0f), i2, i4));
        const float16 o1 = p0 + p1;
        const float16 o2 = p0 - p1;
        const float16 o3 = fma((float16)(2.0f), p3, p2);
        const float16 o4 = fma((float16)(-2.0f), p3, p2);
        const float16 o5 = fma((float16)(4.0f), i1, fma((float16)(-5.0f), i3, i5));
        float* to = u + i * 1632 + t * 64 + cb * 16;
        vstore16(o0, 0, to + 0);
        vstore16(o1, 0, to + 272);
        vstore16(o2, 0, to + 544);
        vstore16(o3, 0, to + 816);
        vstore16(o4, 0, to + 1088);
        vstore16(o5, 0, to + 1360);
      }
    }
  }
  #pragma unroll 1
  for (int pass = 0; pass < 1; pass++) {
    #pragma unroll 1
    for (int f = 0; f < 36; f++, w += 2048) {
      #pragma unroll 1
      for (int t = 0; t < some; t += 4) {
        const float* uf = u + f * 272 + t * 64;
        global const float* wf = w;
        float16 a0_0 = (float16)(0.0f);
        float16 a0_1 = (float16)(0.0f);
        float16 a1_0 = (float16)(0.0f);
        float16 a1_1 = (float16)(0.0f);
        float16 a2_0 = (float16)(0.0f);
        float16 a2_1 = (float16)(0.0f);
        float16 a3_0 = (float16)(0.0f);
        float16 a3_1 = (float16)(0.0f);
        #pragma unroll 1
        for (int c = 0; c < 64; c++, wf += 32) {
          const float16 w0 = vload16(0, wf);
          const float16 w1 = vload16(1, wf);
          { const float16 v = (float16)(uf[0 + c]); a0_0 = fma(v, w0, a0_0); a0_1 = fma(v, w1, a0_1); }
          { const float16 v = (float16)(uf[64 + c]); a1_0 = fma(v, w0, a1_0); a1_1 = fma(v, w1, a1_1); }
          { const float16 v = (float16)(uf[128 + c]); a2_0 = fma(v, w0, a2_0); a2_1 = fma(v, w1, a2_1); }
          { const float16 v = (float16)(uf[192 + c]); a3_0 = fma(v, w0, a3_0); a3_1 = fma(v, w1, a3_1); }
        }
        float* to = m + f * 144 + t * 32;
        vstore16(a0_0, 0, to);
        vstore16(a0_1, 1, to);
        vstore16(a1_0, 2, to);
        vstore16(a1_1, 3, to);
        vstore16(a2_0, 4, to);
        vstore16(a2_1, 5, to);
        vstore16(a3_0, 6, to);
        vstore16(a3_1, 7, to);
      }
    }
    #pragma unroll 1
    for (int t = 0; t < some; t++) {
      const int tile = from + t;
      if (tile > 3) break;
      const int top = tile / 2 * 4;
      const int left = tile % 2 * 4;
      const int end = min(top + 4, 8);
      #pragma unroll 1
      for (int b = 0; b < 2; b++) {
        const int ob = (part * 1 + pass) * 2 + b;
        if (ob >= 4) break;
        const float* mb = m + t * 32 + b * 16;
        #pragma unroll 1
        for (int k = 0; k < 6; k++, mb += 144) {
          const float16 i0 = vload16(0, mb + 0);
          const float16 i1 = vload16(0, mb + 864);
          const float16 i2 = vload16(0, mb + 1728);
          const float16 i3 = vload16(0, mb + 2592);
          const float16 i4 = vload16(0, mb + 3456);
          const float16 i5 = vload16(0, mb + 4320);
          const float16 p0 = i1 + i2;
          const float16 p1 = i1 - i2;
          const float16 p2 = i3 + i4;
          const float16 p3 = i3 - i4;
          const float16 o0 = i0 + p0 + p2;
          const float16 o1 = fma((float16)(2.0f), p3, p1);
          const float16 o2 = fma((float16)(4.0f), p2, p0);
          const float16 o3 = fma((float16)(8.0f), p3, p1) + i5;
          q[0 + k] = o0;
          q[6 + k] = o1;
          q[12 + k] = o2;
          q[18 + k] = o3;
        }
        #pragma unroll 1
        for (int oy = top; oy < end; oy++) {
          const float16* qr = q + (oy - top) * 6;
          const float16 i0 = qr[0];
          const float16 i1 = qr[1];
          const float16 i2 = qr[2];
          const float16 i3 = qr[3];
          const float16 i4 = qr[4];
          const float16 i5 = qr[5];
          const float16 p0 = i1 + i2;
          const float16 p1 = i1 - i2;
          const float16 p2 = i3 + i4;
          const float16 p3 = i3 - i4;
          const float16 o0 = i0 + p0 + p2;
          const float16 o1 = fma((float16)(2.0f), p3, p1);
          const float16 o2 = fma((float16)(4.0f), p2, p0);
          const float16 o3 = fma((float16)(8.0f), p3, p1) + i5;
          const long at = 0 + item * 4096 + ob * 1024L + oy * 128L;
          {
            vstore16(select(o0, (float16)(0.0f), ((o0) < ((float16)(0.0f)))), 0, y + at + (left + 0) * 16L);
          }
          {
            vstore16(select(o1, (float16)(0.0f), ((o1) < ((float16)(0.0f)))), 0, y + at + (left + 1) * 16L);
          }
          {
            vstore16(select(o2, (float16)(0.0f), ((o2) < ((float16)(0.0f)))), 0, y + at + (left + 2) * 16L);
          }
          {
            vstore16(select(o3, (float16)(0.0f), ((o3) < ((float16)(0.0f)))), 0, y + at + (left + 3) * 16L);
          }
        }
      }
    }
  }
}

// A work item owns a few runs of 64 neighbouring elements, and takes 16 of them at a time in a vector.
// All arrays are read in the order of the result's memory: vector by vector;
// elements that lie apart there are gathered, each from an address that is one stride on.
kernel __attribute__((reqd_work_group_size(1,1,1))) void output_2(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long p0 = item % ((long)n); item /= ((long)n);
  for (long p1 = 0; p1 < 4; p1++) {
    for (long p2 = 0; p2 < 16; p2++) {
      for (long e = 0; e < 64; e += 16) {
        const float16 v0 = gather_float16(16, x0 + p0 * 4096 + p1 * 1024 + p2 * 1 + e * 16, 16);
        vstore16(v0, 0, y + p0 * 4096 + p1 * 1024 + p2 * 64 + e);
      }
    }
  }
}

