package io.miniinference.interp;

import io.miniinference.budget.LoadBudget;
import io.miniinference.interp.memory.DataFailure;
import io.miniinference.interp.memory.FailureSink;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/// Runs core IR in Java, plainly: the oracle, and the evaluator of constants.
public final class Interpreter {
  private Interpreter() {}

  /// How a run goes.
  ///
  /// @param kernels [NodeKernel#plain] for the oracle, [NodeKernel#of] where speed matters more
  /// @param failures where each node reports bad data
  /// @param maxIterations most iterations of all loops of a run together
  public record Mode(Function<Node, NodeKernel> kernels, Failures failures, long maxIterations) {
    private static final long MOST_ITERATIONS = 1_000_000;

    /// Plain forms; the first failure is thrown as [DataFailure].
    public static final Mode ORACLE = new Mode(NodeKernel::plain, FailureSink::throwing);

    public Mode(Function<Node, NodeKernel> kernels, Failures failures) {
      this(kernels, failures, MOST_ITERATIONS);
    }
  }

  /// Who hears of failures.
  @FunctionalInterface
  public interface Failures {

    /// @param iteration of the loop around the node, or [FailureSink#NO_ITERATION]
    FailureSink at(Node node, long iteration);
  }

  /// Runs a graph as an oracle.
  ///
  /// @throws DataFailure at the first bad index or division by zero
  /// @throws IllegalArgumentException if the inputs are not those of the graph at one batch size
  public static List<Tensor> run(Graph graph, List<Tensor> inputs) {
    return run(graph, inputs, Mode.ORACLE);
  }

  /// Runs a graph. A value is dropped after its last use.
  ///
  /// @throws DataFailure if its loops take more iterations than the mode allows
  /// @throws IllegalArgumentException if the inputs are not those of the graph at one batch size
  public static List<Tensor> run(Graph graph, List<Tensor> inputs, Mode mode) {
    long n = batchSize(graph, inputs);
    return new BodyRunner(n, mode).run(graph, inputs, FailureSink.NO_ITERATION);
  }

  /// Evaluates a node whose shapes do not depend on the batch, in its plain form.
  ///
  /// @throws DataFailure if the data does not allow it
  public static Tensor evaluate(Node node, List<Tensor> inputs) {
    requireStatic(node);
    return evaluate(NodeKernel.plain(node), inputs, 1, FailureSink.throwing(node.name()));
  }

  private static void requireStatic(Node node) {
    if (!node.outputs().stream().allMatch(v -> v.type().isStatic())) {
      throw new IllegalArgumentException(
          "node '" + node.name() + "' depends on the batch: " + node.outputs());
    }
  }

  /// As [#results] of a node with one result.
  public static Tensor evaluate(Node node, List<Tensor> inputs, long limitBytes) {
    return results(node, inputs, limitBytes).getFirst();
  }

  /// Evaluates a node whose shapes do not depend on the batch, in its fast form: for constants.
  ///
  /// @param limitBytes most that the results may take
  /// @throws DataFailure if the data does not allow it, or the results are larger
  public static List<Tensor> results(Node node, List<Tensor> inputs, long limitBytes) {
    requireStatic(node);
    LoadBudget.spend(Cost.nanos(node, 1));
    BigInteger bytes =
        node.outputs().stream().map(v -> bytes(v.type())).reduce(BigInteger.ZERO, BigInteger::add);
    if (bytes.compareTo(BigInteger.valueOf(limitBytes)) > 0) {
      throw new DataFailure(
          "node '%s': its constant result %s takes %d bytes, the limit is %d; raise the pool's capacity"
              .formatted(node.name(), types(node), bytes, limitBytes));
    }
    return results(NodeKernel.of(node), inputs, 1, FailureSink.throwing(node.name()));
  }

  private static String types(Node node) {
    return node.outputs().stream().map(v -> v.type().toString()).collect(Collectors.joining(", "));
  }

  private static BigInteger bytes(TensorType type) {
    BigInteger bytes = BigInteger.valueOf(type.element().bytes());
    for (Affine dim : type.shape()) {
      bytes = bytes.multiply(BigInteger.valueOf(dim.constant()));
    }
    return bytes;
  }

  /// Evaluates a node at batch size `n` in its plain form: for constants that are small, however
  /// long they take to compute.
  ///
  /// @throws DataFailure if the data does not allow it
  public static List<Tensor> results(Node node, List<Tensor> inputs, long n, FailureSink failures) {
    LoadBudget.spend(Cost.nanos(node, n));
    return results(NodeKernel.plain(node), inputs, n, failures);
  }

  /// Evaluates a node at batch size `n` in its plain form.
  public static Tensor evaluate(Node node, List<Tensor> inputs, long n, FailureSink failures) {
    return evaluate(NodeKernel.plain(node), inputs, n, failures);
  }

  /// As [#results] of a node with one result.
  static Tensor evaluate(NodeKernel kernel, List<Tensor> inputs, long n, FailureSink failures) {
    return results(kernel, inputs, n, failures).getFirst();
  }

  /// Runs a kernel over tensors; all its results.
  public static List<Tensor> results(
      NodeKernel kernel, List<Tensor> inputs, long n, FailureSink failures) {
    List<Tensor> outputs =
        kernel.node().outputs().stream()
            .map(v -> allocate(v.type().element(), v.type().shapeAt(n)))
            .toList();
    kernel.run(views(inputs), views(outputs), n, failures);
    return outputs;
  }

  private static List<TensorView> views(List<Tensor> tensors) {
    return tensors.stream().map(TensorView::of).toList();
  }

  /// A tensor of zeros on the Java heap.
  public static Tensor allocate(ElementType element, long... shape) {
    long bytes = Math.multiplyExact(Tensor.elements(shape), element.bytes());
    if (bytes <= Integer.MAX_VALUE - 16) {
      return new Tensor(element, shape, MemorySegment.ofArray(new byte[(int) bytes]));
    }
    return new Tensor(element, shape, Arena.ofAuto().allocate(bytes, 64));
  }

  /// A tensor on the Java heap of which each element, in their order, is asked for.
  ///
  /// @param reals gives those of floats, which are rounded to the type
  /// @param wholes gives those of all other types
  public static Tensor filled(
      ElementType element, DoubleSupplier reals, LongSupplier wholes, long... shape) {
    Tensor tensor = allocate(element, shape);
    TensorView view = TensorView.of(tensor);
    for (long i = 0; i < view.elements(); i++) {
      if (element.isFloat()) {
        view.realAt(i, reals.getAsDouble());
      } else {
        view.wholeAt(i, wholes.getAsLong());
      }
    }
    return tensor;
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
