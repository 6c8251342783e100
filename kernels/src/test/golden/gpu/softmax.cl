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
// A work-group of 128 work items owns a row; work item t takes its elements t, t + 128, ... and so reads memory
// beside that of its neighbours. What they find is combined in local memory, halving their number at each barrier.
kernel __attribute__((reqd_work_group_size(128,1,1))) void softmax_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  const long item = (long)first + get_group_id(0);
  const int t = get_local_id(0);
  const long i0 = item;
  float highest = -INFINITY;
  for (long e = t; e < 300; e += 128) {
    const long i1 = e;
    const float value = x0[(i0)*300 + i1];
    highest = fmax(highest, (float)value);
  }
  local float shared_highest[128];
  shared_highest[t] = highest;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_row = 64; half_row > 0; half_row >>= 1) {
    if (t < half_row) {
      float mine = shared_highest[t];
      const float theirs = shared_highest[t + half_row];
      mine = fmax(mine, theirs);
      shared_highest[t] = mine;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  highest = shared_highest[0];
  float sum = 0;
  for (long e = t; e < 300; e += 128) {
    const long i1 = e;
    const float value = x0[(i0)*300 + i1];
    sum = sum + exp(value - highest);
  }
  local float shared_sum[128];
  shared_sum[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_row = 64; half_row > 0; half_row >>= 1) {
    if (t < half_row) {
      float mine = shared_sum[t];
      const float theirs = shared_sum[t + half_row];
      mine = mine + theirs;
      shared_sum[t] = mine;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  sum = shared_sum[0];
  const float scale = 1 / sum;
  for (long e = t; e < 300; e += 128) {
    const long i1 = e;
    const float value = x0[(i0)*300 + i1];
    const float result = exp_of_weight(value - highest) * scale;
    y[(i0)*300 + i1] = result;
  }
  GROUP_END
}

