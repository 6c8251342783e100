package io.miniinference.pass.views;

import io.miniinference.ir.ElementBits;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// Integers that count along axes of a value: each is `start` and, for each axis, `steps` times its
/// index there.
///
/// @param steps one per axis of the value; 0 along an axis of one element
record Places(long start, List<Long> steps) {
  /// Constants up to this size are looked at.
  private static final long MOST_ELEMENTS = 1 << 16;

  Places {
    steps = List.copyOf(steps);
  }

  /// The places that a constant holds, if it holds any.
  static Optional<Places> of(Tensor tensor) {
    long elements = tensor.elements();
    if (!isPlace(tensor.element()) || elements == 0 || elements > MOST_ELEMENTS) {
      return Optional.empty();
    }
    return exact(() -> Optional.of(first(tensor)).filter(places -> places.areHeldBy(tensor)));
  }

  /* By the first elements along each axis. */
  private static Places first(Tensor tensor) {
    long start = at(tensor, 0);
    long[] shape = tensor.shape();
    List<Long> steps = new ArrayList<>();
    for (int axis = 0; axis < shape.length; axis++) {
      boolean isOne = shape[axis] == 1;
      steps.add(isOne ? 0 : Math.subtractExact(at(tensor, distance(axis, shape)), start));
    }
    return new Places(start, steps);
  }

  /* Nothing where numbers of 64 bits overflow: a file may have any. */
  private static <T> Optional<T> exact(Supplier<Optional<T>> made) {
    try {
      return made.get();
    } catch (ArithmeticException _) {
      return Optional.empty();
    }
  }

  private static boolean isPlace(ElementType type) {
    return type == ElementType.I32 || type == ElementType.I64;
  }

  private static long at(Tensor tensor, long element) {
    return ElementBits.read(tensor, element).bits();
  }

  private static long distance(int axis, long[] shape) {
    return Arrays.stream(shape).skip(axis + 1L).reduce(1, (a, b) -> a * b);
  }

  private boolean areHeldBy(Tensor tensor) {
    return LongStream.range(0, tensor.elements())
        .allMatch(i -> at(tensor, i) == valueAt(i, tensor.shape()));
  }

  private long valueAt(long element, long[] shape) {
    long value = start;
    for (int axis = 0; axis < shape.length; axis++) {
      long index = element / distance(axis, shape) % shape[axis];
      value = Math.addExact(value, Math.multiplyExact(steps.get(axis), index));
    }
    return value;
  }

  /// The places that an expression gives in a value of that type.
  ///
  /// @param operands what is known of each operand at the value's own indices
  static Optional<Places> of(Expr expr, TensorType type, IntFunction<Optional<Places>> operands) {
    if (!isPlace(type.element())) {
      return Optional.empty();
    }
    Optional<Places> read =
        exact(() -> new Reading(type, operands).of(expr)).map(places -> places.within(type));
    return type.element() == ElementType.I32 ? read.filter(it -> it.fitsInt(type)) : read;
  }

  /* Sums and products that wrap on their way are right where they end in range. Of an open batch,
  that is not known. */
  private boolean fitsInt(TensorType type) {
    return exact(() -> span(type)).filter(span -> span.equals(span.inInt())).isPresent();
  }

  private Optional<Span> span(TensorType type) {
    Span span = new Span(start, start);
    for (int axis : within(type).axes()) {
      if (!type.dim(axis).isConstant()) {
        return Optional.empty();
      }
      long last = Math.max(0, type.dim(axis).constant() - 1);
      span = span.plus(Math.multiplyExact(steps.get(axis), last));
    }
    return Optional.of(span);
  }

  /// The least and the largest place.
  private record Span(long least, long most) {
    Span plus(long reach) {
      return new Span(
          Math.addExact(least, Math.min(0, reach)), Math.addExact(most, Math.max(0, reach)));
    }

    Span inInt() {
      return new Span((int) least, (int) most);
    }
  }

  /// Expressions of a value of that type.
  private record Reading(TensorType type, IntFunction<Optional<Places>> operands) {
    private int rank() {
      return type.rank();
    }

    Optional<Places> of(Expr expr) {
      return switch (expr) {
        case Expr.Arg(int index) -> operands.apply(index);
        case Expr.Index(int axis) -> Optional.of(counting(axis));
        case Expr.Const number when isPlace(number.type()) ->
            Optional.of(new Places(number.bits(), Collections.nCopies(rank(), 0L)));
        case Expr.Cast(ElementType to, Expr operand) when to == ElementType.I32 -> of(operand);
        case Expr.Cast(ElementType to, Expr operand) when to == ElementType.I64 ->
            of(operand).filter(places -> places.fitsInt(type)); // it may be of 32 bits
        case Expr.Binary(BinaryOp op, Expr left, Expr right) ->
            of(left).flatMap(a -> of(right).flatMap(b -> a.combined(op, b)));
        case Expr.At _, Expr.Const _, Expr.Extent _, Expr.Unary _, Expr.Select _, Expr.Cast _ ->
            Optional.empty();
      };
    }

    private Places counting(int axis) {
      List<Long> steps = new ArrayList<>(Collections.nCopies(rank(), 0L));
      steps.set(axis, 1L);
      return new Places(0, steps);
    }
  }

