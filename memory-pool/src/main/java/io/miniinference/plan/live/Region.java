package io.miniinference.plan.live;

import io.miniinference.budget.LoadBudget;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Where an array lies inside the array that fills its block, as the movements that lead there: a
/// box, seen in another shape, of which a box is taken, and so on. It says nothing of bytes, so
/// that what two places have to do with each other holds at every batch size and in every layout,
/// and a block can be given another index function with all that lies in it.
///
/// @param boxes from the whole to the part; each but the first sees the result of the one before in
///   a shape of its own
/// @param spread whether it is only known that it is somewhere there (elements are repeated, or
///   picked by no movement), so that nothing further is known of what is seen of it
public record Region(List<Box> boxes, boolean spread) {

  /// Of one movement, or of one comparison, in nanoseconds.
  private static final double STEPS = 50;

  public static Region whole(List<Affine> shape) {
    return new Region(List.of(Box.whole(shape)), false);
  }

  /// This place as if all of it were known: for who has made sure that it is.
  public Region exact() {
    return new Region(boxes, false);
  }

  /// Shape of the whole.
  public List<Affine> base() {
    return boxes.getFirst().base();
  }

  /// Shape of what is seen.
  List<Affine> shape() {
    return boxes.getLast().shape();
  }

  /// The place of a view of what lies here. A view of repeated elements has the place of all.
  Region then(Movement movement) {
    LoadBudget.spend(STEPS);
    if (spread) {
      return this;
    }
    return switch (movement) {
      case Movement.Reshape reshape -> reshaped(reshape.shape());
      case Movement.Transpose transpose -> withLast(boxes.getLast().transposed(transpose));
      case Movement.Slice slice -> withLast(boxes.getLast().sliced(slice));
      case Movement.Expand expand ->
          expand.shape().equals(shape()) ? this : new Region(boxes, true);
    };
  }

  /// The place of what has shape `source` and is seen here through the movement, if there is one.
  /// It may reach beyond the whole.
  Optional<Region> before(Movement movement, List<Affine> source) {
    if (spread) {
      return Optional.empty();
    }
    return switch (movement) {
      case Movement.Reshape _ -> Optional.of(reshaped(source));
      case Movement.Transpose transpose -> Optional.of(then(transpose.inverse()));
      case Movement.Slice slice -> boxes.getLast().unsliced(slice, source).map(this::withLast);
      case Movement.Expand expand ->
          expand.shape().equals(source) ? Optional.of(this) : Optional.empty();
    };
  }

  private Region withLast(Box box) {
    List<Box> changed = new ArrayList<>(boxes);
    changed.set(changed.size() - 1, box);
    return new Region(List.copyOf(changed), false);
  }

  /* Two shapes in a row are one, and back to the shape before is no change at all. */
  private Region reshaped(List<Affine> shape) {
    if (shape.equals(shape())) {
      return this;
    }
    List<Box> changed = new ArrayList<>(boxes);
    if (changed.size() > 1 && changed.getLast().isWhole()) {
      changed.removeLast();
      if (changed.getLast().shape().equals(shape)) {
        return new Region(List.copyOf(changed), false);
      }
    }
    changed.add(Box.whole(shape));
    return new Region(List.copyOf(changed), false);
  }

  /// This place inside a block whose whole now lies at `whole`.
  public Region in(Region whole) {
    Region at = whole;
    for (Box box : boxes) {
      at = at.then(new Movement.Reshape(box.base()));
      at = at.then(new Movement.Slice(box.starts(), box.steps(), box.extents()));
      at = at.then(new Movement.Transpose(box.order()));
    }
    return spread ? new Region(at.boxes, true) : at;
  }

  /// Whether nothing reaches beyond the whole.
  public boolean isInside() {
    return boxes.stream().allMatch(Box::isInside);
  }

  /// Where the whole has to lie for this to lie at `target`, if anywhere. It may reach beyond the
  /// target's own whole.
  public Optional<Region> wholeFor(Region target) {
    if (spread) {
      return Optional.empty();
    }
    Optional<Region> at = Optional.of(target);
    for (Box box : boxes.reversed()) {
      Movement.Slice slice = new Movement.Slice(box.starts(), box.steps(), box.extents());
      at =
          at.map(p -> p.then(new Movement.Reshape(box.shape())))
              .flatMap(p -> p.before(new Movement.Transpose(box.order()), box.extents()))
              .flatMap(p -> p.before(slice, box.base()));
    }
    return at;
  }

  /// Whether no element lies in both, whose wholes are the same.
  public boolean isApartFrom(Region other) {
    LoadBudget.spend(STEPS);
    for (int i = 0; i < Math.min(boxes.size(), other.boxes.size()); i++) {
      Box mine = boxes.get(i);
      Box theirs = other.boxes.get(i);
      if (!mine.equals(theirs)) {
        return mine.base().equals(theirs.base()) && mine.isApartFrom(theirs);
      }
    }
    return false;
  }

  /// Whether each element here lies in the other, whose whole is the same.
  public boolean isInside(Region other) {
    if (other.spread) {
      return false;
    }
    int last = other.boxes.size() - 1;
    while (last > 0 && other.boxes.get(last).isWhole()) {
      last--; // It sees all of the box before, in another shape.
    }
    if (boxes.size() <= last || !boxes.subList(0, last).equals(other.boxes.subList(0, last))) {
      return false;
    }
    Box outer = other.boxes.get(last);
    return boxes.get(last).base().equals(outer.base()) && boxes.get(last).isInside(outer);
  }

  /// The index function of what lies here, if it has one.
  public Optional<IndexFunction> index(IndexFunction whole) {
    Optional<IndexFunction> index = Optional.of(whole);
    for (Box box : boxes) {
      Movement.Slice slice = new Movement.Slice(box.starts(), box.steps(), box.extents());
      index =
          index
              .flatMap(new Movement.Reshape(box.base())::of)
              .flatMap(slice::of)
              .map(f -> f.transpose(box.order()));
    }
    return index;
  }
}
