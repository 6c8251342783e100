package io.miniinference.ops.control;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.onnx.Quote;
import io.miniinference.ops.draft.BodyDraft;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.FlatValues;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.BodyFault;
import io.miniinference.ops.node.BodyImport;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// ONNX If. It stays one where both branches give the same types and the condition is not constant;
/// where they do not, the branch that the request takes is in its place.
///
/// A branch that comes to a negative size, or to one that follows from what fails, ends there
/// ([DeadEnd]), so that a request fails only if it takes it. One whose nodes do not fit the sizes,
/// such as that for another rate of samples, is left out where the condition is known.
final class IfRule {
  /// What a branch gives that gives nothing.
  private static final List<TensorType> NOTHING = List.of(TensorType.of(ElementType.BOOL));

  private final OpContext c;
  private final Value condition;

  IfRule(OpContext c) {
    this.c = c;
    condition = ControlOps.scalar(c, c.in(0), ElementType.BOOL, "the condition");
  }

  /// @param given what it gives, nothing if there is a fault
  private record Branch(BodyImport body, FlatValues given, @Nullable BodyFault fault) {
    /* Tensors of lists one by one. */
    List<Value> outputs() {
      return given.tensors();
    }

    boolean isDeadEnd() {
      return fault != null && fault.isDeadEnd();
    }

    boolean isWrong() {
      return fault != null && fault.isOfModel();
    }

    /* It is sound, or would be with sizes that are known. */
    boolean mayBeRight() {
      return fault == null || fault.isOfValues();
    }

    List<Value> ending(Emitter node, List<TensorType> types) {
      return end().results(node, types);
    }

    /* As the other branch ends. */
    List<Value> endingAs(Emitter node, Branch other) {
      if (other.given.hasStructures()) {
        throw LoweringFault.of(
            "has a branch that gives a list of tensors, and one that ends the run");
      }
      if (body.outputs() != other.outputs().size()) {
        throw unequal(body.outputs(), other.outputs().size());
      }
      return end().resultsAs(node, other.outputs());
    }

    private DeadEnd end() {
      return DeadEnd.of(body, Objects.requireNonNull(fault));
    }
  }

  List<Value> lower() {
    Tensor constant = c.facts().tensor(condition);
    if (constant != null) {
      return c.bodies().inline(taken(constant));
    }
    Optional<List<Value>> rows = new RowsIfAny(c, condition).lower();
    if (rows.isPresent()) {
      return rows.get();
    }
    BodyImport then = c.bodies().open("then_branch");
    BodyImport otherwise = c.bodies().open("else_branch");
    if (then.inputs() + otherwise.inputs() > 0) {
      throw LoweringFault.of("has branches with inputs; they read what they need by name");
    }
    Branch first = branch(then);
    Branch second = branch(otherwise);
    List<BodyFault> faults = faults(first, second);
    return faults.isEmpty() ? sound(first, second) : faulty(first, second, BodyFault.of(faults));
  }

  private static Branch branch(BodyImport body) {
    try {
      return new Branch(body, new FlatValues(body.draft(), body.lowerWithLists()), null);
    } catch (BodyFault fault) {
      return new Branch(body, new FlatValues(body.draft(), List.of()), fault);
    }
  }

  private static List<BodyFault> faults(Branch... branches) {
    List<BodyFault> faults = new ArrayList<>();
    for (Branch branch : branches) {
      if (branch.fault != null) {
        faults.add(branch.fault);
      }
    }
    return faults;
  }

  private List<Value> sound(Branch then, Branch otherwise) {
    List<Value> first = then.outputs();
    List<Value> second = otherwise.outputs();
    boolean alike = then.given.isLike(otherwise.given);
    if (alike && BodyDraft.types(first).equals(BodyDraft.types(second))) {
      List<Value> results =
          first.isEmpty() ? first : emit(then.body, first, otherwise.body, second);
      return then.given.outside(c, results);
    }
    checkGiven(then, otherwise);
    return ofGiven();
  }

  private List<Value> faulty(Branch then, Branch otherwise, BodyFault all) {
    if (c.facts().constantOrGiven(condition) != null) {
      return ofGiven();
    }
    if (then.isDeadEnd() && otherwise.isDeadEnd()) {
      throw ofBoth(then, otherwise, all);
    }
    if (then.isDeadEnd() && otherwise.fault == null) {
      List<Value> ends = then.endingAs(c, otherwise);
      return emit(then.body, ends, otherwise.body, otherwise.outputs());
    }
    if (otherwise.isDeadEnd() && then.fault == null) {
      List<Value> ends = otherwise.endingAs(c, then);
      return emit(then.body, then.outputs(), otherwise.body, ends);
    }
    if (isOnlyOneWrong(then, otherwise) && !c.facts().isFailed(condition)) {
      throw LoweringFault.ofData(
          "has a branch that does not fit these sizes (%s), so that the condition %s"
              .formatted(all.firstProblem(), Quote.of(c.in(0).name())));
    }
    throw BodyFault.of(faultsThatCount(then, otherwise));
  }

  private static boolean isOnlyOneWrong(Branch then, Branch otherwise) {
    return (then.isWrong() && otherwise.mayBeRight()) || (otherwise.isWrong() && then.mayBeRight());
  }

  /* The run fails, and the If stays to tell where. */
  private BodyFault ofBoth(Branch then, Branch otherwise, BodyFault all) {
    List<Value> ahead =
        emit(then.body, then.ending(c, NOTHING), otherwise.body, otherwise.ending(c, NOTHING));
    c.draft().seal();
    return all.behind(ahead);
  }

  /* A branch that ends has no fault of its own, since it may not be taken. */
  private static List<BodyFault> faultsThatCount(Branch... branches) {
    return faults(branches).stream().filter(fault -> !fault.isDeadEnd()).toList();
  }

  private List<Value> emit(
      BodyImport then, List<Value> first, BodyImport otherwise, List<Value> second) {
    Set<Value> captured = new LinkedHashSet<>(then.captured(first));
    captured.addAll(otherwise.captured(second));
    List<Value> shared = List.copyOf(captured);
    List<Value> operands = new ArrayList<>(List.of(condition));
    operands.addAll(shared);
    return c.emit(
        new Op.If(then.close("then", shared, first), otherwise.close("else", shared, second)),
        operands);
  }

  /* Branches of different types need a condition that is known. */
  private void checkGiven(Branch then, Branch otherwise) {
    if (then.body.outputs() != otherwise.body.outputs()) {
      throw unequal(then.body.outputs(), otherwise.body.outputs());
    }
    if (c.facts().isFailed(condition)) {
      c.facts().consult(condition);
      throw LoweringFault.failed(
          "has branches of different types, and the condition follows from what fails");
    }
    if (c.facts().constantOrGiven(condition) == null) {
      throw LoweringFault.ofData(
          "has branches that give %s and %s, so that the condition %s"
              .formatted(
                  BodyDraft.types(then.outputs()),
                  BodyDraft.types(otherwise.outputs()),
                  Quote.of(c.in(0).name())));
    }
  }

  private static LoweringFault unequal(int then, int otherwise) {
    return LoweringFault.of("has branches of %d and %d outputs".formatted(then, otherwise));
  }

  /* The branch that the request takes for which the graph is built. */
  private List<Value> ofGiven() {
    c.facts().consult(condition);
    return c.bodies().inline(taken(Objects.requireNonNull(c.facts().constantOrGiven(condition))));
  }

  private static String taken(Tensor condition) {
    return ControlOps.isTrue(condition) ? "then_branch" : "else_branch";
  }
}
