package io.miniinference.lower;

import io.miniinference.layout.Affine;

/// The layout of a failure slot in the arena, as kernels write it and the runtime reads it.
///
/// Slot 0 is the run's own, slot `1 + r` that of batch row `r`. All zeros means no failure; a slot
/// is claimed by writing [#STEP], and an earlier step's claim stays.
///
/// ```
/// byte   0        4           8          12      16        24       32      40      48       52
///        | step+1 | iteration | component | kind | position | index | low   | high  | launch | any, unused |
/// ```
public final class FailureSlot {
  public static final int BYTES = 64;

  /// `int`: number of the failing step plus one.
  public static final int STEP = 0;

  /// `int`: iteration of the enclosing loop, −1 outside one.
  public static final int ITERATION = 4;

  /// `int`: which component of an index vector.
  public static final int COMPONENT = 8;

  /// `int`: one of the `KIND_*`. A negative size is claimed as an index.
  public static final int KIND = 12;

  /// `long`: linear position in the index tensor of the run.
  public static final int POSITION = 16;

  /// `long`: the offending value.
  public static final int INDEX = 24;

  /// `long`: smallest legal value.
  public static final int LOW = 32;

  /// `long`: largest legal value.
  public static final int HIGH = 40;

  /// `int`: number of the launch in its run, −1 where steps tell the order.
  public static final int LAUNCH = 48;

  /// `int`, in the run's own slot alone: not 0 if any slot is claimed. It says of a whole run that
  /// nothing failed, with one look. A micro-batch has the slot of the row ahead of its first one
  /// for the run's own.
  public static final int ANY = 52;

  public static final int KIND_INDEX = 1;
  public static final int KIND_DIVISION = 2;

  private FailureSlot() {}

  /// Bytes of all slots of a run, in the batch size.
  public static Affine bytes() {
    return new Affine(BYTES, BYTES);
  }
}
