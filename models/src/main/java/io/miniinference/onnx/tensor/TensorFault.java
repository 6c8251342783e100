package io.miniinference.onnx.tensor;

/// What is wrong with the tensor being read; [TensorReader] adds whose tensor it is.
final class TensorFault extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String what;

  TensorFault(String what) {
    super(what);
    this.what = what;
  }

  TensorFault(String what, Throwable cause) {
    super(what, cause);
    this.what = what;
  }

  String what() {
    return what;
  }
}
