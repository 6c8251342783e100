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
// A work item owns a row of the result: some index tuples with all that they name, read in any layout.
// Tuples that may be bad are tested ahead in a loop without a branch, so that the copy itself asks for nothing.
kernel __attribute__((reqd_work_group_size(1,1,1))) void gather_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const long* x1 = (global const long*)(pool + o1);
  global float* y = (global float*)(pool + o2);
  global uchar* failures = pool + o3;
  long item = (long)get_global_id(0) + first;
  if (item >= ((long)n)) return;
  const long i0 = item % ((long)n); item /= ((long)n);
  long lowest0 = 0, highest0 = 0;
  for (long i1 = 0; i1 < 3; i1++) {
    lowest0 = min(lowest0, (long)x1[(i0)*3 + i1]);
    highest0 = max(highest0, (long)x1[(i0)*3 + i1]);
  }
  if (lowest0 >= 0 && highest0 < 7) {
    for (long i1 = 0; i1 < 3; i1++) {
      const long v0 = (long)x1[(i0)*3 + i1];
      for (long i2 = 0; i2 < 12; i2++) {
        const float result = x0[(v0)*12 + i2];
        y[(i0)*36 + (i1)*12 + i2] = result;
      }
    }
  } else if (lowest0 >= -7 && highest0 < 7) {
    for (long i1 = 0; i1 < 3; i1++) {
      const long v0 = (long)x1[(i0)*3 + i1];
      for (long i2 = 0; i2 < 12; i2++) {
        const float result = x0[((v0 < 0 ? v0 + 7 : v0))*12 + i2];
        y[(i0)*36 + (i1)*12 + i2] = result;
      }
    }
  } else {
    for (long i1 = 0; i1 < 3; i1++) {
      const long v0 = (long)x1[(i0)*3 + i1];
      const int ok = !(((ulong)v0 + (ulong)(7) >= 2 * (ulong)(7)));
      if (!ok) {
        const long position = ((0L * ((long)n) + i0) * 3 + i1);
        {
          const long begin = position / 3L * 3L, end = begin + 3L;
          if (failure_is_open(failures, 1 + begin / 3L)) {
            long scan = begin;
            long bad = 0, size = 0;
            for (; scan < end; scan++) {
              bad = (long)x1[((scan / 3))*3 + ((scan) % 3)]; size = 7;
              if (((ulong)bad + (ulong)(size) >= 2 * (ulong)(size))) break;
            }
            claim_failure(failures, 1 + begin / 3L, 0, 0, 1, -1L, scan, bad, -size, size - 1);
          }
        }
      }
      for (long i2 = 0; i2 < 12; i2++) {
        const float result = ok ? x0[((v0 < 0 ? v0 + 7 : v0))*12 + i2] : 0;
        y[(i0)*36 + (i1)*12 + i2] = result;
      }
    }
  }
}

