package io.miniinference.testing;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.build.GraphBuilder;
import io.miniinference.ir.build.Lowering;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;

/// A graph in the making, the model's own or a body's, and the values that can be read in it.
///
/// @param depth bodies around it
/// @param values the last are read most
record Scope(GraphBuilder graph, Random random, int depth, List<Value> values) {
  private static final int MOST_ELEMENTS = 3_000;
  private static final int RECENT = 5;

  Scope(String name, Random random, int depth) {
    this(new GraphBuilder(name), random, depth, new ArrayList<>());
  }

  /// The graph of a body.
  Scope inner(String name) {
    return new Scope(name, random, depth + 1);
  }

  Value input(String name, TensorType type) {
    Value value = graph.input(name, type);
    values.add(value);
    return value;
  }

  /// What adds the nodes of one operator.
  Lowering at(String label) {
    return graph.lowering(label + values.size(), "Random");
  }

  Value constant(ElementType type, Content content, long... shape) {
    return constant(content.fill(random, type, shape));
  }

  Value constant(Tensor tensor) {
    return at("constant").constant(tensor);
  }

  /// Lets a value be read, unless it is large.
  void add(Value value) {
    if (value.type().elements().at(1) <= MOST_ELEMENTS) {
      values.add(value);
    }
  }

  /// A value of the kind that is wanted, often one of the last.
  Optional<Value> any(Predicate<Value> wanted) {
    List<Value> fitting = values.stream().filter(wanted).toList();
    if (fitting.isEmpty()) {
      return Optional.empty();
    }
    int back = random.nextInt(4) == 0 ? fitting.size() : Math.min(RECENT, fitting.size());
    return Optional.of(fitting.get(fitting.size() - 1 - random.nextInt(back)));
  }

  /// Another value of the same type, or the same one.
  Value like(Value value) {
    return any(v -> v.type().equals(value.type())).orElse(value);
  }

  Graph build(List<Value> outputs) {
    return graph.build(outputs);
  }
}
