#ifdef POCL_DEVICE_ADDRESS_BITS
#define GROUP_END barrier(CLK_LOCAL_MEM_FENCE);
#else
#define GROUP_END
#endif
// A work-group of 32 work items owns a row; work item t takes its elements t, t + 32, ... and so reads memory
// beside that of its neighbours. What they find is combined in local memory, halving their number at each barrier.
kernel __attribute__((reqd_work_group_size(32,1,1))) void reduce_sum_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  const long item = (long)first + get_group_id(0);
  const int t = get_local_id(0);
  const long i0 = item / 6;
  const uint i0_rest = (uint)(item % 6);
  const long i1 = i0_rest % 6u;
  float acc = 0;
  for (long e = t; e < 96; e += 32) {
    const long r2 = e;
    const float value = x0[(i0)*576 + (i1)*96 + r2];
    acc += value;
  }
  local float shared_acc[32];
  shared_acc[t] = acc;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_row = 16; half_row > 0; half_row >>= 1) {
    if (t < half_row) {
      float mine = shared_acc[t];
      const float theirs = shared_acc[t + half_row];
      mine += theirs;
      shared_acc[t] = mine;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  acc = shared_acc[0];
  if (t == 0) {
    const float result = (float)acc;
    y[(i0)*6 + i1] = result;
  }
  GROUP_END
}

