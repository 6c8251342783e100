#ifdef POCL_DEVICE_ADDRESS_BITS
#define GROUP_END barrier(CLK_LOCAL_MEM_FENCE);
#else
#define GROUP_END
#endif
// A work-group of 32 work items owns a row; work item t takes its elements t, t + 32, ... and so reads memory
// beside that of its neighbours. What they find is combined in local memory, halving their number at each barrier.
kernel __attribute__((reqd_work_group_size(32,1,1))) void reduce_arg_max_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global long* y = (global long*)(pool + o1);
  const long item = (long)first + get_group_id(0);
  const int t = get_local_id(0);
  const long i0 = item;
  float acc = -INFINITY;
  long best = -1;
  for (long e = t; e < 100; e += 32) {
    const long r1 = e;
    const float value = x0[(i0)*100 + r1];
    const float v = value;
    if (best < 0 || v > acc || (v != v && acc == acc)) { acc = v; best = e; }
  }
  const float own = acc;
  local float shared_acc[32];
  shared_acc[t] = acc;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_row = 16; half_row > 0; half_row >>= 1) {
    if (t < half_row) {
      float mine = shared_acc[t];
      const float theirs = shared_acc[t + half_row];
      if (theirs > mine || (theirs != theirs && mine == mine)) mine = theirs;
      shared_acc[t] = mine;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  acc = shared_acc[0];
  if (!(own == acc || (own != own && acc != acc))) best = -1;
  local long shared_best[32];
  shared_best[t] = best;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_row = 16; half_row > 0; half_row >>= 1) {
    if (t < half_row) {
      long mine = shared_best[t];
      const long theirs = shared_best[t + half_row];
      if (theirs >= 0 && (mine < 0 || theirs < mine)) mine = theirs;
      shared_best[t] = mine;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  best = shared_best[0];
  if (t == 0) {
    y[i0] = best;
  }
  GROUP_END
}

