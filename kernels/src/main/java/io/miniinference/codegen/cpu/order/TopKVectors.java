package io.miniinference.codegen.cpu.order;

import io.miniinference.codegen.Template;
import io.miniinference.codegen.TopKText;

/// The best of a chunk of a row whose elements are neighbours of 32 bits each.
///
/// Elements are compared by their keys, integers that are smaller the earlier an element comes: the
/// rank of [io.miniinference.codegen.RankedEntry], less 2^31. Rows in which most elements are worse
/// than those that are wanted take two walks of a comparison each. What the first one finds is the
/// best of each lane of some vectors, which share the chunk: with four of them for each element
/// that is wanted, a few more than these are within the bound, however the row is ordered.
final class TopKVectors {
  private static final Template CHUNK =
      Template.of(
          "top-k of a chunk, sixteen at a time",
          """
          narrow fresh[1024], other[1024];
          const int room = $k < 32 ? 64 : $k < 512 ? 2 * $k : 1024;
          @global const float* in = (@global const float*)x + $start;
          const long vectors = (end - begin) / 16;
          int most = 0x7fffffff;
          $bound
          int count = 0, added = 0;
          for (long v = 0; v < vectors;) {
            long stop = v + 1;
            if (v + 4 <= vectors) {
              $several
              if (!@any((k0 <= @mask(most)) | (k1 <= @mask(most)) | (k2 <= @mask(most)) | (k3 <= @mask(most)))) {
                v += 4;
                continue;
              }
              stop = v + 4;
            }
            for (; v < stop; v++) {
              const int16 key = $key;
              if (!@any(key <= @mask(most))) continue;
              if (added + 16 > room) {
                $keep
              }
              float keys[16];
              @store(16, @floatsOf(key), 0, keys);
              for (int j = 0; j < 16; j++) {
                const uint bits = @bitsOf(keys[j]);
                fresh[added] = narrow_of(bits ^ 0x80000000u, begin + v * 16 + j);
                added += (int)bits <= most;
              }
            }
          }
          for (long e = begin + vectors * 16; e < end; e++) {
            $rank
            if ((int)(rank ^ 0x80000000u) > most) continue;
            if (added == room) {
              $keep
            }
            fresh[added++] = narrow_of(rank, e);
          }
          count = narrow_keep(best, count, $k, fresh, added, other);
          """);

  /* What comes later in the row is in time if it is before the last one of `best`. */
  private static final Template KEEP =
      Template.of(
          "collected entries, kept",
          """
          count = narrow_keep(best, count, $k, fresh, added, other);
          added = 0;
          if (count == $k) {
            const uint last = (uint)(best[$k - 1] >> 32);
            most = last == 0 ? (int)0x80000000u : (int)((last - 1) ^ 0x80000000u);
          }
          """);

  /* A bound is found by halving the range between the least and the largest of the keys. */
  private static final Template BOUND =
      Template.of(
          "bound of those wanted",
          """
          const int groups = $k < 1024 ? ($k + 3) / 4 : 256;
          if ($k <= 2048 && 2 * groups <= vectors) {
            int16 least[256];
            for (int g = 0; g < groups; g++) least[g] = $first;
            for (long v = groups; v < vectors;)
              for (int g = 0; g < groups && v < vectors; g++, v++) least[g] = min(least[g], $key);
            int16 low = least[0], high = least[0];
            for (int g = 1; g < groups; g++) {
              low = min(low, least[g]);
              high = max(high, least[g]);
            }
            long a = min_int16(low), b = max_int16(high);
            while (a < b) {
              const long middle = a + (b - a) / 2;
              int16 within = @mask(0);
              for (int g = 0; g < groups; g++) within -= least[g] <= @mask((int)middle);
              const int number = sum_int16(within);
              if (number < $k) {
                a = middle + 1;
              } else {
                b = middle;
                if (number <= $k + $k / 8) break;
              }
            }
            most = (int)b;
          }
          """);

  private final TopKText top;

  TopKVectors(TopKText top) {
    this.top = top;
  }

  String text() {
    StringBuilder several = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      several.append("const int16 k%d = %s;\n".formatted(i, key("v + " + i)));
    }
    return CHUNK
        .with("k", top.k())
        .with("start", top.element("begin"))
        .with("bound", BOUND.with("k", top.k()).with("first", key("g")).with("key", key("v")))
        .with("several", several.toString().strip())
        .with("key", key("v"))
        .with("keep", KEEP.with("k", top.k()))
        .with("rank", top.rank("e"))
        .text();
  }

  private String key(String vector) {
    String bits = "@intsOf(@load(16, 0, in + (" + vector + ") * 16))";
    String key =
        switch (top.elementType()) {
          case F32 -> "order_int16(" + bits + ")";
          case I32 -> bits;
          case U32 -> "(" + bits + " ^ @mask((int)0x80000000u))";
          case I8, I16, I64, U8, U16, U64, BOOL, F16, BF16, F64 ->
              throw new IllegalStateException("its elements are no words");
        };
    return top.isLargest() ? "~" + key : key;
  }
}
