package io.miniinference.pass.views;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import io.miniinference.pass.DeadCode;
import io.miniinference.pass.Pass;
import io.miniinference.pass.Rewrite;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// Reads a value that is rolled along axes at the places where its elements were, in place of two
/// copies for each axis: an exporter writes a roll (`torch.roll`) as the end of an axis joined with
/// its beginning. Swin shifts its windows so, back and forth.
public final class RollsAsMaps implements Pass {

  @Override
  public Graph apply(Graph graph) {
    Map<Value, Node> makers = new HashMap<>();
    Map<Value, Roll> rolls = new HashMap<>();
    List<Node> nodes = new ArrayList<>();
    for (Node node : graph.nodes()) {
      Optional<Roll> roll = rolled(node, makers).map(found -> found.after(rolls));
      roll.ifPresent(found -> rolls.put(node.output(), found));
      nodes.add(roll.map(found -> found.node(node)).orElse(node));
      node.outputs().forEach(value -> makers.put(value, node));
    }
    return rolls.isEmpty() ? graph : new DeadCode().apply(Rewrite.nodes(graph, nodes));
  }

  /// A value whose element at `i` is that of the source at `(i + shift) mod extent`.
  ///
  /// @param shifts by axis, each above 0 and below the axis' extent
  private record Roll(Value source, Map<Integer, Long> shifts) {

    /* The roll of what the source is rolled of, where they are along different axes. */
    Roll after(Map<Value, Roll> rolls) {
      Roll first = rolls.get(source);
      if (first == null || first.shifts.keySet().stream().anyMatch(shifts::containsKey)) {
        return this;
      }
      Map<Integer, Long> both = new HashMap<>(first.shifts);
      both.putAll(shifts);
      return new Roll(first.source, both);
    }

    Node node(Node join) {
      List<Expr> places = IntStream.range(0, source.type().rank()).mapToObj(this::place).toList();
      Op map = new Op.Elementwise(at(0, places), join.output().type());
      return Rewrite.part(join, map, List.of(source), join.output());
    }

    private Expr place(int axis) {
      Expr index = index(axis);
      Long shift = shifts.get(axis);
      if (shift == null) {
        return index;
      }
      long left = source.type().dim(axis).constant() - shift;
      return select(lt(index, const_(left)), add(index, const_(shift)), sub(index, const_(left)));
    }
  }

  private static Optional<Roll> rolled(Node node, Map<Value, Node> makers) {
    if (!(node.op() instanceof Op.Concat(int axis))
        || node.epilogue() != null
        || node.inputs().size() != 2) {
      return Optional.empty();
    }
    Node end = makers.get(node.inputs().get(0));
    Node beginning = makers.get(node.inputs().get(1));
    return end != null && beginning != null && isRolled(node, axis, end, beginning)
        ? Optional.of(new Roll(end.inputs().getFirst(), Map.of(axis, extent(beginning, axis))))
        : Optional.empty();
  }

  private static boolean isRolled(Node join, int axis, Node end, Node beginning) {
    return end.inputs().equals(beginning.inputs())
        && end.inputs().getFirst().type().equals(join.output().type())
        && join.output().type().dim(axis).isConstant()
        && isPart(end, axis, beginning.output().type().dim(axis))
        && isPart(beginning, axis, Affine.ZERO);
  }

  private static long extent(Node node, int axis) {
    return node.output().type().dim(axis).constant();
  }

  /* Whether it is a part from `start` on along the axis, and all there is along the others. Two such
  parts that are as long as the whole are its end and its beginning. */
  private static boolean isPart(Node node, int axis, Affine start) {
    return node.op() instanceof Op.View(Movement.Slice slice)
        && slice.steps().stream().allMatch(step -> step == 1)
        && IntStream.range(0, slice.starts().size())
            .allMatch(i -> slice.starts().get(i).equals(i == axis ? start : Affine.ZERO))
        && IntStream.range(0, slice.extents().size())
            .allMatch(i ->
                i == axis || slice.extents().get(i).equals(node.inputs().getFirst().type().dim(i)));
  }
}
