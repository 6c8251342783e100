package io.miniinference.plan;

/// Why a merge was refused. `SC1` to `SC5` and `IF` are the safety conditions of *Memory Block
/// Merging in Futhark* (N. Serup, 2017; §5.3 and §5.7), the others are what memory of tensors adds.
public enum Condition {
  /// The source is needed after the step.
  SC1("it is needed after the step"),
  /// The destination does not exist yet when the source is made.
  SC2("the destination does not exist yet"),
  /// The destination's memory is in use between the making of the source and the step.
  SC3("the destination is in use before the step"),
  /// The source is no memory of this request that may be written, such as a weight.
  SC4("not memory of the request"),
  /// Where the source would lie is not known yet when it is made.
  SC5("its place is not known in time"),
  /// A merge into the result of an `If` that only another branch allows.
  IF("another branch forbids it"),
  /// The two blocks differ in physical size.
  SIZE("blocks of different size"),
  /// The elements differ in size.
  TYPE("elements of different size"),
  /// The same index is not the same place: index functions differ, or the step also reads the
  /// memory in another order.
  INDEX("another order of elements"),
  /// One of the two is in a blocked layout, or both are in different ones.
  LAYOUT("another blocked layout"),
  /// It excludes another merge that saves at least as much.
  WORSE("excluded by another merge");

  private final String reason;

  Condition(String reason) {
    this.reason = reason;
  }

  /// The reason in a few words.
  public String reason() {
    return reason;
  }
}
