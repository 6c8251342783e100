package io.miniinference.codegen;

import io.miniinference.ir.ElementType;
import java.util.LinkedHashMap;
import java.util.Map;

/// What kernels that sort rows order instead of elements: an element's rank, which is smaller the
/// earlier it comes, and its place in the row. No two of a row are equal, so that every order of
/// work gives the same result.
///
/// Ranks are the bits of an element, turned so that they ascend as unsigned numbers, as radix sorts
/// do it. Elements of up to 32 bits have both in one 64-bit word (`narrow`), others have a word for
/// each (`wide`). In kernel text there are `TYPE_of(rank, place)`, `TYPE_before(a, b)`,
/// `TYPE_place(e)`, and `TYPE_none`, which comes after all.
///
/// @param type its name in kernel text
public record RankedEntry(String type, int bytes) {
  private static final RankedEntry NARROW = new RankedEntry("narrow", 8);
  private static final RankedEntry WIDE = new RankedEntry("wide", 16);

  private static final Template SINK =
      Template.of(
          "sink into a heap",
          """
          @function void ${type}_sink(@global $type* heap, int size, $type entry) {
            int at = 0;
            for (int child = 1; child < size; child = 2 * at + 1) {
              if (child + 1 < size && ${type}_before(heap[child], heap[child + 1])) child++;
              if (!${type}_before(entry, heap[child])) break;
              heap[at] = heap[child];
              at = child;
            }
            heap[at] = entry;
          }
          """);

  public static RankedEntry of(ElementType element) {
    return element.bytes() > 4 ? WIDE : NARROW;
  }

  /// The functions of both types by name, each after those that it calls.
  public static Map<String, String> functions() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put(
        "narrow_of",
        """
        typedef ulong narrow;
        @function narrow narrow_of(ulong rank, ulong place) { return rank << 32 | place; }\
        """);
    all.put("narrow_before", "@function int narrow_before(narrow a, narrow b) { return a < b; }");
    all.put(
        "narrow_place",
        "@function long narrow_place(narrow e) { return (long)(e & 0xfffffffful); }");
    all.put("narrow_sink", SINK.with("type", "narrow").text());
    all.put(
        "wide_of",
        """
        typedef struct { ulong rank; ulong place; } wide;
        @function wide wide_of(ulong rank, ulong place) {
          wide e;
          e.rank = rank;
          e.place = place;
          return e;
        }\
        """);
    all.put(
        "wide_before",
        """
        @function int wide_before(wide a, wide b) {
          return a.rank < b.rank || (a.rank == b.rank && a.place < b.place);
        }\
        """);
    all.put("wide_place", "@function long wide_place(wide e) { return (long)e.place; }");
    all.put("wide_sink", SINK.with("type", "wide").text());
    return all;
  }

  /// Text of an entry that comes after those of all elements.
  public String none() {
    return type + "_of(~0ul, ~0ul)";
  }
}
