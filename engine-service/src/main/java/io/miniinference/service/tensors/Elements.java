package io.miniinference.service.tensors;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.signature.TensorSpec;

/// Elements of one type as those of another: floats are rounded, whole numbers must fit.
final class Elements {
  private Elements() {}

  /// The same numbers in the type of an input.
  ///
  /// @param origin names them in messages
  /// @throws IllegalArgumentException if a number is lost
  static Tensor converted(String origin, Tensor tensor, TensorSpec input) {
    if (input.isOfStrings()) {
      throw new IllegalArgumentException(
          "'%s' holds %s, and input '%s' takes strings (%s): write them as JSON"
              .formatted(origin, tensor, input.name(), input));
    }
    ElementType wanted = input.element();
    if (tensor.element() == wanted) {
      return tensor;
    }
    if (tensor.element().isFloat() && !wanted.isFloat()) {
      throw new IllegalArgumentException(
          "'%s' holds %s, and input '%s' takes whole numbers (%s)"
              .formatted(origin, tensor, input.name(), input));
    }
    return copied(origin, tensor, input);
  }

  private static Tensor copied(String origin, Tensor tensor, TensorSpec input) {
    Tensor result = Interpreter.allocate(input.element(), tensor.shape());
    TensorView from = TensorView.of(tensor);
    TensorView to = TensorView.of(result);
    for (long i = 0; i < tensor.elements(); i++) {
      if (input.element().isFloat()) {
        to.realAt(i, from.realAt(i));
      } else {
        to.wholeAt(i, checked(origin, from.wholeAt(i), tensor.element(), input));
      }
    }
    return result;
  }

  private static long checked(String origin, long value, ElementType from, TensorSpec input) {
    boolean isHuge = from == ElementType.U64 && value < 0;
    if (isHuge || !fits(value, input.element())) {
      throw new IllegalArgumentException(
          "'%s' holds %s, which is no %s of input '%s'"
              .formatted(origin, Long.toUnsignedString(value), input.element(), input.name()));
    }
    return value;
  }

  /// Whether a whole number is one of a type.
  static boolean fits(long value, ElementType type) {
    int bits = 8 * type.bytes();
    return switch (type.kind()) {
      case FLOAT -> true;
      case BOOL -> value == 0 || value == 1;
      case UNSIGNED -> value >= 0 && (bits == Long.SIZE || value >>> bits == 0);
      case SIGNED ->
          bits == Long.SIZE || value == value << (Long.SIZE - bits) >> (Long.SIZE - bits);
    };
  }
}
