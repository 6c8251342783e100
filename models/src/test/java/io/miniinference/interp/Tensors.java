package io.miniinference.interp;

import io.miniinference.interp.memory.Numbers;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Short ways to write tensors and nodes in tests.
public final class Tensors {
  private Tensors() {}

  public static long[] shape(long... dims) {
    return dims;
  }

  public static Tensor f32(long[] shape, double... values) {
    return reals(ElementType.F32, shape, values);
  }

  static Tensor reals(ElementType type, long[] shape, double... values) {
    Tensor tensor = Interpreter.allocate(type, shape);
    TensorView view = TensorView.of(tensor);
    for (int i = 0; i < values.length; i++) {
      view.realAt(i, values[i]);
    }
    return tensor;
  }

  static Tensor i64(long[] shape, long... values) {
    return wholes(ElementType.I64, shape, values);
  }

  public static Tensor wholes(ElementType type, long[] shape, long... values) {
    Tensor tensor = Interpreter.allocate(type, shape);
    TensorView view = TensorView.of(tensor);
    for (int i = 0; i < values.length; i++) {
      view.wholeAt(i, values[i]);
    }
    return tensor;
  }

  /// Standard normal floats, or small integers of either sign where the type has one.
  public static Tensor random(Random random, ElementType type, long... shape) {
    Tensor tensor = Interpreter.allocate(type, shape);
    TensorView view = TensorView.of(tensor);
    for (long i = 0; i < tensor.elements(); i++) {
      if (type.isFloat()) {
        view.realAt(i, random.nextGaussian());
      } else {
        view.wholeAt(i, Numbers.wrap(type, random.nextInt(-9, 10)));
      }
    }
    return tensor;
  }

  static double[] reals(Tensor tensor) {
    TensorView view = TensorView.of(tensor);
    return LongStream.range(0, tensor.elements()).mapToDouble(view::realAt).toArray();
  }

  public static long[] wholes(Tensor tensor) {
    TensorView view = TensorView.of(tensor);
    return LongStream.range(0, tensor.elements()).map(view::wholeAt).toArray();
  }

  static Node node(Op op, TensorType output, List<Tensor> inputs) {
    return node(op, null, inputs.size(), output, inputs);
  }

  static Node node(
      Op op, @Nullable Expr epilogue, int operands, TensorType output, List<Tensor> inputs) {
    List<Value> values = new ArrayList<>();
    for (Tensor input : inputs) {
      values.add(new Value("x" + values.size(), input.type()));
    }
    return new Node("node", "Test", op, epilogue, operands, values, new Value("y", output));
  }

  /// Evaluates an operator plainly.
  static Tensor eval(Op op, TensorType output, Tensor... inputs) {
    return Interpreter.evaluate(node(op, output, List.of(inputs)), List.of(inputs));
  }

  static Tensor eval(Expr expr, TensorType output, Tensor... inputs) {
    return eval(new Op.Elementwise(expr, output), output, inputs);
  }
}
