#ifdef POCL_DEVICE_ADDRESS_BITS
#define GROUP_END barrier(CLK_LOCAL_MEM_FENCE);
#else
#define GROUP_END
#endif
// A work-group of 32 work items owns a row; work item t takes its elements t, t + 32, ... and so reads memory
// beside that of its neighbours. What they find is combined in local memory, halving their number at each barrier.
kernel __attribute__((reqd_work_group_size(32,1,1))) void normalize_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  const long item = (long)first + get_group_id(0);
  const int t = get_local_id(0);
  const long i0 = item / 4;
  const uint i0_rest = (uint)(item % 4);
  const long i1 = i0_rest % 4u;
  float mean = 0;
  for (long e = t; e < 64; e += 32) {
    const long i2 = e;
    const float value = x0[(i0)*256 + (i1)*64 + i2];
    mean = mean + value;
  }
  local float shared_mean[32];
  shared_mean[t] = mean;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_row = 16; half_row > 0; half_row >>= 1) {
    if (t < half_row) {
      float mine = shared_mean[t];
      const float theirs = shared_mean[t + half_row];
      mine = mine + theirs;
      shared_mean[t] = mine;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  mean = shared_mean[0];
  mean /= (float)64;
  float squares = 0;
  for (long e = t; e < 64; e += 32) {
    const long i2 = e;
    const float value = x0[(i0)*256 + (i1)*64 + i2];
    squares = squares + (value - mean) * (value - mean);
  }
  local float shared_squares[32];
  shared_squares[t] = squares;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_row = 16; half_row > 0; half_row >>= 1) {
    if (t < half_row) {
      float mine = shared_squares[t];
      const float theirs = shared_squares[t + half_row];
      mine = mine + theirs;
      shared_squares[t] = mine;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  squares = shared_squares[0];
  const float scale = 1 / sqrt(squares / (float)64 + 1.0E-5f);
  for (long e = t; e < 64; e += 32) {
    const long i2 = e;
    const float value = x0[(i0)*256 + (i1)*64 + i2];
    const float result = (value - mean) * scale;
    y[(i0)*256 + (i1)*64 + i2] = result;
  }
  GROUP_END
}

