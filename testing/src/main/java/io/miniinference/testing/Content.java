package io.miniinference.testing;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import java.util.Random;
import java.util.function.DoubleSupplier;

/// What the elements of random tensors are.
public enum Content {
  /// Standard normal floats.
  NORMAL,
  /// Whole numbers from −4 to 4, in floats and integers.
  WHOLE,
  /// 0 and 1: places on any axis of two or more.
  PLACE;

  Tensor fill(Random random, ElementType type, long... shape) {
    DoubleSupplier reals = () -> this == NORMAL ? random.nextGaussian() : whole(random);
    return Interpreter.filled(type, reals, () -> whole(random), shape);
  }

  private long whole(Random random) {
    return this == PLACE ? random.nextInt(2) : random.nextInt(-4, 5);
  }
}
