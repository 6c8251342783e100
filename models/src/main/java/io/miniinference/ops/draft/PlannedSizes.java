package io.miniinference.ops.draft;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What is known of a value that follows from the size of a [CountedAxis]: its elements for some
/// lengths of that axis. So a size that follows the axis is told from one that merely equals it.
///
/// Each element is a function of the length that grows with it and is concave, since it is made of
/// the length and constants by sums, multiples and minima alone. One that is the same for no row
/// and for the most there may be is constant therefore, and one that is as many times the length,
/// and so many more, for 0, 1 and one more than the most is so for all.
///
/// @param base the count of the axis, or that in which it is linear
/// @param most rows that there may be
/// @param probes the elements for each of [#lengths]
public record PlannedSizes(Value base, Affine most, List<SymbolicTensor> probes) {
  private static final int NONE = 0;
  private static final int ONE = 1;
  private static final int MOST = 2;
  private static final int LONGER = 3;

  private static final Set<ElementType> WIDE = Set.of(ElementType.I64, ElementType.I32);

  public PlannedSizes {
    probes = List.copyOf(probes);
  }

  /// The lengths for which values are probed: none, one, the most there may be, and one more.
  static List<Affine> lengths(Affine most) {
    return List.of(Affine.ZERO, Affine.ONE, most, longer(most));
  }

  private static Affine longer(Affine size) {
    return size.plus(size.isConstant() ? Affine.ONE : Affine.N);
  }

  /// Those of a part of a shape.
  ///
  /// @param first axis of that part
  /// @param end behind its last one
  public static PlannedSizes of(
      Facts facts, TensorType type, CountedAxis axis, int first, int end) {
    Counts.Linear count = facts.counts().linear(axis.count());
    Affine offset = Affine.of(count.offset());
    Affine most = type.dim(axis.axis()).minus(offset).dividedBy(count.factor());
    List<SymbolicTensor> probes = new ArrayList<>();
    for (Affine length : lengths(most)) {
      List<Affine> shape = new ArrayList<>(type.shape());
      shape.set(axis.axis(), length.times(count.factor()).plus(offset));
      probes.add(new SymbolicTensor(shape.subList(first, end)));
    }
    return new PlannedSizes(count.base(), most, probes);
  }

  /// That of how many rows a value has; empty if it is no matter of data.
  public static Optional<PlannedSizes> ofRows(Facts facts, Value rows) {
    return facts
        .counted(rows)
        .filter(it -> it.axis() == 0)
        .map(it -> of(facts, rows.type(), it, 0, 1));
  }

  /// What a rule makes of them for each length; but for none, where that leaves no element: then a
  /// shape may be of any size in the other axes.
  ///
  /// @throws LoweringFault if it does not work out for one of them, by which nothing is proven
  PlannedSizes mapped(UnaryOperator<List<Affine>> rule) {
    return mapped((sizes, _) -> rule.apply(sizes), this);
  }

  /// As above, of these and of others that follow from the same length.
  PlannedSizes mapped(BinaryOperator<List<Affine>> rule, PlannedSizes others) {
    List<SymbolicTensor> results = new ArrayList<>();
    boolean isEmpty = probes.get(NONE).values().contains(Affine.ZERO);
    for (int probe = isEmpty ? ONE : NONE; probe <= LONGER; probe++) {
      List<Affine> own = probes.get(probe).values();
      results.add(new SymbolicTensor(rule.apply(own, others.probes.get(probe).values())));
    }
    if (isEmpty) {
      results.addFirst(ofNone(results));
    }
    return new PlannedSizes(base, most, results);
  }

  private static SymbolicTensor ofNone(List<SymbolicTensor> others) {
    List<Affine> one = others.getFirst().values();
    return new SymbolicTensor(
        IntStream.range(0, one.size())
            .mapToObj(i ->
                others.stream().allMatch(it -> it.values().get(i).equals(one.get(i)))
                    ? one.get(i)
                    : Affine.ZERO)
            .toList());
  }

  /// The elements where there are as many rows as there may be.
  public List<Affine> largest() {
    return probes.get(MOST).values();
  }

  private Affine at(int probe, int element) {
    return probes.get(probe).values().get(element);
  }

  /// Whether an element is the same for each length.
  public boolean isConstant(int element) {
    return at(NONE, element).equals(at(MOST, element));
  }

  boolean isConstant() {
    return IntStream.range(0, largest().size()).allMatch(this::isConstant);
  }

  /// The elements that depend on the length.
  public List<Integer> varying() {
    return IntStream.range(0, largest().size()).filter(i -> !isConstant(i)).boxed().toList();
  }

  /// A count of an element that grows with the length; empty if it is not linear in it.
  public Optional<Counts.Linear> count(int element) {
    Affine none = at(NONE, element);
    Affine each = at(ONE, element).minus(none);
    if (!none.isConstant() || !each.isConstant()) {
      return Optional.empty();
    }
    boolean isLinear =
        at(MOST, element).equals(most.times(each.constant()).plus(none))
            && at(LONGER, element).equals(longer(most).times(each.constant()).plus(none));
    boolean grows = each.constant() > 0 && none.constant() >= 0;
    return isLinear && grows
        ? Optional.of(new Counts.Linear(base, each.constant(), none.constant()))
        : Optional.empty();
  }

  /// Whether an element counts from no end: it is not less than it is for no row.
  public boolean isNeverNegative(int element) {
    return Sizes.sign(at(NONE, element)).orElse(-1) >= 0;
  }

