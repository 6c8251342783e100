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
  if (item >= (8*(long)n)) return;
  const long i0 = item / 8;
  const uint i0_rest = (uint)(item % 8);
  const long i1 = i0_rest % 8u;
  const long part = i0_rest % 1u;
  const long i2 = part * 4;
  const float4 v0 = *(global const float4*)(x0 + (i0)*32 + (i1)*4 + i2);
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
  *(global float4*)(y + (i0)*32 + (i1)*4 + i2) = r0;
}

// A work item owns the elements of the result at its places on the axes that are not indexed and, where those are
// few, of its share of the tuples' numbers: it looks at all tuples and takes its own updates in their order, so
// that no two work items write one element. The data is there already, copied.
kernel __attribute__((reqd_work_group_size(128,1,1))) void scatter_nd_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const long* x1 = (global const long*)(pool + o1);
  global const float* x2 = (global const float*)(pool + o2);
  global float* y = (global float*)(pool + o0);
  global uchar* failures = pool + o3;
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= 32) return;
  const long i1 = item / 4;
  const uint i1_rest = (uint)(item % 4);
  const long i2 = i1_rest % 4u;
  int failed = 0;
  for (long i0 = 0; i0 < 5; i0 += 1) {
    const long v0 = (long)x1[i0];
    const int ok = !(((ulong)v0 + (ulong)(((long)n)) >= 2 * (ulong)(((long)n))));
    failed |= !ok;
    if (ok) {
      y[((v0 < 0 ? v0 + ((long)n) : v0))*32 + (i1)*4 + i2] = x2[(i0)*32 + (i1)*4 + i2];
    }
  }
  if (failed) {
    const long position = ((0L * 5 + 0) * 1 + 0);
    {
      const long begin = 0, end = 5;
      if (failure_is_open(failures, 0)) {
        long scan = begin;
        long bad = 0, size = 0;
        for (; scan < end; scan++) {
          bad = (long)x1[(scan)]; size = ((long)n);
          if (((ulong)bad + (ulong)(size) >= 2 * (ulong)(size))) break;
        }
        claim_failure(failures, 0, 1, 0, 1, -1L, scan, bad, -size, size - 1);
      }
    }
  }
}

