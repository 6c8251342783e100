package io.miniinference.ops;

import org.jspecify.annotations.Nullable;

/// One reason why a node cannot be lowered; the importer adds the place and collects it.
final class LoweringFault extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final boolean specialisable;
  private final transient @Nullable Negative negative;

  /// A size below 0: where in the node's result, and where among the sizes it takes.
  record Negative(long size, int axis, int position) {}

  private LoweringFault(String what, boolean specialisable, @Nullable Negative negative) {
    super(what, null, false, false);
    this.specialisable = specialisable;
    this.negative = negative;
  }

  /// The model asks for what is wrong or unsupported.
  static LoweringFault of(String what) {
    return new LoweringFault(what, false, null);
  }

  /// A size is not known while the batch is a symbol.
  static LoweringFault specialisable(String what) {
    return new LoweringFault(what, true, null);
  }

  /// A size came out negative.
  static LoweringFault negative(long size, int axis, int position) {
    String what = "negative size %d on axis %d".formatted(size, axis);
    return new LoweringFault(what, false, new Negative(size, axis, position));
  }

  String what() {
    return String.valueOf(getMessage());
  }

  @Nullable Negative negative() {
    return negative;
  }

  /// Whether a fixed batch would cure it.
  boolean isSpecialisable() {
    return specialisable;
  }
}
