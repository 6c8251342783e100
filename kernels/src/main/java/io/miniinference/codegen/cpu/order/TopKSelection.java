package io.miniinference.codegen.cpu.order;

import io.miniinference.codegen.Template;
import io.miniinference.codegen.TopKText;
import io.miniinference.codegen.cpu.lanes.LaneRow;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;

/// How a work item finds the best `k` elements of a chunk of a row, in order, in one walk over it.
///
/// What may be among them is collected. Now and then that is sorted, and taken into the sorted list
/// of the best so far, whose last one then tells what comes too late: most of a chunk is looked at,
/// and no more. Of a long list, which would be moved too often, it is a heap (J. W. J. Williams,
/// Algorithm 232: Heapsort, 1964).
enum TopKSelection {
  /// Elements one by one, however they lie, collected.
  ELEMENTS(
      "elements that may be among the first, collected",
      """
      A work item finds the best of a chunk of a row: it collects what comes before the last of the best so far, and
      sorts that into them now and then.
      """,
      4096),

  /// Sixteen neighbours at a time, collected.
  VECTORS(
      "16 neighbours at a time, of which few are collected",
      """
      A work item finds the best of a chunk of a row, sixteen neighbours at a time. First the lanes of some vectors take
      the best of a part of the chunk each; as many of these as are wanted are a bound that those wanted do not exceed.
      Then it collects what is within the bound, little more than is wanted, and sorts that.
      """,
      32_768),

  /// Elements one by one, in a heap.
  HEAP(
      "a heap of the first elements",
      "A work item finds the best of a chunk of a row, in a heap in scratch.",
      4096);

  /// Longest list that is kept sorted all the time.
  private static final int LONGEST = 4096;

  private final String algorithm;
  private final String head;

  /// Elements that are worth a work item of their own: some 10 µs of work.
  private final int worth;

  TopKSelection(String algorithm, String head, int worth) {
    this.algorithm = algorithm;
    this.head = head;
    this.worth = worth;
  }

  static TopKSelection of(LoweredStep step) {
    return of(
        TopKText.op(step),
        step.node().inputs().getFirst().type().element(),
        step.inputs().getFirst().index());
  }

  private static TopKSelection of(Op.TopK op, ElementType element, IndexFunction index) {
    if (op.k() > LONGEST) {
      return HEAP;
    }
    boolean areNeighbours =
        op.axis() == index.rank() - 1 && LaneRow.areNeighbours(index, op.axis());
    return areNeighbours && isWord(element) ? VECTORS : ELEMENTS;
  }

  private static boolean isWord(ElementType element) {
    return switch (element) {
      case F32, I32, U32 -> true;
      case I8, I16, I64, U8, U16, U64, BOOL, F16, BF16, F64 -> false;
    };
  }

  /// Fewest elements of a chunk where a row has several.
  static int leastChunk(Op.TopK op, ElementType element, IndexFunction index) {
    return 2 * of(op, element, index).worth;
  }

  String algorithm() {
    return algorithm;
  }

  String head() {
    return head;
  }

  /// Chunks below which a second worker costs more than it saves.
  int grain(long length) {
    return (int) Math.max(1, 2 * worth / Math.max(1, length));
  }

  /// Statements that make `best` the sorted list of the first elements from `begin` to `end`, and
  /// declare as `count` how many these are.
  String text(TopKText top) {
    return switch (this) {
      case ELEMENTS -> elements(top);
      case VECTORS -> new TopKVectors(top).text();
      case HEAP -> heap(top);
    };
  }

  private static final Template COLLECTED =
      Template.of(
          "top-k of a chunk, collected",
          """
          $entry fresh[1024], other[1024];
          const int room = $k < 32 ? 64 : $k < 512 ? 2 * $k : 1024;
          int count = 0, added = 0;
          $entry last = $none;
          for (long e = begin; e < end; e++) {
            $rank
            const $entry next = ${entry}_of(rank, e);
            if (${entry}_before(next, last)) {
              fresh[added++] = next;
              if (added == room) {
                count = ${entry}_keep(best, count, $k, fresh, added, other);
                added = 0;
                if (count == $k) last = best[$k - 1];
              }
            }
          }
          count = ${entry}_keep(best, count, $k, fresh, added, other);
          """);

  private static String elements(TopKText top) {
    return COLLECTED
        .with("entry", top.entry().type())
        .with("k", top.k())
        .with("none", top.entry().none())
        .with("rank", top.rank("e"))
        .text();
  }

  private static final Template HEAPED =
      Template.of(
          "top-k of a chunk, in a heap",
          """
          int count = 0;
          for (long e = begin; e < end; e++) {
            $rank
            const $entry next = ${entry}_of(rank, e);
            if (count < $k) {
              int at = count++;
              for (; at > 0 && ${entry}_before(best[(at - 1) / 2], next); at = (at - 1) / 2)
                best[at] = best[(at - 1) / 2];
              best[at] = next;
            } else if (${entry}_before(next, best[0])) {
              ${entry}_sink(best, $k, next);
            }
          }
          for (int last = count - 1; last > 0; last--) {
            const $entry next = best[last];
            best[last] = best[0];
            ${entry}_sink(best, last, next);
          }
          """);

  private static String heap(TopKText top) {
    return HEAPED
        .with("entry", top.entry().type())
        .with("k", top.k())
        .with("rank", top.rank("e"))
        .text();
  }
}
