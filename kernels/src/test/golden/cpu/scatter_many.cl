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
// A work item owns a run of 3600 neighbouring elements, and takes 16 of them at a time in a vector.
// All arrays are read in the order of the result's memory: vector by vector.
kernel __attribute__((reqd_work_group_size(1,1,1))) void scatter_nd_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global float* y = (global float*)(pool + o1);
  long item = (long)get_global_id(0) + first;
  if (item >= 1) return;
  for (long e = 0; e < 3600; e += 16) {
    const float16 v0 = vload16(0, x0 + 0 + e);
    vstore16(v0, 0, y + 0 + e);
  }
}

// A work item owns a part of the result, at fixed places on the axes that are not indexed, and takes all updates
// that fall into it in their order: no two work items write one element. The data is there already, copied.
kernel __attribute__((reqd_work_group_size(1,1,1))) void scatter_nd_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3) {
  if (n < 0) return;
  global const float* x0 = (global const float*)(pool + o0);
  global const long* x1 = (global const long*)(pool + o1);
  global const float* x2 = (global const float*)(pool + o2);
  global float* y = (global float*)(pool + o0);
  global uchar* failures = pool + o3;
  long item = (long)get_global_id(0) + first;
  if (item >= 1) return;
  const long lanes = item % 1 * 64;
  item /= 1;
  long lowest0 = 0, highest0 = 0;
  for (long i0 = 0; i0 < 300; i0++) {
    lowest0 = min(lowest0, (long)x1[i0]);
    highest0 = max(highest0, (long)x1[i0]);
  }
  if (lowest0 >= 0 && highest0 < 900) {
    for (long i0 = 0; i0 < 300; i0++) {
      const long v0 = (long)x1[i0];
      for (long i1 = lanes; i1 < min(lanes + 64, (long)4); i1++) {
         {
          y[(v0)*4 + i1] = x2[(i0)*4 + i1];
        }
      }
    }
  } else if (lowest0 >= -900 && highest0 < 900) {
    for (long i0 = 0; i0 < 300; i0++) {
      const long v0 = (long)x1[i0];
      for (long i1 = lanes; i1 < min(lanes + 64, (long)4); i1++) {
         {
          y[((v0 < 0 ? v0 + 900 : v0))*4 + i1] = x2[(i0)*4 + i1];
        }
      }
    }
  } else {
    for (long i0 = 0; i0 < 300; i0++) {
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
      for (long i1 = lanes; i1 < min(lanes + 64, (long)4); i1++) {
        if (ok) {
          y[((v0 < 0 ? v0 + 900 : v0))*4 + i1] = x2[(i0)*4 + i1];
        }
      }
    }
  }
}

