package io.miniinference.ops.control;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.ir.analysis.Fallible;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.CountedAxes;
import io.miniinference.ops.draft.CountedAxis;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.RowConditions;
import io.miniinference.ops.node.BodyImport;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// An If that gives no rows where there are none to begin with, and else what follows from them: as
/// PyTorch's exporter writes `nms` of boxes of which there may be none. The branch for some rows is
/// in its place, whose result is of no rows where the condition says so.
final class RowsIfAny {
  private final OpContext c;
  private final Value condition;

  RowsIfAny(OpContext c, Value condition) {
    this.c = c;
    this.condition = condition;
  }

  /// Empty if it is no such If.
  Optional<List<Value>> lower() {
    Optional<Boolean> trueForNone = new RowConditions(c.draft()).trueForNone(condition);
    if (c.draft().isBody() || trueForNone.isEmpty()) {
      return Optional.empty();
    }
    String ofNone = trueForNone.get() ? "then_branch" : "else_branch";
    String ofSome = trueForNone.get() ? "else_branch" : "then_branch";
    List<Value> none = none(ofNone);
    if (none.isEmpty() || !none.stream().allMatch(RowsIfAny::hasNoElement)) {
      return Optional.empty();
    }
    int before = c.draft().nodes().size();
    List<Value> some = c.bodies().inline(ofSome);
    requireSafe(c.draft().nodes().subList(before, c.draft().nodes().size()));
    if (none.size() != some.size()) {
      throw CountedAxes.joins();
    }
    List<Value> results = new ArrayList<>();
    for (int i = 0; i < some.size(); i++) {
      results.add(rows(some.get(i), none.get(i), trueForNone.get()));
    }
    return Optional.of(results);
  }

  private static boolean hasNoElement(Value value) {
    return value.type().elements().isZero();
  }

  private List<Value> none(String branch) {
    BodyImport body = c.bodies().open(branch);
    return body.inputs() > 0 ? List.of() : body.lower();
  }

  /* A run without rows goes through the branch, too, and may not fail there. */
  private void requireSafe(List<Node> nodes) {
    Fallible fallible =
        Fallible.in(
            new Graph("draft", List.of(), List.of(), nodes, c.draft().constants(), List.of()));
    for (Node node : nodes) {
      boolean isOfRows =
          node.op() instanceof Op.Scatter
              || (node.op() instanceof Op.Gather && c.facts().isCounted(node.inputs().get(1)));
      if (!isOfRows && fallible.mayFail(node)) {
        throw CountedAxes.joins();
      }
    }
  }

  private Value rows(Value some, Value none, boolean trueForNone) {
    CountedAxis counted = c.facts().counted(some).orElseThrow(CountedAxes::joins);
    List<Affine> shape = new ArrayList<>(some.type().shape());
    shape.set(counted.axis(), Affine.ZERO);
    boolean isAlike =
        none.type().shape().equals(shape) && none.type().element() == some.type().element();
    if (!isAlike) {
      throw CountedAxes.joins();
    }
    Expr zero = Exprs.const_(0);
    Expr count =
        trueForNone
            ? Exprs.select(Ex.x(), zero, Exprs.arg(1))
            : Exprs.select(Ex.x(), Exprs.arg(1), zero);
    return c.counted(c.whole(some), counted.axis(), c.map(count, condition, counted.count()));
  }
}
