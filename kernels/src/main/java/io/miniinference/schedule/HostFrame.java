package io.miniinference.schedule;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.NodeKernel;
import io.miniinference.interp.memory.FailureSink;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The values of one run of a graph, or of a body, that the host has worked out.
final class HostFrame {
  private final HostScope scope;
  private final long n;
  private final Map<Value, Tensor> values = new HashMap<>();

  private HostFrame(HostScope scope, long n, Map<Value, Tensor> inputs) {
    this.scope = scope;
    this.n = n;
    values.putAll(inputs);
    scope.evaluated().forEach(this::evaluate);
  }

  /// @param inputs of the graph, at least those that the scope wants
  static HostFrame of(HostScope scope, long n, Map<Value, Tensor> inputs) {
    return new HostFrame(scope, n, inputs);
  }

  private void evaluate(NodeKernel kernel) {
    Node node = kernel.node();
    List<Tensor> inputs = node.inputs().stream().map(this::tensor).toList();
    List<Tensor> results =
        Interpreter.results(kernel, inputs, n, FailureSink.throwing(node.name()));
    for (int i = 0; i < results.size(); i++) {
      values.put(node.outputs().get(i), results.get(i));
    }
  }

  private Tensor tensor(Value value) {
    Tensor tensor = values.get(value);
    if (tensor == null) {
      tensor = scope.graph().constants().get(value);
    }
    if (tensor == null) {
      throw new IllegalStateException("the host does not know '" + value + "'");
    }
    return tensor;
  }

  /// The value of a scalar.
  long scalar(Value value) {
    return TensorView.of(tensor(value)).wholeAt(0);
  }

  /// The frame of a branch.
  HostFrame branch(Node node, HostScope body) {
    return new HostFrame(body, n, captured(node, body));
  }

  /// The frame of a loop's first iteration.
  HostFrame first(Node node, Op.Loop loop, HostScope body) {
    List<Value> carried = node.inputs().subList(2, 2 + loop.carried());
    return iteration(node, body, 0, this, carried);
  }

  /// The frame of the next iteration of a loop in this graph.
  ///
  /// @param last frame of the iteration before
  HostFrame next(Node node, Op.Loop loop, long iteration, HostFrame last) {
    List<Value> carried = loop.body().outputs().subList(1, 1 + loop.carried());
    return iteration(node, last.scope, iteration, last, carried);
  }

  private HostFrame iteration(
      Node node, HostScope body, long iteration, HostFrame from, List<Value> carried) {
    Map<Value, Tensor> inputs = captured(node, body);
    List<Value> parameters = new ArrayList<>(body.graph().inputs());
    inputs.put(parameters.getFirst(), number(iteration));
    for (int i = 0; i < carried.size(); i++) {
      Value parameter = parameters.get(1 + i);
      if (body.wants(parameter)) {
        inputs.put(parameter, from.tensor(carried.get(i)));
      }
    }
    return new HostFrame(body, n, inputs);
  }

  private Map<Value, Tensor> captured(Node node, HostScope body) {
    Op.Control control = (Op.Control) node.op();
    Map<Value, Tensor> inputs = new HashMap<>();
    for (int k = control.firstCaptured(); k < node.inputs().size(); k++) {
      Value input = body.graph().inputs().get(k - control.shift());
      if (body.wants(input)) {
        inputs.put(input, tensor(node.inputs().get(k)));
      }
    }
    return inputs;
  }

  private static Tensor number(long value) {
    Tensor tensor = Interpreter.allocate(io.miniinference.ir.ElementType.I64);
    TensorView.of(tensor).wholeAt(0, value);
    return tensor;
  }
}
