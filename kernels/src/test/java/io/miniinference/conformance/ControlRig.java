package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;

/// What tests of branches and loops need: tensors, and a comparison with the plain interpreter.
abstract class ControlRig extends WriterTest {
  static final String GO = "const %go: bool[] = [true]\n";

  static Tensor truth(boolean value) {
    return whole(ElementType.BOOL, value ? 1 : 0);
  }

  static Tensor count(long value) {
    return whole(ElementType.I64, value);
  }

  static Tensor whole(ElementType type, long value) {
    Tensor tensor = Interpreter.allocate(type);
    TensorView.of(tensor).wholeAt(0, value);
    return tensor;
  }

  static Tensor floats(double... values) {
    return floats(new long[] {values.length}, values);
  }

  static Tensor floats(long[] shape, double... values) {
    Tensor tensor = Interpreter.allocate(ElementType.F32, shape);
    for (int i = 0; i < values.length; i++) {
      TensorView.of(tensor).realAt(i, values[i]);
    }
    return tensor;
  }

  static Tensor random(long... shape) {
    return Data.NORMAL.fill(new Random(shape.length + 7L * shape[0]), ElementType.F32, shape);
  }

  static Tensor rows(int n) {
    return floats(
        new long[] {n, 4}, DoubleStream.iterate(-3, x -> x + 1.25).limit(4L * n).toArray());
  }

  /// Runs the graph on each set of inputs and compares with the interpreter.
  ///
  /// @return further waits of one run of the graph, as the plan counts them
  final int holds(String body, List<List<Tensor>> sets) {
    Graph graph = GraphCheck.check(GraphText.parse("graph \"g\" {\n" + body + "}\n"));
    List<List<Tensor>> got = rig().run(graph, sets);
    List<String> wrong = new ArrayList<>();
    for (int s = 0; s < sets.size(); s++) {
      List<Tensor> expected = Interpreter.run(graph, sets.get(s));
      for (int i = 0; i < expected.size(); i++) {
        String where = "set %d, output %d: ".formatted(s, i);
        Tolerance.difference(expected.get(i), got.get(s).get(i), 1e-6)
            .ifPresent(difference -> wrong.add(where + difference));
      }
    }
    assertThat(wrong).isEmpty();
    return rig().lower(graph).hostSyncs();
  }

  /// Whole numbers from −9 to 9.
  static Tensor wholes(long seed, long... shape) {
    Random random = new Random(seed);
    long elements = Tensor.elements(shape);
    return floats(
        shape, DoubleStream.generate(() -> random.nextInt(-9, 10)).limit(elements).toArray());
  }
}
