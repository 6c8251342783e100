#ifdef POCL_DEVICE_ADDRESS_BITS
#define GROUP_END barrier(CLK_LOCAL_MEM_FENCE);
#else
#define GROUP_END
#endif
typedef ulong narrow;
inline narrow narrow_of(ulong rank, ulong place) { return rank << 32 | place; }
inline int narrow_before(narrow a, narrow b) { return a < b; }
inline long narrow_place(narrow e) { return (long)(e & 0xfffffffful); }
inline ulong candidate_of(float score, long place) {
  const uint bits = score == 0 ? 0 : as_uint(score);
  const uint rank = bits & 0x80000000u ? bits : ~(bits | 0x80000000u);
  return (ulong)rank << 32 | (ulong)place;
}
inline float4 box_between(float y1, float x1, float y2, float x2) {
  float4 box;
  box.x = y1 >= y2 ? y2 : y1;
  box.y = x1 >= x2 ? x2 : x1;
  box.z = y1 >= y2 ? y1 : y2;
  box.w = x1 >= x2 ? x1 : x2;
  return box;
}
inline int overlaps_by(float4 a, float4 b, float most) {
  const float width = (a.z < b.z ? a.z : b.z) - (a.x > b.x ? a.x : b.x);
  const float height = (a.w < b.w ? a.w : b.w) - (a.y > b.y ? a.y : b.y);
  if (!(width > 0 && height > 0)) return 0;
  const float common = width * height;
  const float first = (a.z - a.x) * (a.w - a.y);
  const float second = (b.z - b.x) * (b.w - b.y);
  const float sum = first + second;
  const float both = sum - common;
  if (!(common > 0 && first > 0 && second > 0 && both > 0)) return 0;
  return common / both > most;
}
// A work-group sorts a tile of a row and keeps its first entries.
kernel __attribute__((reqd_work_group_size(256,1,1))) void non_max_suppression_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2) {
  if (n < 0) return;
  global const float* scores = (global const float*)(pool + o0);
  global const float* score = (global const float*)(pool + o1);
  global narrow* to = (global narrow*)(pool + o2);
  const long group = (long)first + get_group_id(0);
  const long row = group / 1;
  const long part = group % 1;
  const long i0 = (row / 2);
  const long i1 = ((row) % 2);
  local narrow tile[512];
  for (int i = get_local_id(0); i < 512; i += 256) {
    const long e = part * 512 + i;
    narrow next = narrow_of(~0ul, ~0ul);
    if (e < 300) {
      const float least = score[0];
      const float score = scores[(i0)*600 + (i1)*300 + e];
      if (score > least) next = candidate_of(score, e);
    }
    tile[i] = next;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int size = 2; size <= 512; size <<= 1) {
    for (int apart = size >> 1; apart > 0; apart >>= 1) {
      for (int i = get_local_id(0); i < 256; i += 256) {
        const int a = 2 * i - (i & (apart - 1));
        const int b = a + apart;
        const narrow left = tile[a];
        const narrow right = tile[b];
        if (((a & size) == 0) == narrow_before(right, left)) {
          tile[a] = right;
          tile[b] = left;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  for (int j = get_local_id(0); j < 300; j += 256) {
    to[row * 300 + (part) * 300 + j] = tile[j];
  }
  GROUP_END
}

// A work-group chooses the boxes of a class of an image.
kernel __attribute__((reqd_work_group_size(256,1,1))) void non_max_suppression_1(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3) {
  if (n < 0) return;
  global const float* boxes = (global const float*)(pool + o0);
  global const float* overlap = (global const float*)(pool + o1);
  global long* y = (global long*)(pool + o2);
  global narrow* sorted = (global narrow*)(pool + o3);
  const long row = (long)first + get_group_id(0);
  const long i0 = (row / 2);
  const long i1 = ((row) % 2);
  for (long from = 0; from < 40; from += 256) {
    const long i = from + get_local_id(0);
    if (i < 40) y[(i0)*80 + (i1)*40 + i] = -1;
  }
  const float most = overlap[0];
  local float4 others[256];
  local uint places[256];
  local uint dropped[8];
  long chosen = 0;
  for (long begin = 0; begin < 300 && chosen < 40 && narrow_before(sorted[row * 300 + begin], narrow_of(~0ul, ~0ul)); begin += 256) {
    const long own = begin + get_local_id(0);
    const narrow next = own < 300 ? sorted[row * 300 + own] : narrow_of(~0ul, ~0ul);
    const long place = narrow_place(next);
    int stays = narrow_before(next, narrow_of(~0ul, ~0ul));
    float4 box = box_between(0, 0, 0, 0);
    if (stays) box = box_between(boxes[(i0)*1200 + (place)*4], boxes[(i0)*1200 + (place)*4 + 1], boxes[(i0)*1200 + (place)*4 + 2], boxes[(i0)*1200 + (place)*4 + 3]);
    for (long from = 0; from < chosen; from += 256) {
      const long i = from + get_local_id(0);
      if (i < chosen) {
        const long taken = y[(i0)*80 + (i1)*40 + i];
        others[get_local_id(0)] = box_between(boxes[(i0)*1200 + (taken)*4], boxes[(i0)*1200 + (taken)*4 + 1], boxes[(i0)*1200 + (taken)*4 + 2], boxes[(i0)*1200 + (taken)*4 + 3]);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const int count = (int)(chosen - from < 256 ? chosen - from : 256);
      for (int k = 0; k < count && stays; k++) stays = !overlaps_by(box, others[k], most);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (get_local_id(0) < 8) dropped[get_local_id(0)] = 0;
    others[get_local_id(0)] = box;
    places[get_local_id(0)] = (uint)place;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!stays) atomic_or(&dropped[get_local_id(0) / 32], 1u << get_local_id(0) % 32);
    barrier(CLK_LOCAL_MEM_FENCE);
    int turn = 0;
    while (turn < 256 && dropped[turn / 32] >> turn % 32 & 1) {
      turn += turn % 32 == 0 && dropped[turn / 32] == ~0u ? 32 : 1;
    }
    while (turn < 256 && chosen < 40) {
      if (get_local_id(0) == chosen % 256) y[(i0)*80 + (i1)*40 + chosen] = (long)places[turn];
      chosen++;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (stays && get_local_id(0) > turn && overlaps_by(box, others[turn], most)) {
        stays = 0;
        atomic_or(&dropped[get_local_id(0) / 32], 1u << get_local_id(0) % 32);
      }
      turn++;
      barrier(CLK_LOCAL_MEM_FENCE);
      while (turn < 256 && dropped[turn / 32] >> turn % 32 & 1) {
        turn += turn % 32 == 0 && dropped[turn / 32] == ~0u ? 32 : 1;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  GROUP_END
}

