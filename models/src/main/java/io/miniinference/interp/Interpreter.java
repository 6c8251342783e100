package io.miniinference.interp;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Runs core IR in Java, plainly: the oracle, and the evaluator of constants.
public final class Interpreter {
  private Interpreter() {}

  /// Runs a graph with a bad index or a division by zero as an exception.
  ///
  /// @throws DataFailure at the first failure
  public static List<Tensor> run(Graph graph, List<Tensor> inputs) {
    return run(graph, inputs, FailureSink::throwing);
  }

  /// Runs a graph; every value is kept until the end.
  ///
  /// @param failures by node name
  /// @throws IllegalArgumentException if the inputs are not those of the graph at one batch size
  public static List<Tensor> run(
      Graph graph, List<Tensor> inputs, Function<String, FailureSink> failures) {
    long n = batchSize(graph, inputs);
    Map<Value, Tensor> values = new HashMap<>(graph.constants());
    for (int i = 0; i < inputs.size(); i++) {
      values.put(graph.inputs().get(i), inputs.get(i));
    }
    for (Node node : graph.nodes()) {
      List<Tensor> operands = node.inputs().stream().map(v -> value(values, v)).toList();
      values.put(node.output(), evaluate(node, operands, n, failures.apply(node.name())));
    }
    return graph.outputs().stream().map(v -> value(values, v)).toList();
  }

  private static Tensor value(Map<Value, Tensor> values, Value value) {
    Tensor tensor = values.get(value);
    if (tensor == null) {
      throw new IllegalArgumentException("nothing computes '" + value + "'");
    }
    return tensor;
  }

  /// Evaluates a node whose shapes do not depend on the batch.
  ///
  /// @throws DataFailure if the data does not allow it
  public static Tensor evaluate(Node node, List<Tensor> inputs) {
    if (!node.output().type().isStatic()) {
      throw new IllegalArgumentException(
          "node '" + node.name() + "' depends on the batch: " + node.output());
    }
    return evaluate(node, inputs, 1, FailureSink.throwing(node.name()));
  }

  /// Evaluates a node at batch size `n`, in the plain forms.
  public static Tensor evaluate(Node node, List<Tensor> inputs, long n, FailureSink failures) {
    Tensor output = allocate(node.output().type().element(), node.output().type().shapeAt(n));
    List<TensorView> views = inputs.stream().map(TensorView::of).toList();
    NodeKernel.plain(node).run(views, TensorView.of(output), n, failures);
    return output;
  }

  /// A tensor of zeros on the Java heap.
  public static Tensor allocate(ElementType element, long... shape) {
    long bytes = Math.multiplyExact(Tensor.elements(shape), element.bytes());
    if (bytes <= Integer.MAX_VALUE - 16) {
      return new Tensor(element, shape, MemorySegment.ofArray(new byte[(int) bytes]));
    }
    return new Tensor(element, shape, Arena.ofAuto().allocate(bytes, 64));
  }

  /// The batch size that the inputs have in common; 1 if the graph has no batch.
  ///
  /// @throws IllegalArgumentException if they do not fit the graph
  public static long batchSize(Graph graph, List<Tensor> inputs) {
    if (inputs.size() != graph.inputs().size()) {
      throw new IllegalArgumentException(
          graph.name() + " takes " + graph.inputs().size() + " inputs, got " + inputs.size());
    }
    long n = -1;
    for (int i = 0; i < inputs.size(); i++) {
      n = n < 0 ? batchOf(graph.inputs().get(i), inputs.get(i)) : n;
    }
    long batch = n < 0 ? 1 : n;
    for (int i = 0; i < inputs.size(); i++) {
      check(graph.inputs().get(i), inputs.get(i), batch);
    }
    return batch;
  }

  private static long batchOf(Value value, Tensor tensor) {
    for (int axis = 0; axis < Math.min(value.type().rank(), tensor.shape().length); axis++) {
      Affine dim = value.type().dim(axis);
      if (!dim.isConstant()) {
        return tensor.shape()[axis] / dim.perBatch();
      }
    }
    return -1;
  }

  private static void check(Value value, Tensor tensor, long n) {
    if (tensor.element() != value.type().element()
        || !Arrays.equals(tensor.shape(), value.type().shapeAt(n))) {
      throw new IllegalArgumentException(
          "input '" + value + "' at batch size " + n + " does not fit a tensor " + tensor);
    }
  }
}
