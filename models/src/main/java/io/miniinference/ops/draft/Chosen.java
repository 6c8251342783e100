package io.miniinference.ops.draft;

import io.miniinference.budget.LoadBudget;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// What is known of elements that a mask of one axis chooses, so that the best of them can be found
/// without putting them together first: as detectors have `scores[scores > least].topk(1000)`.
public final class Chosen {
  /// Views of a mask that are looked through; exporters write one or two.
  private static final int MOST_VIEWS = 16;

  /// Nanoseconds for each mask with which another is compared.
  private static final double COMPARED = 100;

  private final Draft draft;

  /// The places at which masks are true.
  private final Map<Value, Value> positions = new LinkedHashMap<>();

  /// The mask of coordinates.
  private final Map<Value, Value> masks = new HashMap<>();

  private final Map<Value, Elements> elements = new HashMap<>();
  private final Map<Value, Places> places = new HashMap<>();

  Chosen(Draft draft) {
    this.draft = draft;
  }

  /// Elements that lie where a mask is true, in order.
  public record Elements(Value all, Value mask) {}

  /// Numbers of elements among those that a mask chooses, by where they lie among all.
  public record Places(Value mask, Value amongAll) {}

  /// The places at which a mask is true in row-major order, which are the same for all masks that
  /// are made alike, and for one in another shape.
  public Value positions(Value mask, Supplier<Value> made) {
    Optional<Value> known = known(mask);
    if (known.isPresent()) {
      return known.get();
    }
    Value places = made.get();
    positions.put(mask, places);
    return places;
  }

  /// A mask and how many elements of another each of its elements is.
  public record Repeated(Value mask, long times) {}

  /// The mask that another repeats so many times, as its type tells; empty if it repeats none, or
  /// only the device can tell how often. So as many times as many elements are true.
  public Optional<Repeated> repeated(Value mask) {
    return draft
        .maker(unviewed(mask))
        .filter(node -> node.op() instanceof Op.View(Movement.Expand _))
        .map(node -> unviewed(node.inputs().getFirst()))
        .filter(source -> draft.facts().isCounted(source) == draft.facts().isCounted(mask))
        .flatMap(source -> times(source, mask).map(times -> new Repeated(source, times)));
  }

  private static Optional<Long> times(Value source, Value mask) {
    Affine few = source.type().elements();
    Affine many = mask.type().elements();
    boolean areKnown = few.isConstant() && many.isConstant() && few.constant() > 0;
    return areKnown ? Optional.of(many.constant() / few.constant()) : Optional.empty();
  }

  /// The places at which that mask is true of which these numbers have a 1 for each true element,
  /// so that their sum is the number of places; empty if they are of no mask whose places are
  /// known.
  public Optional<Value> counted(Value numbers) {
    if (positions.isEmpty()) {
      return Optional.empty();
    }
    Optional<Value> mask =
        draft
            .maker(unviewed(numbers))
            .filter(Chosen::isOneWhereTrue)
            .map(it -> it.inputs().getFirst());
    return mask.flatMap(this::known);
  }

  private static boolean isOneWhereTrue(Node node) {
    return node.op() instanceof Op.Elementwise(Expr expr, _)
        && expr.equals(Exprs.cast(ElementType.I64, Exprs.arg(0)))
        && node.inputs().getFirst().type().element() == ElementType.BOOL;
  }

  private Optional<Value> known(Value mask) {
    LoadBudget.spend(COMPARED * positions.size());
    Alike alike = new Alike(draft);
    Value elements = unviewed(mask);
    return positions.entrySet().stream()
        .filter(it -> alike.are(elements, unviewed(it.getKey())))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /* What has the same elements in the same order, and no filler taken for elements. */
  private Value unviewed(Value value) {
    Value at = value;
    for (int views = 0; views < MOST_VIEWS; views++) {
      Optional<Value> before = reshaped(at);
      if (before.isEmpty()) {
        return at;
      }
      at = before.get();
    }
    return at;
  }

  private Optional<Value> reshaped(Value value) {
    boolean isCounted = draft.facts().isCounted(value);
    return draft
        .maker(value)
        .filter(node -> node.op() instanceof Op.View(Movement.Reshape _))
        .map(node -> node.inputs().getFirst())
        .filter(it -> draft.facts().isCounted(it) == isCounted);
  }

  /// Whether there is a mask of which only the device can tell where it is true.
  boolean hasMasks() {
    return !positions.isEmpty();
  }

  /// Forgets what a node made that turned out faulty.
  void forget(Set<Value> values) {
    positions.values().removeAll(values);
    masks.keySet().removeAll(values);
    elements.keySet().removeAll(values);
    places.keySet().removeAll(values);
  }

  /// Notes the coordinates at which a mask is true.
  public void noteCoordinates(Value coordinates, Value mask) {
    if (mask.type().rank() == 1) {
      masks.put(coordinates, mask);
    }
  }

  /// The mask whose true places an index says, whatever axes of 1 it has; empty if it says others.
  public Optional<Value> mask(Value indices) {
    Optional<Value> at = masks.isEmpty() ? Optional.empty() : Optional.of(indices);
    while (at.isPresent()) {
      Value mask = masks.get(at.get());
      if (mask != null) {
        return Optional.of(mask);
      }
      at =
          draft
              .maker(at.get())
              .filter(node -> node.op() instanceof Op.View)
              .map(node -> node.inputs().getFirst())
              .filter(it -> it.type().elements().equals(indices.type().elements()));
    }
    return Optional.empty();
  }

  /// Notes elements that a mask chooses.
  public void note(Value chosen, Elements of) {
    elements.put(chosen, of);
  }

  /// All from which a value's elements are chosen by being greater than a number; empty if they are
  /// chosen otherwise. So each of them is greater than any that is not chosen, if that is −∞.
  public Optional<Elements> greater(Value chosen) {
    return Optional.ofNullable(elements.get(chosen))
        .filter(it -> draft.maker(it.mask).filter(node -> isGreater(node, it.all)).isPresent());
  }

  private boolean isGreater(Node mask, Value all) {
    return mask.op() instanceof Op.Elementwise(Expr expr, _)
        && expr.equals(new Expr.Binary(Expr.BinaryOp.GT, new Expr.Arg(0), new Expr.Arg(1)))
        && mask.inputs().getFirst().equals(all)
        && draft.facts().tensor(mask.inputs().get(1)) != null;
  }

  public void note(Value numbers, Places of) {
    places.put(numbers, of);
  }

  /// Where the elements of these numbers lie among all; empty if they are no such numbers.
  public Optional<Places> places(Value numbers) {
    return Optional.ofNullable(places.get(numbers));
  }

  void rename(Value from, Value to) {
    Facts.move(masks, from, to);
    Facts.move(elements, from, to);
    Facts.move(places, from, to);
  }
}
