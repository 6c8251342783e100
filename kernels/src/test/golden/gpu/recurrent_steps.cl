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
// A work-group puts the initial states of a row where the first step finds them.
kernel __attribute__((reqd_work_group_size(128,1,1))) void recurrent_lstm_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global const float* w = (global const float*)(pool + o1);
  global float* y_states = (global float*)(pool + o2);
  global float* states = (global float*)(pool + o3);
  const long row = (long)first + get_group_id(0);
  global float* s = states + row * 630;
  for (long j = get_local_id(0); j < 210; j += 128) {
    s[0 + j] = 0;
    s[420 + j] = 0;
  }
}

// A phase of a step. A work-group makes 4 elements of 1 rows: 32 work items share the products of an
// element, neighbours with neighbours of the states and the weights.
kernel __attribute__((reqd_work_group_size(128,1,1))) void recurrent_lstm_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global const float* w = (global const float*)(pool + o1);
  global float* y_states = (global float*)(pool + o2);
  global float* states = (global float*)(pool + o3);
  const long turn = (long)first + get_group_id(0);
  const long first_element = (long)get_group_id(1) * 4;
  const long first_row = (long)get_group_id(2) * 1;
  local float shares[528];
  local float sums[16];
  const long step = turn;
  const long before = (step & 1) ? 210 : 0;
  const long next = 210 - before;
  {
    const long j = min(first_element + (long)get_local_id(0) / 32, 210 - 1L);
    global const float* h0 = states + min(first_row + 0, ((long)n) - 1L) * 630 + before;
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    for (long k = (long)get_local_id(0) % 32 * 1; k < 210; k += 32) {
      const float a0 = h0[k];
      const float w0 = w[((0 + j))*210 + k];
      s0 = fma(a0, w0, s0);
      const float w1 = w[((210 + j))*210 + k];
      s1 = fma(a0, w1, s1);
      const float w2 = w[((420 + j))*210 + k];
      s2 = fma(a0, w2, s2);
      const float w3 = w[((630 + j))*210 + k];
      s3 = fma(a0, w3, s3);
    }
    shares[(get_local_id(0) / 32 * 4 + 0) * 33 + get_local_id(0) % 32] = s0;
    shares[(get_local_id(0) / 32 * 4 + 1) * 33 + get_local_id(0) % 32] = s1;
    shares[(get_local_id(0) / 32 * 4 + 2) * 33 + get_local_id(0) % 32] = s2;
    shares[(get_local_id(0) / 32 * 4 + 3) * 33 + get_local_id(0) % 32] = s3;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) < 16) {
    float sum = 0;
    UNROLL
    for (int i = 0; i < 32; i++) sum += shares[get_local_id(0) * 33 + i];
    sums[get_local_id(0)] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) < 4) {
    const long j = first_element + (long)get_local_id(0) % 4;
    const long row = first_row + (long)get_local_id(0) / 4;
    if (j < 210 && row < ((long)n)) {
      global float* s = states + row * 630;
      const long length = 10;
      const long t = step;
      const float s0 = sums[get_local_id(0) % 4 * 4 + 0 + get_local_id(0) / 4];
      const float s1 = sums[get_local_id(0) % 4 * 4 + 1 + get_local_id(0) / 4];
      const float s2 = sums[get_local_id(0) % 4 * 4 + 2 + get_local_id(0) / 4];
      const float s3 = sums[get_local_id(0) % 4 * 4 + 3 + get_local_id(0) / 4];
      if (step < length) {
        const float x0 = x[(t)*(840*(long)n) + (row)*840 + (0 + j)];
        const float x1 = x[(t)*(840*(long)n) + (row)*840 + (210 + j)];
        const float x2 = x[(t)*(840*(long)n) + (row)*840 + (420 + j)];
        const float x3 = x[(t)*(840*(long)n) + (row)*840 + (630 + j)];
        const float cell = s[420 + j];
        float enter;
        {
          const float v = x0 + s0;
          enter = ((float)1 / (((1.0f) + (exp((-(v)))))));
        }
        float forget;
        {
          const float v = x2 + s2;
          forget = ((float)1 / (((1.0f) + (exp((-(v)))))));
        }
        float fresh;
        {
          const float v = x3 + s3;
          fresh = tanh(v);
        }
        const float after = forget * cell + enter * fresh;
        float leave;
        {
          const float v = x1 + s1;
          leave = ((float)1 / (((1.0f) + (exp((-(v)))))));
        }
        float shown;
        {
          const float v = after;
          shown = tanh(v);
        }
        const float hidden = leave * shown;
        s[next + j] = hidden;
        s[420 + j] = after;
        y_states[(t)*(210*(long)n) + (row)*210 + j] = hidden;
      } else {
        s[next + j] = s[before + j];
        y_states[(t)*(210*(long)n) + (row)*210 + j] = (float)0;
      }
    }
  }
  GROUP_END
}

