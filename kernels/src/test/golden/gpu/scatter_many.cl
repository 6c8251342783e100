#ifdef POCL_DEVICE_ADDRESS_BITS
#define OUTLINED __attribute__((noinline))
#else
#define OUTLINED
#endif
OUTLINED int failure_is_open(global uchar* slots, long slot) {
  return *(global int*)(slots + slot * 64 + 0) == 0;
}
OUTLINED void claim_failure(global uchar* slots, long slot, int step, int component, int kind,
                   long clock, long position, long index, long low, long high) {
  global uchar* s = slots + slot * 64;
  const int holder = *(global int*)(s + 0);
  if (holder != 0 && holder != step + 1) return;
  *(global int*)(s + 4) = (int)clock;
  *(global int*)(s + 48) = (int)(clock >> 32);
  *(global int*)(s + 8) = component;
  *(global int*)(s + 12) = kind;
  *(global long*)(s + 16) = position;
  *(global long*)(s + 24) = index;
  *(global long*)(s + 32) = low;
  *(global long*)(s + 40) = high;
  *(global int*)(s + 0) = step + 1;
  *(global int*)(slots + 52) = 1;
}
// A work item owns 4 elements of the result that are neighbours in memory: their place is worked out once, and
// they are loaded and stored 16 bytes at a time, next to those of the neighbouring work items.
kernel __attribute__((reqd_work_group_size(128,1,1))) void scatter_nd_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= 900) return;
  const long i0 = item / 1;
  const uint i0_rest = (uint)(item % 1);
  const long part = i0_rest % 1u;
  const long i1 = part * 4;
  const float4 v0 = *(global const float4*)(x0 + (i0)*4 + i1);
  float4 r0;
  {
    r0.x = v0.x;
  }
  {
    r0.y = v0.y;
  }
  {
    r0.z = v0.z;
  }
  {
    r0.w = v0.w;
  }
  *(global float4*)(y + (i0)*4 + i1) = r0;
}

// A work item frees the place that its tuple names.
kernel __attribute__((reqd_work_group_size(128,1,1))) void scatter_nd_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3, const ulong o4) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const long* x1 = (global const long*)(pool + o1);
  global const float* x2 = (global const float*)(pool + o2);
  global float* y = (global float*)(pool + o0);
  global uint* claims = (global uint*)(pool + o3);
  global uchar* failures = pool + o4;
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= 300) return;
  const long i0 = item;
  const long v0 = (long)x1[i0];
  const int ok = !(((ulong)v0 + (ulong)(900) >= 2 * (ulong)(900)));
  if (!ok) {
    const long position = ((0L * 300 + i0) * 1 + 0);
    {
      const long begin = 0, end = 300;
      if (failure_is_open(failures, 0)) {
        long scan = begin;
        long bad = 0, size = 0;
        for (; scan < end; scan++) {
          bad = (long)x1[(scan)]; size = 900;
          if (((ulong)bad + (ulong)(size) >= 2 * (ulong)(size))) break;
        }
        claim_failure(failures, 0, 1, 0, 1, -1L, scan, bad, -size, size - 1);
      }
    }
  }
  if (ok) atomic_xchg(&claims[(0L * 900 + (v0 < 0 ? v0 + 900 : v0))], 0u);
}

// A work item claims the place that its tuple names.
kernel __attribute__((reqd_work_group_size(128,1,1))) void scatter_nd_2(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3, const ulong o4) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const long* x1 = (global const long*)(pool + o1);
  global const float* x2 = (global const float*)(pool + o2);
  global float* y = (global float*)(pool + o0);
  global uint* claims = (global uint*)(pool + o3);
  global uchar* failures = pool + o4;
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= 300) return;
  const long i0 = item;
  const long v0 = (long)x1[i0];
  const int ok = !(((ulong)v0 + (ulong)(900) >= 2 * (ulong)(900)));
  if (ok) atomic_max(&claims[(0L * 900 + (v0 < 0 ? v0 + 900 : v0))], (uint)((0L * 300 + i0)) + 1u);
}

// A work item stores an update if its tuple has its place.
kernel __attribute__((reqd_work_group_size(128,1,1))) void scatter_nd_3(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3, const ulong o4) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const long* x1 = (global const long*)(pool + o1);
  global const float* x2 = (global const float*)(pool + o2);
  global float* y = (global float*)(pool + o0);
  global uint* claims = (global uint*)(pool + o3);
  global uchar* failures = pool + o4;
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= 1200) return;
  const long i0 = item / 4;
  const uint i0_rest = (uint)(item % 4);
  const long i1 = i0_rest % 4u;
  const long v0 = (long)x1[i0];
  const int ok = !(((ulong)v0 + (ulong)(900) >= 2 * (ulong)(900)));
  if (ok && claims[(0L * 900 + (v0 < 0 ? v0 + 900 : v0))] == (uint)((0L * 300 + i0)) + 1u) {
    if (ok) {
      y[((v0 < 0 ? v0 + 900 : v0))*4 + i1] = x2[(i0)*4 + i1];
    }
  }
}

