package io.miniinference.codegen.program;

import io.miniinference.codegen.Template;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Functions over lists of a work item's entries ([io.miniinference.codegen.RankedEntry]), as text:
/// they sort a list, and take it into another that is sorted.
final class RankedLists {
  /* Short runs are sorted by insertion, and merged in pairs from one list to the other and back. The
  loop that merges takes the better of two without a jump: which of them it is, nobody can foretell. */
  private static final Template SORT =
      Template.of(
          "sort of a list",
          """
          @outlined void ${type}_sort($type* list, $type* other, int count) {
            for (int begin = 0; begin < count; begin += 8) {
              const int end = begin + 8 < count ? begin + 8 : count;
              for (int i = begin + 1; i < end; i++) {
                const $type next = list[i];
                int at = i;
                for (; at > begin && ${type}_before(next, list[at - 1]); at--) list[at] = list[at - 1];
                list[at] = next;
              }
            }
            $type* from = list;
            $type* to = other;
            for (int width = 8; width < count; width *= 2) {
              for (int begin = 0; begin < count; begin += 2 * width) {
                const int middle = begin + width < count ? begin + width : count;
                const int end = middle + width < count ? middle + width : count;
                int a = begin, b = middle, at = begin;
                while (a < middle && b < end) {
                  const $type left = from[a], right = from[b];
                  const int later = ${type}_before(right, left);
                  to[at++] = later ? right : left;
                  a += 1 - later;
                  b += later;
                }
                while (a < middle) to[at++] = from[a++];
                while (b < end) to[at++] = from[b++];
              }
              $type* merged = to;
              to = from;
              from = merged;
            }
            if (from != list)
              for (int i = 0; i < count; i++) list[i] = from[i];
          }\
          """);

  /* Of both lists together the first `k` are counted, and then moved to where they go, the last one
  first, so that none is written over before it is moved. */
  private static final Template KEEP =
      Template.of(
          "best of two lists",
          """
          @outlined int ${type}_keep(@global $type* best, int held, int k, $type* fresh, int added, $type* other) {
            ${type}_sort(fresh, other, added);
            const int all = held + added < k ? held + added : k;
            int a = 0, b = 0;
            while (a + b < all) {
              const int later = b < added && (a == held || ${type}_before(fresh[b], best[a]));
              a += 1 - later;
              b += later;
            }
            for (int at = all - 1; b > 0; at--) {
              const int stays = a > 0 && ${type}_before(fresh[b - 1], best[a - 1]);
              best[at] = stays ? best[a - 1] : fresh[b - 1];
              a -= stays;
              b -= 1 - stays;
            }
            return all;
          }\
          """);

  private RankedLists() {}

  /// The functions by name, each after those that it calls: `TYPE_sort(list, other, count)`, where
  /// `other` has room for as many, and `TYPE_keep(best, held, k, fresh, added, other)`, after which
  /// the sorted list `best` has the first `k` of those in it and in `fresh`, and which tells how
  /// many these are.
  static Map<String, String> functions() {
    Map<String, String> all = new LinkedHashMap<>();
    for (String type : List.of("narrow", "wide")) {
      all.put(type + "_sort", SORT.with("type", type).text());
      all.put(type + "_keep", KEEP.with("type", type).text());
    }
    return all;
  }
}
