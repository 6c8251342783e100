package io.miniinference.interp;

import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Random ways to lay a tensor out in memory.
public final class Layouts {
  private static final int MARGIN_BYTES = 24;

  private Layouts() {}

  private static List<Affine> affine(long[] shape) {
    return Arrays.stream(shape).mapToObj(Affine::of).toList();
  }

  /// Dense in any order of axes, blocked, or a slice (also backwards) of something larger.
  static IndexFunction random(Random random, long[] shape) {
    if (shape.length == 0) {
      return IndexFunction.rowMajor(List.of());
    }
    return switch (random.nextInt(4)) {
      case 0 -> IndexFunction.rowMajor(affine(shape));
      case 1 -> ordered(random, shape);
      case 2 ->
          IndexFunction.blocked(affine(shape), random.nextInt(shape.length), random.nextInt(2, 5));
      default -> sliced(random, shape);
    };
  }

  private static IndexFunction ordered(Random random, long[] shape) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, shape.length).boxed().toList());
    Collections.shuffle(order, random);
    return IndexFunction.ordered(affine(shape), order);
  }

  private static IndexFunction sliced(Random random, long[] shape) {
    long[] larger = Arrays.stream(shape).map(d -> 2 * d + 3).toArray();
    IndexFunction index = ordered(random, larger);
    for (int axis = 0; axis < shape.length; axis++) {
      boolean back = random.nextBoolean();
      long step = random.nextInt(1, 3);
      long start = back ? larger[axis] - 1 : random.nextInt(2);
      index =
          index
              .slice(axis, Affine.of(start), back ? -step : step, Affine.of(shape[axis]))
              .orElseThrow();
    }
    return index;
  }

  /// Memory for an array, full of ones in every bit so that padding shows if it is read.
  static TensorView allocate(ElementType type, IndexFunction index) {
    long bytes = index.spanElements(1) * type.bytes() + 2 * MARGIN_BYTES;
    MemorySegment memory = Arena.ofAuto().allocate(bytes, 8);
    memory.fill((byte) 0xFF);
    return TensorView.of(memory, MARGIN_BYTES, type, index, 1);
  }

  /// The tensor's elements in another layout.
  static TensorView place(Tensor tensor, IndexFunction index) {
    TensorView view = allocate(tensor.element(), index);
    TensorView source = TensorView.of(tensor);
    for (long i = 0; i < tensor.elements(); i++) {
      view.copyElement(view.offsetAt(i), source, source.offsetAt(i));
    }
    return view;
  }

  /// Back to a dense tensor.
  public static Tensor dense(TensorView view) {
    Tensor tensor = Interpreter.allocate(view.element(), view.shape());
    TensorView target = TensorView.of(tensor);
    for (long i = 0; i < tensor.elements(); i++) {
      target.copyElement(i, view, view.offsetAt(i));
    }
    return tensor;
  }
}
