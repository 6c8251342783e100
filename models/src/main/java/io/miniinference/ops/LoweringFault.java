package io.miniinference.ops;

/// One reason why a node cannot be lowered; the importer adds the place and collects it.
final class LoweringFault extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final boolean specialisable;

  private LoweringFault(String what, boolean specialisable) {
    super(what, null, false, false);
    this.specialisable = specialisable;
  }

  /// The model asks for what is wrong or unsupported.
  static LoweringFault of(String what) {
    return new LoweringFault(what, false);
  }

  /// A size is not known while the batch is a symbol.
  static LoweringFault specialisable(String what) {
    return new LoweringFault(what, true);
  }

  String what() {
    return String.valueOf(getMessage());
  }

  /// Whether a fixed batch would cure it.
  boolean isSpecialisable() {
    return specialisable;
  }
}