// A phase of a step. A work-group makes 4 elements of 8 rows: 32 work items share the products of an
// element, neighbours with neighbours of the states and the weights.
kernel __attribute__((reqd_work_group_size(128,1,1))) void recurrent_lstm_2(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global const float* w = (global const float*)(pool + o1);
  global float* y_states = (global float*)(pool + o2);
  global float* states = (global float*)(pool + o3);
  const long turn = (long)first + get_group_id(0);
  const long first_element = (long)get_group_id(1) * 4;
  const long first_row = (long)get_group_id(2) * 8;
  local float shares[4224];
  local float sums[128];
  const long step = turn;
  const long before = (step & 1) ? 210 : 0;
  const long next = 210 - before;
  {
    const long j = min(first_element + (long)get_local_id(0) / 32, 210 - 1L);
    global const float* h0 = states + min(first_row + 0, ((long)n) - 1L) * 630 + before;
    global const float* h1 = states + min(first_row + 1, ((long)n) - 1L) * 630 + before;
    global const float* h2 = states + min(first_row + 2, ((long)n) - 1L) * 630 + before;
    global const float* h3 = states + min(first_row + 3, ((long)n) - 1L) * 630 + before;
    global const float* h4 = states + min(first_row + 4, ((long)n) - 1L) * 630 + before;
    global const float* h5 = states + min(first_row + 5, ((long)n) - 1L) * 630 + before;
    global const float* h6 = states + min(first_row + 6, ((long)n) - 1L) * 630 + before;
    global const float* h7 = states + min(first_row + 7, ((long)n) - 1L) * 630 + before;
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    float s4 = 0;
    float s5 = 0;
    float s6 = 0;
    float s7 = 0;
    float s8 = 0;
    float s9 = 0;
    float s10 = 0;
    float s11 = 0;
    float s12 = 0;
    float s13 = 0;
    float s14 = 0;
    float s15 = 0;
    float s16 = 0;
    float s17 = 0;
    float s18 = 0;
    float s19 = 0;
    float s20 = 0;
    float s21 = 0;
    float s22 = 0;
    float s23 = 0;
    float s24 = 0;
    float s25 = 0;
    float s26 = 0;
    float s27 = 0;
    float s28 = 0;
    float s29 = 0;
    float s30 = 0;
    float s31 = 0;
    for (long k = (long)get_local_id(0) % 32 * 1; k < 210; k += 32) {
      const float a0 = h0[k];
      const float a1 = h1[k];
      const float a2 = h2[k];
      const float a3 = h3[k];
      const float a4 = h4[k];
      const float a5 = h5[k];
      const float a6 = h6[k];
      const float a7 = h7[k];
      const float w0 = w[((0 + j))*210 + k];
      s0 = fma(a0, w0, s0);
      s1 = fma(a1, w0, s1);
      s2 = fma(a2, w0, s2);
      s3 = fma(a3, w0, s3);
      s4 = fma(a4, w0, s4);
      s5 = fma(a5, w0, s5);
      s6 = fma(a6, w0, s6);
      s7 = fma(a7, w0, s7);
      const float w1 = w[((210 + j))*210 + k];
      s8 = fma(a0, w1, s8);
      s9 = fma(a1, w1, s9);
      s10 = fma(a2, w1, s10);
      s11 = fma(a3, w1, s11);
      s12 = fma(a4, w1, s12);
      s13 = fma(a5, w1, s13);
      s14 = fma(a6, w1, s14);
      s15 = fma(a7, w1, s15);
      const float w2 = w[((420 + j))*210 + k];
      s16 = fma(a0, w2, s16);
      s17 = fma(a1, w2, s17);
      s18 = fma(a2, w2, s18);
      s19 = fma(a3, w2, s19);
      s20 = fma(a4, w2, s20);
      s21 = fma(a5, w2, s21);
      s22 = fma(a6, w2, s22);
      s23 = fma(a7, w2, s23);
      const float w3 = w[((630 + j))*210 + k];
      s24 = fma(a0, w3, s24);
      s25 = fma(a1, w3, s25);
      s26 = fma(a2, w3, s26);
      s27 = fma(a3, w3, s27);
      s28 = fma(a4, w3, s28);
      s29 = fma(a5, w3, s29);
      s30 = fma(a6, w3, s30);
      s31 = fma(a7, w3, s31);
    }
    shares[(get_local_id(0) / 32 * 32 + 0) * 33 + get_local_id(0) % 32] = s0;
    shares[(get_local_id(0) / 32 * 32 + 1) * 33 + get_local_id(0) % 32] = s1;
    shares[(get_local_id(0) / 32 * 32 + 2) * 33 + get_local_id(0) % 32] = s2;
    shares[(get_local_id(0) / 32 * 32 + 3) * 33 + get_local_id(0) % 32] = s3;
    shares[(get_local_id(0) / 32 * 32 + 4) * 33 + get_local_id(0) % 32] = s4;
    shares[(get_local_id(0) / 32 * 32 + 5) * 33 + get_local_id(0) % 32] = s5;
    shares[(get_local_id(0) / 32 * 32 + 6) * 33 + get_local_id(0) % 32] = s6;
    shares[(get_local_id(0) / 32 * 32 + 7) * 33 + get_local_id(0) % 32] = s7;
    shares[(get_local_id(0) / 32 * 32 + 8) * 33 + get_local_id(0) % 32] = s8;
    shares[(get_local_id(0) / 32 * 32 + 9) * 33 + get_local_id(0) % 32] = s9;
    shares[(get_local_id(0) / 32 * 32 + 10) * 33 + get_local_id(0) % 32] = s10;
    shares[(get_local_id(0) / 32 * 32 + 11) * 33 + get_local_id(0) % 32] = s11;
    shares[(get_local_id(0) / 32 * 32 + 12) * 33 + get_local_id(0) % 32] = s12;
    shares[(get_local_id(0) / 32 * 32 + 13) * 33 + get_local_id(0) % 32] = s13;
    shares[(get_local_id(0) / 32 * 32 + 14) * 33 + get_local_id(0) % 32] = s14;
    shares[(get_local_id(0) / 32 * 32 + 15) * 33 + get_local_id(0) % 32] = s15;
    shares[(get_local_id(0) / 32 * 32 + 16) * 33 + get_local_id(0) % 32] = s16;
    shares[(get_local_id(0) / 32 * 32 + 17) * 33 + get_local_id(0) % 32] = s17;
    shares[(get_local_id(0) / 32 * 32 + 18) * 33 + get_local_id(0) % 32] = s18;
    shares[(get_local_id(0) / 32 * 32 + 19) * 33 + get_local_id(0) % 32] = s19;
    shares[(get_local_id(0) / 32 * 32 + 20) * 33 + get_local_id(0) % 32] = s20;
    shares[(get_local_id(0) / 32 * 32 + 21) * 33 + get_local_id(0) % 32] = s21;
    shares[(get_local_id(0) / 32 * 32 + 22) * 33 + get_local_id(0) % 32] = s22;
    shares[(get_local_id(0) / 32 * 32 + 23) * 33 + get_local_id(0) % 32] = s23;
    shares[(get_local_id(0) / 32 * 32 + 24) * 33 + get_local_id(0) % 32] = s24;
    shares[(get_local_id(0) / 32 * 32 + 25) * 33 + get_local_id(0) % 32] = s25;
    shares[(get_local_id(0) / 32 * 32 + 26) * 33 + get_local_id(0) % 32] = s26;
    shares[(get_local_id(0) / 32 * 32 + 27) * 33 + get_local_id(0) % 32] = s27;
    shares[(get_local_id(0) / 32 * 32 + 28) * 33 + get_local_id(0) % 32] = s28;
    shares[(get_local_id(0) / 32 * 32 + 29) * 33 + get_local_id(0) % 32] = s29;
    shares[(get_local_id(0) / 32 * 32 + 30) * 33 + get_local_id(0) % 32] = s30;
    shares[(get_local_id(0) / 32 * 32 + 31) * 33 + get_local_id(0) % 32] = s31;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) < 128) {
    float sum = 0;
    UNROLL
    for (int i = 0; i < 32; i++) sum += shares[get_local_id(0) * 33 + i];
    sums[get_local_id(0)] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) < 32) {
    const long j = first_element + (long)get_local_id(0) % 4;
    const long row = first_row + (long)get_local_id(0) / 4;
    if (j < 210 && row < ((long)n)) {
      global float* s = states + row * 630;
      const long length = 10;
      const long t = step;
      const float s0 = sums[get_local_id(0) % 4 * 32 + 0 + get_local_id(0) / 4];
      const float s1 = sums[get_local_id(0) % 4 * 32 + 8 + get_local_id(0) / 4];
      const float s2 = sums[get_local_id(0) % 4 * 32 + 16 + get_local_id(0) / 4];
      const float s3 = sums[get_local_id(0) % 4 * 32 + 24 + get_local_id(0) / 4];
      if (step < length) {
        const float x0 = x[(t)*(840*(long)n) + (row)*840 + (0 + j)];
        const float x1 = x[(t)*(840*(long)n) + (row)*840 + (210 + j)];
        const float x2 = x[(t)*(840*(long)n) + (row)*840 + (420 + j)];
        const float x3 = x[(t)*(840*(long)n) + (row)*840 + (630 + j)];
        const float cell = s[420 + j];
        float enter;
        {
          const float v = x0 + s0;
          enter = ((float)1 / (((1.0f) + (exp((-(v)))))));
        }
        float forget;
        {
          const float v = x2 + s2;
          forget = ((float)1 / (((1.0f) + (exp((-(v)))))));
        }
        float fresh;
        {
          const float v = x3 + s3;
          fresh = tanh(v);
        }
        const float after = forget * cell + enter * fresh;
        float leave;
        {
          const float v = x1 + s1;
          leave = ((float)1 / (((1.0f) + (exp((-(v)))))));
        }
        float shown;
        {
          const float v = after;
          shown = tanh(v);
        }
        const float hidden = leave * shown;
        s[next + j] = hidden;
        s[420 + j] = after;
        y_states[(t)*(210*(long)n) + (row)*210 + j] = hidden;
      } else {
        s[next + j] = s[before + j];
        y_states[(t)*(210*(long)n) + (row)*210 + j] = (float)0;
      }
    }
  }
  GROUP_END
}

