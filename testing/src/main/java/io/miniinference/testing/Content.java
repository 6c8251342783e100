package io.miniinference.testing;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import java.util.Random;

/// What the elements of random tensors are.
public enum Content {
  /// Standard normal floats.
  NORMAL,
  /// Whole numbers from −4 to 4, in floats and integers.
  WHOLE,
  /// 0 and 1: places on any axis of two or more.
  PLACE;

  Tensor fill(Random random, ElementType type, long... shape) {
    Tensor tensor = Interpreter.allocate(type, shape);
    TensorView view = TensorView.of(tensor);
    for (long i = 0; i < tensor.elements(); i++) {
      if (type.isFloat()) {
        view.realAt(i, this == NORMAL ? random.nextGaussian() : whole(random));
      } else {
        view.wholeAt(i, whole(random));
      }
    }
    return tensor;
  }

  private long whole(Random random) {
    return this == PLACE ? random.nextInt(2) : random.nextInt(-4, 5);
  }
}
