package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.Template;

/// Text that puts a block of keys together as `[k][key]`, with zeros behind the last key.
///
/// @param isBeside whether keys lie beside each other, and not one after the other
/// @param element number `k` of key `key + j`
record KeyPanel(AttentionSizes sizes, boolean isBeside, String element) {
  private static final Template ROWS_OF_KEYS =
      Template.of(
          "attention, keys of a block, one after the other",
          """
          for (int j = 0; j < width; j++)
            for (int k = 0; k < $depth; k++) panel[k * $block + j] = $element;
          $rest
          """);

  private static final Template COLUMNS_OF_KEYS =
      Template.of(
          "attention, keys of a block, beside each other",
          """
          for (int k = 0; k < $depth; k++) {
            for (int j = 0; j < width; j++) panel[k * $block + j] = $element;
            $rest
          }
          """);

  private static final Template BEHIND_LAST_ROW =
      Template.of(
          "attention, behind the last of keys one after the other",
          """
          for (int j = width; j < $block; j++)
            for (int k = 0; k < $depth; k++) panel[k * $block + j] = 0;
          """);

  private static final Template BEHIND_LAST_COLUMN =
      Template.of(
          "attention, behind the last of keys beside each other",
          """
          for (int j = width; j < $block; j++) panel[k * $block + j] = 0;
          """);

  /* Ahead of the keys, so that their number decides over no store. */
  private static final Template CLEARED =
      Template.of(
          "attention, no keys yet",
          """
          if (width < $block)
            for (int k = 0; k < $depth; k++)
              for (int v = 0; v < held; v++) @store(16, @splat(16, 0.0f), k * $vectors + v, panel);
          """);

  String filled() {
    return (isBeside ? COLUMNS_OF_KEYS : ROWS_OF_KEYS)
        .with("depth", sizes.depth())
        .with("block", sizes.block())
        .with("rest", sizes.keys().isOpen() ? "" : rest())
        .with("element", element)
        .text();
  }

  private String rest() {
    return isBeside
        ? BEHIND_LAST_COLUMN.with("block", sizes.block()).text()
        : BEHIND_LAST_ROW.with("block", sizes.block()).with("depth", sizes.depth()).text();
  }

  /// What is ahead of the keys: few of an open number take one vector of scores, others all.
  String used() {
    return sizes.keys().isOpen()
        ? "const int used = (width + 15) / 16, held = used == 1 ? 1 : " + sizes.vectors() + ";"
        : "";
  }

  /// Zeros ahead of an open number of keys.
  String cleared() {
    return sizes.keys().isOpen()
        ? CLEARED
            .with("block", sizes.block())
            .with("depth", sizes.depth())
            .with("vectors", sizes.vectors())
            .text()
        : "";
  }
}
