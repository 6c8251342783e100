#ifdef POCL_DEVICE_ADDRESS_BITS
#define OUTLINED __attribute__((noinline))
#else
#define OUTLINED
#endif
inline long div_long(long a, long b) { return b == 0 ? 0 : b == -1 ? (long)(0 - (ulong)a) : (long)(a / b); }
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
// A work item owns one element of the result; neighbouring work items have neighbours in the order of its memory,
// so that they store, and as far as layouts agree read, side by side.
kernel __attribute__((reqd_work_group_size(128,1,1))) void elementwise_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3) {
  if (n < 0) return;
  global const long* x0 = (global const long*)(pool + o0);
  global const long* x1 = (global const long*)(pool + o1);
  global long* y = (global long*)(pool + o2);
  global uchar* failures = pool + o3;
  const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
  if (item >= (6*(long)n)) return;
  const long i0 = item / 6;
  const uint i0_rest = (uint)(item % 6);
  const long i1 = i0_rest % 6u;
  if (((x1[(i0)*6 + i1]) == (0L))) {
    const long position = ((0L * ((long)n) + i0) * 6 + i1);
    {
      const long begin = position / 6L * 6L, end = begin + 6L;
      if (failure_is_open(failures, 1 + begin / 6L)) {
        long scan = begin;
        for (; scan < end; scan++) {
          if (((x1[((scan / 6))*6 + ((scan) % 6)]) == (0L))) break;
        }
        claim_failure(failures, 1 + begin / 6L, 0, 0, 2, -1L, scan, 0, 0, 0);
      }
    }
  }
  y[(i0)*6 + i1] = div_long(x0[(i0)*6 + i1], x1[(i0)*6 + i1]);
}

