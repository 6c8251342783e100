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
// A work item chooses the boxes of a class of an image.
kernel __attribute__((reqd_work_group_size(1,1,1))) void non_max_suppression_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1, const ulong o2, const ulong o3, const ulong o4) {
  if (n < 0) return;
  global const float* scores = (global const float*)(pool + o0);
  global const float* score = (global const float*)(pool + o1);
  global const float* boxes = (global const float*)(pool + o2);
  global const float* overlap = (global const float*)(pool + o3);
  global long* y = (global long*)(pool + o4);
  const long item = (long)get_global_id(0) + first;
  if (item >= (2*(long)n)) return;
  const long i0 = (item / 2);
  const long i1 = ((item) % 2);
  const float most = overlap[0];
  const float least = score[0];
  ulong best[64];
  ulong last = 0;
  long chosen = 0;
  int count = 64;
  while (chosen < 40 && count == 64) {
    count = 0;
    for (long e = 0; e < 300; e++) {
      const float score = scores[(i0)*600 + (i1)*300 + e];
      if (!(score > least)) continue;
      const ulong next = candidate_of(score, e);
      if (next <= last) continue;
      if (count < 64) {
        int at = count++;
        for (; at > 0 && best[(at - 1) / 2] < next; at = (at - 1) / 2) best[at] = best[(at - 1) / 2];
        best[at] = next;
      } else if (next < best[0]) {
        int at = 0;
        for (int child = 1; child < 64; child = 2 * at + 1) {
          if (child + 1 < 64 && best[child] < best[child + 1]) child++;
          if (next >= best[child]) break;
          best[at] = best[child];
          at = child;
        }
        best[at] = next;
      }
    }
    for (int size = count - 1; size > 0; size--) {
      const ulong next = best[size];
      best[size] = best[0];
      int at = 0;
      for (int child = 1; child < size; child = 2 * at + 1) {
        if (child + 1 < size && best[child] < best[child + 1]) child++;
        if (next >= best[child]) break;
        best[at] = best[child];
        at = child;
      }
      best[at] = next;
    }
    for (int c = 0; c < count && chosen < 40; c++) {
      const long place = (long)(best[c] & 0xfffffffful);
      const float4 box = box_between(boxes[(i0)*1200 + (place)*4], boxes[(i0)*1200 + (place)*4 + 1], boxes[(i0)*1200 + (place)*4 + 2], boxes[(i0)*1200 + (place)*4 + 3]);
      int apart = 1;
      for (long i = 0; i < chosen && apart; i++) {
        const long other = y[(i0)*80 + (i1)*40 + i];
        if (overlaps_by(box, box_between(boxes[(i0)*1200 + (other)*4], boxes[(i0)*1200 + (other)*4 + 1], boxes[(i0)*1200 + (other)*4 + 2], boxes[(i0)*1200 + (other)*4 + 3]), most)) apart = 0;
      }
      if (apart) {
        y[(i0)*80 + (i1)*40 + chosen] = place;
        chosen++;
      }
    }
    last = count > 0 ? best[count - 1] : last;
  }
  for (; chosen < 40; chosen++) y[(i0)*80 + (i1)*40 + chosen] = -1;
}

