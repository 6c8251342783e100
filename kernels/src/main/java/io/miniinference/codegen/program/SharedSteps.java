package io.miniinference.codegen.program;

import io.miniinference.codegen.Template;

/// Text of how the work items of one launch, one for each worker, go through the steps of a program
/// together: each has a part of a step's items, claims it piece by piece, takes pieces of others'
/// parts when its own is done, and waits until all pieces of the step are done. So a step costs no
/// launch, and a worker finds in its caches what it wrote in the step before. A work item that
/// comes late, or not at all, delays nobody: others do its part.
///
/// The counters lie in the arena, all 0 when the launch begins: by work item and step the pieces
/// that were claimed of its part, and by step the items that are done.
final class SharedSteps {
  /// Pieces of a part: what is left when another one is done is no more than one of them.
  private static final int PIECES = 16;

  /// Counters of one work item follow each other in whole lines of a cache.
  private static final int LINE = 16;

  private static final Template FUNCTIONS =
      Template.of(
          "shared steps",
          """
          @outlined long claim_items(volatile @global int* claimed, const int stride, const int member, const int members, const long items, const int grain, int* tried, long* end) {
            const int parts = (int)min((long)members, max(1L, items / grain));
            const long piece = max((items / parts + $pieces - 1) / $pieces, (grain + 1L) / 2);
            for (; *tried < parts; (*tried)++) {
              const int part = (member + *tried) % parts;
              const long to = items * (part + 1) / parts;
              const long begin = items * part / parts + piece * @atomicNext(claimed + part * stride);
              if (begin < to) {
                *end = min(begin + piece, to);
                return begin;
              }
            }
            return -1;
          }
          @outlined void await_items(volatile @global int* done, const int items, const int own) {
            if (own > 0) @atomicAdd(done, own);
            while (*done != items) {}
            @atomicAdd(done, 0);
          }
          """);

  private SharedSteps() {}

  /// Counters of one work item, and of all items that are done.
  static int stride(int steps) {
    return Math.ceilDiv(steps, LINE) * LINE;
  }

  static String functions() {
    return FUNCTIONS.with("pieces", PIECES).text() + "\n";
  }
}
