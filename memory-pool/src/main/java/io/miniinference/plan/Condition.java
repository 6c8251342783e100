package io.miniinference.plan;

/// Why a merge was refused. `SC1` to `SC5` and `IF` are the safety conditions of *Memory Block
/// Merging in Futhark* (N. Serup, 2017; §5.3 and §5.7), the others are what memory of tensors adds.
public enum Condition {
  /// The source is needed after the step.
  SC1,
  /// The destination does not exist yet when the source is made.
  SC2,
  /// The destination's memory is in use between the making of the source and the step.
  SC3,
  /// The source is no memory of this request that may be written, such as a weight.
  SC4,
  /// Where the source would lie is not known yet when it is made.
  SC5,
  /// A merge into the result of an `If` that only another branch allows.
  IF,
  /// The two blocks differ in physical size.
  SIZE,
  /// The elements differ in size.
  TYPE,
  /// The same index is not the same place: index functions differ, or the step also reads the
  /// memory in another order.
  INDEX,
  /// One of the two is in a blocked layout, or both are in different ones.
  LAYOUT,
  /// It excludes another merge that saves at least as much.
  WORSE
}
