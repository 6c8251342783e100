package io.miniinference.ops.draft;

import org.jspecify.annotations.Nullable;

/// One reason why a node cannot be lowered; the importer adds the place and collects it.
public final class LoweringFault extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final Cause cause;
  private final transient @Nullable Negative negative;

  private enum Cause {
    MODEL,
    COUNTED,
    OPEN,
    FAILED,
    NEGATIVE
  }

  /// A size below 0: where in the node's result, and where among the sizes it takes.
  public record Negative(long size, int axis, int position) {}

  private LoweringFault(String what, Cause cause, @Nullable Negative negative) {
    super(what, null, false, false);
    this.cause = cause;
    this.negative = negative;
  }

  /// The model asks for what is wrong or unsupported.
  public static LoweringFault of(String what) {
    return new LoweringFault(what, Cause.MODEL, null);
  }

  /// A size is not known that only the device can tell, once the model runs.
  public static LoweringFault counted(String what) {
    return new LoweringFault(what, Cause.COUNTED, null);
  }

  /// A size is not known while the batch is a symbol.
  public static LoweringFault specialisable(String what) {
    return new LoweringFault(what, Cause.OPEN, null);
  }

  /// A size is not known while the values are not that it follows from. Those of small inputs are,
  /// and what is computed of them while it is small.
  ///
  /// @param what is not known, such as `so that the number of iterations`
  public static LoweringFault ofData(String what) {
    return specialisable(
        "%s must be known at load, but depends on data; give a data set with its values, in inputs of at most %,d elements, from which it follows by values of at most as many"
            .formatted(what, SymbolicTensor.MAX_ELEMENTS));
  }

  /// A size is not known since what it follows from fails.
  public static LoweringFault failed(String what) {
    return new LoweringFault(what, Cause.FAILED, null);
  }

  /// A size came out negative.
  public static LoweringFault negative(long size, int axis, int position) {
    String what = "negative size %d on axis %d".formatted(size, axis);
    return new LoweringFault(what, Cause.NEGATIVE, new Negative(size, axis, position));
  }

  public String what() {
    return String.valueOf(getMessage());
  }

  public @Nullable Negative negative() {
    return negative;
  }

  /// Whether it would not be there if all sizes were known.
  public boolean isOfCounts() {
    return cause == Cause.COUNTED;
  }

  /// Whether a fixed batch would cure it.
  public boolean isSpecialisable() {
    return cause == Cause.OPEN;
  }

  /// Whether a run fails ahead of the node.
  public boolean isFailed() {
    return cause == Cause.FAILED;
  }
}
