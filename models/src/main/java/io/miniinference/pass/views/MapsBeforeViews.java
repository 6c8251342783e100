package io.miniinference.pass.views;

import io.miniinference.ir.ElementBits;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.analysis.Fallible;
import io.miniinference.layout.Movement;
import io.miniinference.pass.DeadCode;
import io.miniinference.pass.FreshNames;
import io.miniinference.pass.Pass;
import io.miniinference.pass.Rewrite;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Computes what is made of each element of a value ahead of views that reshape and repeat it,
/// where another elementwise node makes the value for this one alone: the two become one then, and
/// compute each element once. PyTorch's exporter casts, reshapes and repeats a mask of tokens
/// before it makes numbers of it, one for each pair of a query and a key.
///
/// Operands that are one number all over count as numbers: constants of one element, and masks of
/// which all elements are alike.
public final class MapsBeforeViews implements Pass {
  /// Largest constant that is looked at for whether its elements are alike.
  private static final long MOST_BYTES = 64 << 10;

  @Override
  public Graph apply(Graph graph) {
    return new DeadCode().apply(new Moving(graph).graph());
  }

  private static final class Moving {
    private final Graph graph;
    private final Fallible fallible;
    private final FreshNames names;
    private final Makers makers;
    private final List<Node> nodes = new ArrayList<>();

    Moving(Graph graph) {
      this.graph = graph;
      fallible = Fallible.in(graph);
      names = new FreshNames(graph);
      makers = new Makers(graph);
    }

    Graph graph() {
      graph.nodes().forEach(node -> moved(node).ifPresentOrElse(this::add, () -> add(node)));
      return Rewrite.nodes(graph, nodes);
    }

    private void add(Node node) {
      nodes.add(node);
      makers.add(node);
    }

    private void add(Moved moved) {
      moved
          .nodes(names)
          .forEach(node -> {
            node.inputs().forEach(makers::setReadOnce);
            add(node);
          });
    }

    private Optional<Moved> moved(Node node) {
      if (!(node.op() instanceof Op.Elementwise(Expr expr, _))
          || ExprTree.isPositional(expr)
          || fallible.mayFail(node)) {
        return Optional.empty();
      }
      Map<Integer, Expr> numbers = numbers(node);
      Set<Integer> others = new TreeSet<>(ExprTree.usedArgs(expr));
      others.removeAll(numbers.keySet());
      return others.size() == 1
          ? moved(node, expr, numbers, others.iterator().next())
          : Optional.empty();
    }

    private Optional<Moved> moved(Node node, Expr expr, Map<Integer, Expr> numbers, int operand) {
      List<Node> views = new ArrayList<>();
      Value source = node.inputs().get(operand);
      for (Node view = view(source); view != null; view = view(source)) {
        views.addFirst(view);
        source = view.inputs().getFirst();
      }
      Node maker = makers.ofReadOnce(source);
      boolean isViewed =
          !views.isEmpty() || !source.type().shape().equals(node.output().type().shape());
      if (!isViewed
          || maker == null
          || !(maker.op() instanceof Op.Elementwise)
          || fallible.mayFail(maker)) {
        return Optional.empty();
      }
      Expr one = ExprTree.renumber(ExprTree.substitute(expr, numbers), _ -> 0);
      return Optional.of(new Moved(node, one, source, views));
    }

    /* The node that reshapes or repeats what it reads, where nothing but one node reads the value. */
    private @Nullable Node view(Value value) {
      Node maker = makers.ofReadOnce(value);
      return maker != null
              && maker.op() instanceof Op.View(Movement map)
              && (map instanceof Movement.Reshape || map instanceof Movement.Expand)
          ? maker
          : null;
    }

    private Map<Integer, Expr> numbers(Node node) {
      Map<Integer, Expr> numbers = new HashMap<>();
      for (int k = 0; k < node.inputs().size(); k++) {
        Tensor tensor = graph.constants().get(node.inputs().get(k));
        if (tensor != null && isOneNumber(tensor)) {
          numbers.put(k, ElementBits.read(tensor, 0));
        }
      }
      return numbers;
    }

    private static boolean isOneNumber(Tensor tensor) {
      long count = tensor.elements();
      return count == 1
          || (count > 0
              && tensor.element() == ElementType.BOOL
              && tensor.data().byteSize() <= MOST_BYTES
              && LongStream.range(1, count)
                  .allMatch(i -> ElementBits.read(tensor, i).equals(ElementBits.read(tensor, 0))));
    }
  }

  /// A node that is computed of `source`, ahead of the views that it read it through.
  ///
  /// @param expr of one operand
  /// @param views from the source on
  private record Moved(Node node, Expr expr, Value source, List<Node> views) {

    /* The views give what the node gave; a number among its operands may have had more axes. */
    List<Node> nodes(FreshNames names) {
      List<Node> nodes = new ArrayList<>();
      Value result = node.output();
      Value last = fresh(source.type(), names);
      TensorType type = last.type();
      nodes.add(Rewrite.part(node, new Op.Elementwise(expr, type), List.of(source), last));
      for (Node view : views) {
        Value next = fresh(view.output().type(), names);
        nodes.add(Rewrite.part(view, view.op(), List.of(last), next));
        last = next;
      }
      Op whole = new Op.View(new Movement.Expand(result.type().shape()));
      nodes.add(Rewrite.part(node, whole, List.of(last), result));
      return nodes;
    }

    private Value fresh(TensorType shape, FreshNames names) {
      TensorType type = new TensorType(node.output().type().element(), shape.shape());
      return new Value(names.of(node.output().name() + " before views"), type);
    }
  }
}
