package io.miniinference.service.tensors;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.signature.TensorSpec;

/// Elements of one type as those of another: floats are rounded, whole numbers must be the same.
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
        requireSame(origin, from, to, i, input);
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
              .formatted(origin, text(value, from), input.element(), input.name()));
    }
    return value;
  }

  private static String text(long value, ElementType type) {
    return type == ElementType.U64 ? Long.toUnsignedString(value) : Long.toString(value);
  }

  /* A float is rounded, which NumPy's own float64 asks for; an identifier must not become another,
  nor a large number infinite. */
  private static void requireSame(
      String origin, TensorView from, TensorView to, long i, TensorSpec input) {
    if (from.element().isFloat()) {
      requireInRange(origin, from.realAt(i), to.realAt(i), input);
    } else if (!isSame(from.wholeAt(i), from.element(), to.realAt(i))) {
      throw new IllegalArgumentException(
          "'%s' holds %s, which %s of input '%s' has no number for: save x.astype(np.%s) if the nearest will do"
              .formatted(
                  origin,
                  text(from.wholeAt(i), from.element()),
                  input.element(),
                  input.name(),
                  numPyName(input.element())));
    }
  }

  private static void requireInRange(
      String origin, double value, double rounded, TensorSpec input) {
    if (Double.isInfinite(rounded) && !Double.isInfinite(value)) {
      throw new IllegalArgumentException(
          "'%s' holds %s, which is outside the range of %s of input '%s'"
              .formatted(origin, value, input.element(), input.name()));
    }
  }

  private static boolean isSame(long whole, ElementType type, double real) {
    boolean isAbove = type == ElementType.U64 && whole < 0;
    double least = isAbove ? 0x1p63 : -0x1p63;
    double most = isAbove ? 0x1p64 : 0x1p63;
    return real >= least && real < most && whole == (long) (isAbove ? real - 0x1p64 : real);
  }

  /* NumPy has no bf16 of its own. */
  private static String numPyName(ElementType type) {
    return switch (type) {
      case F16 -> "float16";
      case F64 -> "float64";
      default -> "float32";
    };
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
