package io.miniinference.pass.bytes;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.pass.DeadCode;
import io.miniinference.pass.Evaluator;
import io.miniinference.pass.FusionTarget;
import io.miniinference.pass.Pass;
import io.miniinference.pass.Rewrite;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Looks functions of a byte up in a table of all 256 values, computed at load: what lies between
/// one quantised array and the next, such as a sigmoid, its product with what it is of, and the
/// rounding of each, depends on a byte alone. Where the target finds the function cheap, it stays.
public final class ByteFunctions implements Pass {
  private static final int BYTES = 256;

  /// Most nodes one after the other of a function, and most values whose tables are computed: a
  /// file decides neither how deep a call goes nor what it holds.
  private static final int DEEPEST = 64;

  private static final int MOST_TABLES = 4096;

  private final FusionTarget target;
  private final Evaluator evaluator;

  /// @param target asked whether a function is worth a table
  /// @param evaluator computes tables
  public ByteFunctions(FusionTarget target, Evaluator evaluator) {
    this.target = target;
    this.evaluator = evaluator;
  }

  @Override
  public Graph apply(Graph graph) {
    return new Tables(graph, target, evaluator).graph();
  }

  private static boolean isByte(ElementType type) {
    return type == ElementType.U8 || type == ElementType.I8;
  }

  private static final class Tables {
    private final Graph graph;
    private final FusionTarget target;
    private final Evaluator evaluator;
    private final Map<Value, Node> producers = new HashMap<>();

    /// What is computed of one array of bytes alone, and of which.
    private final Map<Value, Value> sources = new HashMap<>();

    /// What of these calls a function that is worth a table, or is computed of such.
    private final Set<Value> costly = new HashSet<>();

    /// What other nodes read, or requests.
    private final Set<Value> wanted = new HashSet<>();

    private final Map<Value, Integer> depths = new HashMap<>();
    private final Map<Value, Tensor> known = new HashMap<>();
    private final Map<Value, Tensor> constants;
    private final List<Node> nodes = new ArrayList<>();

    Tables(Graph graph, FusionTarget target, Evaluator evaluator) {
      this.graph = graph;
      this.target = target;
      this.evaluator = evaluator;
      constants = new LinkedHashMap<>(graph.constants());
    }

    Graph graph() {
      graph.nodes().forEach(this::note);
      if (costly.isEmpty()) {
        return graph;
      }
      wanted.addAll(graph.outputs());
      graph.nodes().forEach(this::noteWanted);
      graph.nodes().forEach(this::rewrite);
      return new DeadCode().apply(Rewrite.nodes(graph, nodes, constants));
    }

    private void note(Node node) {
      if (node.op() instanceof Op.Elementwise map && !ExprTree.isPositional(map.expr())) {
        source(node).ifPresent(source -> note(node, map, source));
      }
    }

    private void note(Node node, Op.Elementwise map, Value source) {
      int depth =
          1 + node.inputs().stream().mapToInt(v -> depths.getOrDefault(v, 0)).max().orElse(0);
      if (depth > DEEPEST) {
        return;
      }
      depths.put(node.output(), depth);
      producers.put(node.output(), node);
      sources.put(node.output(), source);
      if (target.looksUp(map.expr()) || node.inputs().stream().anyMatch(costly::contains)) {
        costly.add(node.output());
      }
    }

    /* The only array of bytes that a node is computed of. */
    private Optional<Value> source(Node node) {
      Value only = null;
      for (Value input : node.inputs()) {
        if (isNumber(input)) {
          continue;
        }
        Value source = sources.getOrDefault(input, input);
        boolean isAnother = only != null && !only.equals(source);
        if (isAnother || !isByte(source.type().element()) || !isLike(source, node.output())) {
          return Optional.empty();
        }
        only = source;
      }
      return Optional.ofNullable(only).filter(source -> !graph.constants().containsKey(source));
    }

    private boolean isNumber(Value value) {
      Tensor constant = graph.constants().get(value);
      return constant != null && constant.elements() == 1;
    }

    private static boolean isLike(Value value, Value other) {
      return value.type().shape().equals(other.type().shape());
    }

    private void noteWanted(Node node) {
      Value own = node.outputs().size() == 1 ? sources.get(node.output()) : null;
      for (Value input : node.inputs()) {
        Value source = sources.get(input);
        if (source != null && !source.equals(own)) {
          wanted.add(input);
        }
      }
    }

    private void rewrite(Node node) {
      nodes.add(lookup(node).orElse(node));
    }

    private Optional<Node> lookup(Node node) {
      Value output = node.outputs().getFirst();
      return Optional.ofNullable(sources.get(output))
          .filter(_ -> costly.contains(output) && wanted.contains(output))
          .flatMap(source -> table(output, source).map(table -> lookup(node, source, table)));
    }

    private Node lookup(Node node, Value source, Tensor content) {
      Value output = node.output();
      Value table =
          new Value(
              output.name() + " of each byte",
              new TensorType(content.element(), List.of(Affine.of(BYTES))));
      constants.put(table, content);
      Expr place = cast(ElementType.I64, arg(0));
      boolean isSigned = source.type().element() == ElementType.I8;
      Expr from = isSigned ? add(place, const_(-(long) Byte.MIN_VALUE)) : place;
      return Rewrite.part(
          node, new Op.Elementwise(at(1, from), output.type()), List.of(source, table), output);
    }

    /* A value for each byte, from the least on; empty if one does not compute. */
    private Optional<Tensor> table(Value value, Value source) {
      if (value.equals(source)) {
        return Optional.of(bytes(source.type().element()));
      }
      Tensor constant = graph.constants().get(value);
      if (constant != null) {
        return Optional.of(new Tensor(constant.element(), new long[0], constant.data()));
      }
      Tensor done = known.get(value);
      if (done != null) {
        return Optional.of(done);
      }
      if (known.size() >= MOST_TABLES) {
        return Optional.empty();
      }
      Optional<Tensor> made = computed(value, source);
      made.ifPresent(tensor -> known.put(value, tensor));
      return made;
    }

    private Optional<Tensor> computed(Value value, Value source) {
      Node node = Objects.requireNonNull(producers.get(value), "producer");
      List<Value> inputs = new ArrayList<>();
      List<Tensor> tensors = new ArrayList<>();
      for (Value input : node.inputs()) {
        Optional<Tensor> tensor = table(input, source);
        if (tensor.isEmpty()) {
          return Optional.empty();
        }
        tensors.add(tensor.get());
        inputs.add(new Value(input.name(), typeOf(tensor.get())));
      }
      TensorType type = new TensorType(value.type().element(), List.of(Affine.of(BYTES)));
      Op op = new Op.Elementwise(((Op.Elementwise) node.op()).expr(), type);
      return evaluator
          .evaluate(
              Node.of(node.name(), node.onnxOp(), op, inputs, new Value(value.name(), type)),
              tensors)
          .map(List::getFirst);
    }

    private static TensorType typeOf(Tensor tensor) {
      List<Affine> shape = tensor.shape().length == 0 ? List.of() : List.of(Affine.of(BYTES));
      return new TensorType(tensor.element(), shape);
    }

    private static Tensor bytes(ElementType type) {
      MemorySegment data = Arena.ofAuto().allocate(BYTES);
      int least = type == ElementType.I8 ? Byte.MIN_VALUE : 0;
      for (int i = 0; i < BYTES; i++) {
        data.set(ValueLayout.JAVA_BYTE, i, (byte) (least + i));
      }
      return new Tensor(type, new long[] {BYTES}, data);
    }
  }
}
