package io.miniinference.codegen.gpu.tile;

import java.util.Optional;
import java.util.stream.IntStream;

/// How a work-group shares out attention: it makes [#rows] rows of one matrix of the result and
/// goes over the keys, [#KEYS] at a time. Queries, and keys and values panel by panel, lie in local
/// memory; scores and sums are in registers.
///
/// @param rowsPerItem rows of scores and of the result of a work item: 2 or 4
/// @param depth size of a query and a key
/// @param size of a value
/// @param panelDepth how much of each key is one panel, a multiple of 4
public record AttentionTile(int rowsPerItem, int depth, int size, int panelDepth) {
  /// Work items side by side.
  public static final int ACROSS = 16;

  /// Work items one below the other.
  public static final int DOWN = 8;

  public static final int ITEMS = ACROSS * DOWN;

  /// Keys of a block, four of a work item.
  public static final int KEYS = 4 * ACROSS;

  /// Largest size of a value.
  private static final int MOST_SIZE = 256;

  /// The least local memory that a device has, in floats.
  private static final int LOCAL_FLOATS = 8192;

  /// Depths of panels. A panel is on its way while the one before is multiplied, and of a deep one
  /// that takes long enough to hide it.
  private static final int DEEP = 64;

  private static final int SHALLOW = 32;

  /// Work-groups of large tiles from which on a device has enough of them: half of what an H200 has
  /// multiprocessors. With fewer, tiles are small.
  private static final long FEW_GROUPS = 66;

  /// Tiles whose queries, panels and weights fit local memory, if there are any.
  ///
  /// @param groups how many work-groups of four rows a work item a request has
  /// @param depth size of a query and a key, positive
  /// @param size of a value, positive
  public static Optional<AttentionTile> of(long groups, int depth, int size) {
    return IntStream.of(4, 2)
        .filter(rows -> rows == 2 || groups > FEW_GROUPS)
        .boxed()
        .flatMap(rows ->
            IntStream.of(DEEP, SHALLOW)
                .mapToObj(deep -> new AttentionTile(rows, depth, size, even(depth, deep))))
        .filter(AttentionTile::fits)
        .findFirst();
  }

  /* The depth of panels, as few as there can be. */
  private static int even(int depth, int most) {
    return Math.ceilDiv(Math.ceilDiv(depth, Math.ceilDiv(depth, most)), 4) * 4;
  }

  private boolean fits() {
    int floats = panels() * panelDepth * pitch() + panel() + KEYS * pitch() + rows() * ACROSS;
    return size <= MOST_SIZE && floats <= LOCAL_FLOATS;
  }

  /// Rows of the result of a work-group.
  public int rows() {
    return DOWN * rowsPerItem;
  }

  /// Floats from one line of queries or weights to the next in local memory, where rows are
  /// innermost; four more than these, so that neighbours lie in different banks.
  public int pitch() {
    return rows() + 4;
  }

  /// The same of keys.
  public static int pitchOfKeys() {
    return KEYS + 4;
  }

  /// Parts of the depth that are in local memory one after the other.
  public int panels() {
    return Math.ceilDiv(depth, panelDepth);
  }

  /// Numbers of a value that a work item has side by side.
  public int width() {
    return size <= ACROSS ? 1 : size <= 2 * ACROSS ? 2 : 4;
  }

  /// How many times a work item has as many.
  public int vectors() {
    return Math.ceilDiv(size, ACROSS * width());
  }

  /// Floats of a value in local memory.
  public int padded() {
    return ACROSS * width() * vectors();
  }

  /// Keys whose values are in local memory at a time.
  public int panelKeys() {
    int most = Math.max(SHALLOW, panelDepth) * pitchOfKeys();
    return IntStream.of(KEYS, KEYS / 2, KEYS / 4)
        .filter(keys -> keys * padded() <= most)
        .findFirst()
        .orElse(KEYS / 8);
  }

  /// Floats of a panel of keys or of values.
  public int panel() {
    return Math.max(panelDepth * pitchOfKeys(), panelKeys() * padded());
  }

  /// What it is, for readers.
  public String about() {
    return "attention, %d rows x %d keys at a time".formatted(rows(), KEYS);
  }
}
