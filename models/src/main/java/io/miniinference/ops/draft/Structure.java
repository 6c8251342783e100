package io.miniinference.ops.draft;

import io.miniinference.ir.Value;
import java.util.List;

/// What a value of an import stands for that is no tensor: a list of tensors, or an optional
/// without a value ([ONNX sequences and
/// optionals](https://github.com/onnx/onnx/blob/main/docs/IR.md)). How many tensors a list has is
/// known, so that nothing is left of it behind the import. An optional with a value is that value.
public sealed interface Structure {

  /// Tensors of one element type, in order.
  record Sequence(List<Value> elements) implements Structure {
    /// Most tensors of a list.
    public static final int MOST = 4096;

    public Sequence {
      elements = List.copyOf(elements);
      if (elements.size() > MOST) {
        throw LoweringFault.of(
            "makes a list of %d tensors, more than %d; write into one tensor"
                .formatted(elements.size(), MOST));
      }
    }
  }

  /// An optional without a value.
  record Nothing() implements Structure {}

  /// In words.
  default String what() {
    return switch (this) {
      case Sequence sequence -> "a list of %d tensors".formatted(sequence.elements().size());
      case Nothing _ -> "an optional without a value";
    };
  }
}