  private Optional<Places> combined(BinaryOp op, Places other) {
    if (op == BinaryOp.ADD) {
      return Optional.of(plus(other));
    }
    return op == BinaryOp.MUL && (isOne() || other.isOne())
        ? Optional.of(other.isOne() ? times(other.start) : other.times(start))
        : Optional.empty();
  }

  private Places plus(Places other) {
    List<Long> sums =
        IntStream.range(0, steps.size())
            .mapToObj(axis -> Math.addExact(steps.get(axis), other.steps.get(axis)))
            .toList();
    return new Places(Math.addExact(start, other.start), sums);
  }

  private Places times(long factor) {
    return new Places(
        Math.multiplyExact(start, factor),
        steps.stream().map(step -> Math.multiplyExact(step, factor)).toList());
  }

  private boolean isOne() {
    return axes().isEmpty();
  }

  /// The axes along which they count, in their order.
  List<Integer> axes() {
    return IntStream.range(0, steps.size()).filter(i -> steps.get(i) != 0).boxed().toList();
  }

  /* An axis of one element counts nothing. */
  private Places within(TensorType type) {
    return new Places(
        start,
        IntStream.range(0, steps.size())
            .mapToObj(axis -> isOne(type.dim(axis)) ? 0L : steps.get(axis))
            .toList());
  }

  /// As they are at the indices of a value of more axes that they are broadcast to.
  Places broadcast(int rank) {
    List<Long> all = new ArrayList<>(Collections.nCopies(rank - steps.size(), 0L));
    all.addAll(steps);
    return new Places(start, all);
  }

  /// The places that a view of these holds, if it keeps their axes.
  ///
  /// @param from the type of the value that holds these
  /// @param to the type of the view
  Optional<Places> under(Movement map, TensorType from, TensorType to) {
    return switch (map) {
      case Movement.Transpose transpose -> Optional.of(new Places(start, transpose.axes(steps)));
      case Movement.Expand _ -> Optional.of(broadcast(to.rank()));
      case Movement.Slice slice -> exact(() -> sliced(slice)).map(places -> places.within(to));
      case Movement.Reshape _ -> reshaped(from, to);
    };
  }

  private Optional<Places> sliced(Movement.Slice slice) {
    if (!axes().stream().allMatch(axis -> slice.starts().get(axis).isConstant())) {
      return Optional.empty();
    }
    long first = start;
    List<Long> next = new ArrayList<>(steps);
    for (int axis : axes()) {
      long skipped = Math.multiplyExact(steps.get(axis), slice.starts().get(axis).constant());
      first = Math.addExact(first, skipped);
      next.set(axis, Math.multiplyExact(steps.get(axis), slice.steps().get(axis)));
    }
    return Optional.of(new Places(first, next));
  }

  private Optional<Places> reshaped(TensorType from, TensorType to) {
    if (!sameAxes(from, to)) {
      return Optional.empty();
    }
    List<Long> moved = new ArrayList<>(Collections.nCopies(to.rank(), 0L));
    List<Integer> before = longAxes(from);
    List<Integer> after = longAxes(to);
    for (int i = 0; i < before.size(); i++) {
      moved.set(after.get(i), steps.get(before.get(i)));
    }
    return Optional.of(new Places(start, moved));
  }

  /// Whether two shapes differ in axes of one element alone.
  static boolean sameAxes(TensorType from, TensorType to) {
    return longAxes(from).stream()
        .map(from::dim)
        .toList()
        .equals(longAxes(to).stream().map(to::dim).toList());
  }

  /// Axes that do not have exactly one element.
  static List<Integer> longAxes(TensorType type) {
    return IntStream.range(0, type.rank()).filter(i -> !isOne(type.dim(i))).boxed().toList();
  }

  private static boolean isOne(Affine dim) {
    return dim.equals(Affine.ONE);
  }

  /// How many they are along the axes that they count along, if they are in row-major order as far
  /// apart from each other; one, where they count along none.
  ///
  /// @param type of the value that holds them
  Optional<Affine> count(TensorType type) {
    return exact(() -> counted(type));
  }

  private Optional<Affine> counted(TensorType type) {
    Affine count = Affine.ONE;
    for (int axis : axes().reversed()) {
      boolean isEven =
          count.isConstant()
              && steps.get(axis).equals(Math.multiplyExact(step(), count.constant()));
      if (!isEven) {
        return Optional.empty();
      }
      count = count.times(type.dim(axis));
    }
    return Optional.of(count);
  }

  /// From one to the next.
  long step() {
    return axes().isEmpty() ? 1 : steps.get(axes().getLast());
  }

  /// Whether so many of them, in order, are all on an axis, each once.
  boolean areOn(Affine size, Affine count) {
    if (start == 0 && step() == 1 && !axes().isEmpty() && count.isAtMost(size)) {
      return true;
    }
    boolean isKnown = size.isConstant() && count.isConstant() && count.constant() > 0;
    return isKnown
        && start >= 0
        && step() > 0
        && start < size.constant()
        && count.constant() - 1 <= (size.constant() - 1 - start) / step();
  }
}
