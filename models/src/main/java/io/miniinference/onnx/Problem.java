package io.miniinference.onnx;

/// One thing that is wrong with a model: where, and what with the remedy.
///
/// @param where a place as a user knows it, such as `node 'nms_out' (NonMaxSuppression)`, or "" for
///   the model as a whole
/// @param what the fault, the value that shows it, and what to do
public record Problem(String where, String what) {

  /// A problem of the model as a whole.
  public static Problem of(String what) {
    return new Problem("", what);
  }

  @Override
  public String toString() {
    return where.isEmpty() ? what : where + ": " + what;
  }
}
