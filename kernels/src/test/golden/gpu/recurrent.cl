// A work-group takes a row of the batch through all steps: a work item makes every 64th element of the
// states, which are in local memory. w: [k][gate][element], packed at load.
kernel __attribute__((reqd_work_group_size(64,1,1))) void recurrent_lstm_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3) {
  if (n < 0) return;
  global const float* x = (global const float*)(pool + o0);
  global const float* w = (global const float*)(pool + o1);
  global const int* lengths = (global const int*)(pool + o2);
  global float* y_states = (global float*)(pool + o3);
  const long row = (long)first + get_group_id(0);
  local float s[120];
  const long length = clamp((long)lengths[row], 0L, (long)10);
  for (long from = 0; from < 40; from += 64) {
    const long j = from + get_local_id(0);
    if (j < 40) {
      s[0 + j] = 0;
      s[80 + j] = 0;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (long step = 0; step < 10; step++) {
    const int runs = step < length;
    const long t = step < length ? length - 1 - step : step;
    const long before = (step & 1) ? 40 : 0;
    const long next = 40 - before;
    for (long from = 0; from < 40; from += 64) {
      const long j = from + get_local_id(0);
      if (j < 40) {
        if (runs) {
          float s0 = 0;
          float s1 = 0;
          float s2 = 0;
          float s3 = 0;
          for (long k = 0; k < 40; k++) {
            const float a = s[before + k];
            s0 = fma(a, w[k * 160 + (0 + j)], s0);
            s1 = fma(a, w[k * 160 + (40 + j)], s1);
            s2 = fma(a, w[k * 160 + (80 + j)], s2);
            s3 = fma(a, w[k * 160 + (120 + j)], s3);
          }
          const float x0 = x[(t)*(160*(long)n) + (row)*160 + (0 + j)];
          const float x1 = x[(t)*(160*(long)n) + (row)*160 + (40 + j)];
          const float x2 = x[(t)*(160*(long)n) + (row)*160 + (80 + j)];
          const float x3 = x[(t)*(160*(long)n) + (row)*160 + (120 + j)];
          const float cell = s[80 + j];
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
          s[80 + j] = after;
          y_states[(t)*(40*(long)n) + (row)*40 + j] = hidden;
        } else {
          s[next + j] = s[before + j];
          y_states[(t)*(40*(long)n) + (row)*40 + j] = (float)0;
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const long last = (10 & 1) ? 40 : 0;
  for (long from = 0; from < 40; from += 64) {
    const long j = from + get_local_id(0);
    if (j < 40) {
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

