package io.miniinference.codegen.gpu.sort;

import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.RankedEntry;

/// One kernel that sorts rows of entries ([SortedTiles]): where it finds what it sorts, and where
/// the result goes.
public interface RowEntries {
  KernelText text();

  /// What is sorted.
  RankedEntry entry();

  /// Declares what entries are made of.
  void declareOperand();

  /// Statements that declare what belongs to the row of that number.
  String coordinates(String row);

  /// Statements that assign the entry at `place` of the row to `next`, if there is one.
  String load(String place);

  /// Declares scratch as a pointer to entries.
  void declareScratch(String name, int scratch);

  /// Declares where the result goes, and says how an entry is stored as the one at `place`. Not
  /// asked of lists that stay in scratch.
  default String store(String place, String entry) {
    throw new IllegalStateException("the result stays in scratch");
  }
}
