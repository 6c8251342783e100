#ifdef POCL_DEVICE_ADDRESS_BITS
#define GROUP_END barrier(CLK_LOCAL_MEM_FENCE);
#else
#define GROUP_END
#endif
// A work-group takes a row of the batch through all steps. A work item multiplies a part of the states with the
// weights of one element, w: [quad][gate][part, element][4], most of which it keeps in registers for all steps;
// the sums meet in local memory, where a work item makes each element of the next states.
kernel __attribute__((reqd_work_group_size(160,1,1))) void recurrent_lstm_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global const float* w = (global const float*)(pool + o1);
  global const int* lengths = (global const int*)(pool + o2);
  global float* y_states = (global float*)(pool + o3);
  const long row = (long)first + get_group_id(0);
  local float s[144] __attribute__((aligned(16)));
  local float found[640];
  const int item = min((int)get_local_id(0), 159);
  const int from = item / 40 * 12;
  const long length = clamp((long)lengths[row], 0L, (long)10);
  const float4 w0_0 = *(global const float4*)(w + ((0 * 4 + 0) * 160 + item) * 4);
  const float4 w0_1 = *(global const float4*)(w + ((0 * 4 + 1) * 160 + item) * 4);
  const float4 w0_2 = *(global const float4*)(w + ((0 * 4 + 2) * 160 + item) * 4);
  const float4 w0_3 = *(global const float4*)(w + ((0 * 4 + 3) * 160 + item) * 4);
  const float4 w1_0 = *(global const float4*)(w + ((1 * 4 + 0) * 160 + item) * 4);
  const float4 w1_1 = *(global const float4*)(w + ((1 * 4 + 1) * 160 + item) * 4);
  const float4 w1_2 = *(global const float4*)(w + ((1 * 4 + 2) * 160 + item) * 4);
  const float4 w1_3 = *(global const float4*)(w + ((1 * 4 + 3) * 160 + item) * 4);
  const float4 w2_0 = *(global const float4*)(w + ((2 * 4 + 0) * 160 + item) * 4);
  const float4 w2_1 = *(global const float4*)(w + ((2 * 4 + 1) * 160 + item) * 4);
  const float4 w2_2 = *(global const float4*)(w + ((2 * 4 + 2) * 160 + item) * 4);
  const float4 w2_3 = *(global const float4*)(w + ((2 * 4 + 3) * 160 + item) * 4);
  for (int i = get_local_id(0); i < 144; i += 160) s[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) < 40) {
    const int j = get_local_id(0);
    s[0 + j] = 0;
    s[96 + j] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (long step = 0; step < 10; step++) {
    const int runs = step < length;
    const long t = step < length ? length - 1 - step : step;
    const int before = (step & 1) ? 48 : 0;
    const int next = 48 - before;
    float in0 = 0;
    float in1 = 0;
    float in2 = 0;
    float in3 = 0;
    if (runs) {
      if (get_local_id(0) < 40) {
        const int j = get_local_id(0);
        in0 = x[(t)*(160*(long)n) + (row)*160 + (0 + j)];
        in1 = x[(t)*(160*(long)n) + (row)*160 + (40 + j)];
        in2 = x[(t)*(160*(long)n) + (row)*160 + (80 + j)];
        in3 = x[(t)*(160*(long)n) + (row)*160 + (120 + j)];
      }
    }
    if (runs) {
      float s0 = 0;
      float s1 = 0;
      float s2 = 0;
      float s3 = 0;
      {
        const float4 a = *(local const float4*)(s + before + from + 0);
        s0 = fma(a.x, w0_0.x, s0);
        s0 = fma(a.y, w0_0.y, s0);
        s0 = fma(a.z, w0_0.z, s0);
        s0 = fma(a.w, w0_0.w, s0);
        s1 = fma(a.x, w0_1.x, s1);
        s1 = fma(a.y, w0_1.y, s1);
        s1 = fma(a.z, w0_1.z, s1);
        s1 = fma(a.w, w0_1.w, s1);
        s2 = fma(a.x, w0_2.x, s2);
        s2 = fma(a.y, w0_2.y, s2);
        s2 = fma(a.z, w0_2.z, s2);
        s2 = fma(a.w, w0_2.w, s2);
        s3 = fma(a.x, w0_3.x, s3);
        s3 = fma(a.y, w0_3.y, s3);
        s3 = fma(a.z, w0_3.z, s3);
        s3 = fma(a.w, w0_3.w, s3);
      }
      {
        const float4 a = *(local const float4*)(s + before + from + 4);
        s0 = fma(a.x, w1_0.x, s0);
        s0 = fma(a.y, w1_0.y, s0);
        s0 = fma(a.z, w1_0.z, s0);
        s0 = fma(a.w, w1_0.w, s0);
        s1 = fma(a.x, w1_1.x, s1);
        s1 = fma(a.y, w1_1.y, s1);
        s1 = fma(a.z, w1_1.z, s1);
        s1 = fma(a.w, w1_1.w, s1);
        s2 = fma(a.x, w1_2.x, s2);
        s2 = fma(a.y, w1_2.y, s2);
        s2 = fma(a.z, w1_2.z, s2);
        s2 = fma(a.w, w1_2.w, s2);
        s3 = fma(a.x, w1_3.x, s3);
        s3 = fma(a.y, w1_3.y, s3);
        s3 = fma(a.z, w1_3.z, s3);
        s3 = fma(a.w, w1_3.w, s3);
      }
      {
        const float4 a = *(local const float4*)(s + before + from + 8);
        s0 = fma(a.x, w2_0.x, s0);
        s0 = fma(a.y, w2_0.y, s0);
        s0 = fma(a.z, w2_0.z, s0);
        s0 = fma(a.w, w2_0.w, s0);
        s1 = fma(a.x, w2_1.x, s1);
        s1 = fma(a.y, w2_1.y, s1);
        s1 = fma(a.z, w2_1.z, s1);
        s1 = fma(a.w, w2_1.w, s1);
        s2 = fma(a.x, w2_2.x, s2);
        s2 = fma(a.y, w2_2.y, s2);
        s2 = fma(a.z, w2_2.z, s2);
        s2 = fma(a.w, w2_2.w, s2);
        s3 = fma(a.x, w2_3.x, s3);
        s3 = fma(a.y, w2_3.y, s3);
        s3 = fma(a.z, w2_3.z, s3);
        s3 = fma(a.w, w2_3.w, s3);
      }
      if (get_local_id(0) < 160) found[0 + item] = s0;
      if (get_local_id(0) < 160) found[160 + item] = s1;
      if (get_local_id(0) < 160) found[320 + item] = s2;
      if (get_local_id(0) < 160) found[480 + item] = s3;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) < 40) {
      const int j = get_local_id(0);
      if (runs) {
        const float s0 = found[0 + j] + found[40 + j] + found[80 + j] + found[120 + j];
        const float s1 = found[160 + j] + found[200 + j] + found[240 + j] + found[280 + j];
        const float s2 = found[320 + j] + found[360 + j] + found[400 + j] + found[440 + j];
        const float s3 = found[480 + j] + found[520 + j] + found[560 + j] + found[600 + j];
        const float x0 = in0;
        const float x1 = in1;
        const float x2 = in2;
        const float x3 = in3;
        const float cell = s[96 + j];
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
        s[96 + j] = after;
        y_states[(t)*(40*(long)n) + (row)*40 + j] = hidden;
      } else {
        s[next + j] = s[before + j];
        y_states[(t)*(40*(long)n) + (row)*40 + j] = (float)0;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const int last = (10 & 1) ? 48 : 0;
  if (get_local_id(0) < 40) {
    const int j = get_local_id(0);
  }
  GROUP_END
}

