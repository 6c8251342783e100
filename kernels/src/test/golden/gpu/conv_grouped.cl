// A work item owns 4 elements of the result that are neighbours in memory: their place is worked out once, and
// they are loaded and stored 16 bytes at a time, next to those of the neighbouring work items.
kernel __attribute__((reqd_work_group_size(128,1,1))) void convert_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= (1224*(long)n)) return;
  const long i0 = item / 1224;
  const uint i0_rest = (uint)(item % 1224);
  const long i2 = i0_rest / 204u % 6u;
  const long i3 = i0_rest / 34u % 6u;
  const long part = i0_rest % 34u;
  const long i1 = part * 4;
  float4 r0;
  {
    r0.x = x0[(i0)*4896 + (i1)*36 + (i2)*6 + i3];
  }
  {
    r0.y = x0[(i0)*4896 + ((i1 + 1))*36 + (i2)*6 + i3];
  }
  {
    r0.z = x0[(i0)*4896 + ((i1 + 2))*36 + (i2)*6 + i3];
  }
  {
    r0.w = x0[(i0)*4896 + ((i1 + 3))*36 + (i2)*6 + i3];
  }
  *(global float4*)(y + (i0)*4896 + i1 + (i2)*816 + (i3)*136) = r0;
}

// A work item owns one element of the result and goes over the taps of its window, leaving out those on padding;
// neighbouring work items have neighbours in the order of memory, channels where those are innermost, and so read
// and store side by side. All types, ranks, groups and layouts: common cases have faster kernels.
kernel __attribute__((reqd_work_group_size(128,1,1))) void conv_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const float* x1 = (global const float*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= (2176*(long)n)) return;
  const long i0 = item / 2176;
  const uint i0_rest = (uint)(item % 2176);
  const long i1 = i0_rest / 16u % 136u;
  const long i2 = i0_rest / 4u % 4u;
  const long i3 = i0_rest % 4u;
  const long channel = (i1) / 34 * 34;
  float acc = 0;
  for (int k2 = 0; k2 < 3; k2++) {
    const long p2 = i2 * 1 - 0 + k2 * 1;
    if (p2 < 0 || p2 >= 6) continue;
    for (int k3 = 0; k3 < 3; k3++) {
      const long p3 = i3 * 1 - 0 + k3 * 1;
      if (p3 < 0 || p3 >= 6) continue;
      for (long c = 0; c < 34; c++) {
        acc += (float)x0[(i0)*4896 + (channel + c) + (p2)*816 + (p3)*136] * (float)x1[(((0 * 3 + k2) * 3 + k3) * 34L + c) * 136 + i1];
      }
    }
  }
  const float result = (float)acc;
  y[(i0)*2176 + (i1)*16 + (i2)*4 + i3] = result;
}

