package io.miniinference.interp;

import io.miniinference.interp.memory.DataFailure;
import io.miniinference.interp.memory.FailureSink;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/// One run of a graph and of the bodies in it.
final class BodyRunner {
  private final long n;
  private final Interpreter.Mode mode;
  private final Map<Node, NodeKernel> kernels = new IdentityHashMap<>();
  private final Map<Graph, Map<Value, Integer>> lastUses = new IdentityHashMap<>();
  private long iterationsLeft;

  BodyRunner(long n, Interpreter.Mode mode) {
    this.n = n;
    this.mode = mode;
    this.iterationsLeft = mode.maxIterations();
  }

  /// Runs a graph. A value is dropped after its last use.
  ///
  /// @param iteration of the loop around the graph
  List<Tensor> run(Graph graph, List<Tensor> inputs, long iteration) {
    Map<Value, Tensor> values = new HashMap<>(graph.constants());
    for (int i = 0; i < inputs.size(); i++) {
      values.put(graph.inputs().get(i), inputs.get(i));
    }
    Map<Value, Integer> uses = lastUses.computeIfAbsent(graph, BodyRunner::lastUses);
    for (int step = 0; step < graph.nodes().size(); step++) {
      Node node = graph.nodes().get(step);
      List<Tensor> operands = node.inputs().stream().map(v -> value(values, v)).toList();
      List<Tensor> results = run(node, operands, iteration);
      for (int i = 0; i < results.size(); i++) {
        values.put(node.outputs().get(i), results.get(i));
      }
      Integer now = step;
      node.inputs().stream().filter(v -> now.equals(uses.get(v))).forEach(values::remove);
    }
    return graph.outputs().stream().map(v -> value(values, v)).toList();
  }

  private static Map<Value, Integer> lastUses(Graph graph) {
    Map<Value, Integer> uses = new HashMap<>();
    for (int step = 0; step < graph.nodes().size(); step++) {
      for (Value value : graph.nodes().get(step).inputs()) {
        uses.put(value, step);
      }
    }
    graph.outputs().forEach(v -> uses.put(v, Integer.MAX_VALUE));
    return uses;
  }

  private static Tensor value(Map<Value, Tensor> values, Value value) {
    Tensor tensor = values.get(value);
    if (tensor == null) {
      throw new IllegalArgumentException("nothing computes '" + value + "'");
    }
    return tensor;
  }

  private List<Tensor> run(Node node, List<Tensor> operands, long iteration) {
    if (!(node.op() instanceof Op.Control control)) {
      NodeKernel kernel = kernels.computeIfAbsent(node, mode.kernels());
      FailureSink failures = mode.failures().at(node, iteration);
      return Interpreter.results(kernel, operands, n, failures);
    }
    return switch (control) {
      case Op.If branch -> {
        Graph body = isTrue(operands.getFirst()) ? branch.then() : branch.otherwise();
        yield run(body, operands.subList(1, operands.size()), iteration);
      }
      case Op.Loop loop -> loop(node, loop, operands);
      case Op.Iteration once -> run(once.body(), operands, once.number());
    };
  }

  private List<Tensor> loop(Node node, Op.Loop loop, List<Tensor> operands) {
    long trips = TensorView.of(operands.get(0)).wholeAt(0);
    boolean goesOn = isTrue(operands.get(1));
    List<Tensor> inputs = new ArrayList<>(operands.subList(1, operands.size()));
    List<Tensor> rows = rows(node, loop);
    long k = 0;
    for (; k < trips && goesOn; k++) {
      spend(node);
      inputs.set(0, number(k));
      List<Tensor> outputs = run(loop.body(), inputs, k);
      goesOn = isTrue(outputs.getFirst());
      for (int i = 1; i <= loop.carried(); i++) {
        inputs.set(i, outputs.get(i));
      }
      for (int i = 0; i < rows.size(); i++) {
        put(node, rows.get(i), k, outputs.get(1 + loop.carried() + i));
      }
    }
    if (!rows.isEmpty()) {
      requireIterations(node, k, rows.getFirst());
    }
    List<Tensor> results = new ArrayList<>(inputs.subList(1, 1 + loop.carried()));
    results.addAll(rows);
    return results;
  }

  private List<Tensor> rows(Node node, Op.Loop loop) {
    return node.outputs().stream()
        .skip(loop.carried())
        .map(v -> Interpreter.allocate(v.type().element(), v.type().shapeAt(n)))
        .toList();
  }

  private static void put(Node node, Tensor rows, long place, Tensor row) {
    if (place >= rows.shape()[0]) {
      requireIterations(node, place + 1, rows);
    }
    long bytes = row.data().byteSize();
    MemorySegment.copy(row.data(), 0, rows.data(), place * bytes, bytes);
  }

  private static void requireIterations(Node node, long iterations, Tensor rows) {
    if (iterations != rows.shape()[0]) {
      throw new IllegalStateException(
          "node '%s': the results have rows for %d iterations, and it ran %d"
              .formatted(node.name(), rows.shape()[0], iterations));
    }
  }

  private void spend(Node node) {
    if (iterationsLeft-- <= 0) {
      throw new DataFailure(
          "node '%s': the loops of a run may take %d iterations in all, and this one goes on; raise the limit"
              .formatted(node.name(), mode.maxIterations()));
    }
  }

  private static boolean isTrue(Tensor condition) {
    return TensorView.of(condition).wholeAt(0) != 0;
  }

  private static Tensor number(long value) {
    Tensor tensor = Interpreter.allocate(ElementType.I64);
    TensorView.of(tensor).wholeAt(0, value);
    return tensor;
  }
}
