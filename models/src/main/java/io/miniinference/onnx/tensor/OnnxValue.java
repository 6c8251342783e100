package io.miniinference.onnx.tensor;

import java.util.List;
import java.util.Optional;

/// A value of an input, output or constant.
public sealed interface OnnxValue permits OnnxTensor, OnnxValue.Sequence, OnnxValue.Maybe {

  String name();

  /// Values of one type in order.
  record Sequence(String name, List<OnnxValue> elements) implements OnnxValue {
    public Sequence {
      elements = List.copyOf(elements);
    }
  }

  /// An ONNX optional: a value or none.
  record Maybe(String name, Optional<OnnxValue> value) implements OnnxValue {}
}