  /// Whether a value of one element is a count.
  public boolean isOf(Facts facts, Value count) {
    return largest().size() == 1
        && count(0).filter(it -> it.equals(facts.counts().linear(count))).isPresent();
  }

  /// Those of a node's result; empty if it reads none, or computes what nothing is known of.
  static Optional<PlannedSizes> of(Node node, Facts facts) {
    List<PlannedSizes> read =
        node.inputs().stream().flatMap(value -> facts.planned(value).stream()).toList();
    if (read.isEmpty() || read.stream().map(PlannedSizes::base).distinct().count() > 1) {
      return Optional.empty();
    }
    PlannedSizes first = read.getFirst();
    boolean isDecided = SizeComparison.of(node).filter(it -> it.isDecided(facts)).isPresent();
    if (!isDecided && !isConcave(node, facts)) {
      return Optional.empty();
    }
    List<SymbolicTensor> probes = new ArrayList<>();
    for (int probe = 0; probe <= LONGER; probe++) {
      Optional<SymbolicTensor> result = probed(node, facts, probe);
      if (result.isEmpty()) {
        return Optional.empty();
      }
      probes.add(result.get());
    }
    return Optional.of(new PlannedSizes(first.base, first.most, probes));
  }

  private static Optional<SymbolicTensor> probed(Node node, Facts facts, int probe) {
    List<SymbolicTensor> operands = new ArrayList<>();
    for (Value input : node.inputs()) {
      Optional<SymbolicTensor> known =
          facts.planned(input).map(own -> own.probes.get(probe)).or(() -> facts.known(input));
      if (known.isEmpty()) {
        return known;
      }
      operands.add(known.get());
    }
    List<TensorType> types = node.inputs().stream().map(Value::type).toList();
    return new SizeInterpreter(types, operands, node.output().type()).run(node.op());
  }

  private static boolean isConcave(Node node, Facts facts) {
    boolean isSmall =
        node.outputs().size() == 1
            && node.output().type().isStatic()
            && node.output().type().elements().constant() <= SymbolicTensor.MAX_ELEMENTS
            && WIDE.contains(node.output().type().element());
    return isSmall
        && switch (node.op()) {
          case Op.View _, Op.Concat _ -> true;
          case Op.Gather _ -> !facts.isPlanned(node.inputs().get(1));
          case Op.Elementwise map ->
              isConcave(map.expr(), k -> facts.isPlanned(node.inputs().get(k)))
                  && (!multiplies(map.expr()) || arePositive(node, facts));
          case Op.Reduce reduce -> isConcave(reduce, node, facts);
          case Op.Scatter _, Op.Regular _, Op.Control _ -> false;
        };
  }

  private static boolean isConcave(Op.Reduce reduce, Node node, Facts facts) {
    return switch (reduce.kind()) {
      case SUM, MIN -> true;
      case PRODUCT ->
          arePositive(node, facts)
              && facts
                  .planned(node.inputs().getFirst())
                  .filter(it -> it.varying().size() < 2)
                  .isPresent();
      case MAX, ARG_MAX, ARG_MIN, ARG_MAX_LAST, ARG_MIN_LAST -> false;
    };
  }

  private static boolean multiplies(Expr expr) {
    boolean itself = expr instanceof Expr.Binary(Expr.BinaryOp op, _, _) && op == Expr.BinaryOp.MUL;
    return itself || ExprTree.children(expr).stream().anyMatch(PlannedSizes::multiplies);
  }

  /* A product of what varies is none, nor is one by what is negative. */
  private static boolean isConcave(Expr expr, Predicate<Integer> varies) {
    return switch (expr) {
      case Expr.Arg _ -> true;
      case Expr.Const _ -> true;
      case Expr.Cast(ElementType to, Expr x) -> WIDE.contains(to) && isConcave(x, varies);
      case Expr.Select(Expr condition, Expr then, Expr otherwise) ->
          !varies(condition, varies) && isConcave(then, varies) && isConcave(otherwise, varies);
      case Expr.Binary(Expr.BinaryOp op, Expr left, Expr right) ->
          isConcave(left, varies)
              && isConcave(right, varies)
              && switch (op) {
                case ADD, MIN -> true;
                case MUL -> !varies(left, varies) || !varies(right, varies);
                default -> false;
              };
      default -> false;
    };
  }

  private static boolean varies(Expr expr, Predicate<Integer> varies) {
    return expr instanceof Expr.Arg(int k)
        ? varies.test(k)
        : ExprTree.children(expr).stream().anyMatch(it -> varies(it, varies));
  }

  private static boolean arePositive(Node node, Facts facts) {
    boolean ofConstants = !(node.op() instanceof Op.Elementwise map) || arePositive(map.expr());
    return ofConstants
        && node.inputs().stream()
            .flatMap(value -> elements(value, facts))
            .allMatch(size -> Sizes.sign(size).orElse(-1) >= 0);
  }

  private static boolean arePositive(Expr expr) {
    return expr instanceof Expr.Const(_, long bits)
        ? bits >= 0
        : ExprTree.children(expr).stream().allMatch(PlannedSizes::arePositive);
  }

  private static Stream<Affine> elements(Value value, Facts facts) {
    return facts
        .planned(value)
        .map(own -> own.probes.stream().flatMap(probe -> probe.values().stream()))
        .orElseGet(() -> facts.known(value).stream().flatMap(known -> known.values().stream()));
  }
}
