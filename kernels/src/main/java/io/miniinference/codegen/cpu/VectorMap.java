package io.miniinference.codegen.cpu;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.LaneArray;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.device.Launch;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Op;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import io.miniinference.plan.Array;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Elementwise computation, of floats mostly, sixteen neighbours at a time: where the expression
/// has a vector form, and result and operands have [Runs] that are worth one. A function of
/// `math.h` costs a vector about what it costs a single float.
///
/// The last elements of a run go through the same vector as all others, from and to a few floats of
/// their own, so that an element's value does not depend on where in the run it is; or one by one,
/// where the expression is one operation of which that is sure.
final class VectorMap {
  private static final int LANES = VectorText.LANES;

  /// Elements that a work item has at most, a multiple of the lanes.
  private static final long ITEM_ELEMENTS = 4096;

  /// Elements below which a second worker costs more than it saves.
  private static final long GRAIN_ELEMENTS = 4096;

  private static final Set<Expr.BinaryOp> BASIC =
      EnumSet.of(Expr.BinaryOp.ADD, Expr.BinaryOp.SUB, Expr.BinaryOp.MUL, Expr.BinaryOp.DIV);

  private static final String HEAD =
      """
      A work item owns %s, and takes 16 of them at a time in a vector.
      All arrays are read in the order of the result's memory: %s%s.
      """;

  private static final Template KERNEL =
      Template.of(
          "runs of vectors",
          """
          long item = (long)@globalId + first;
          if (item >= $items) return;
          $start
          $places
          $runs
          """);

  private static final Template START =
      Template.of(
          "part of a run",
          """
          const long start = item % $parts * $length;
          const long end = min(start + $length, ${whole}L);
          item /= $parts;
          """);

  private static final Template PLACE =
      Template.of("place of a run", "const long p$loop = item % $extent; item /= $extent;");

  private static final Template LOOP =
      Template.of(
          "loop over runs",
          """
          for (long p$loop = $from; p$loop < $until; p$loop++) {
            $body
          }
          """);

  private static final Template RUN =
      Template.of(
          "run of vectors",
          """
          $repeated
          for (long e = $start; e < $end; e += 16) {
            $count
            $loads
            $statements
            $store
          }
          """);

  private static final Template RUN_AND_REST =
      Template.of(
          "run of vectors, and what is left behind them",
          """
          $repeated
          long e = $start;
          for (; e + 16 <= $end; e += 16) {
            $loads
            $store
          }
          for (; e < $end; e++) $rest;
          """);

  private final StepText s;
  private final Op.Elementwise op;
  private final Runs runs;
  private final List<Integer> read;
  private final LaneArray result;
  private final boolean ofLines;
  private final int firstInner;

  /// Elements of a run that a work item has at most.
  private final long part;

  /// Turns of the loop around the inner ones that a work item takes, where the inner ones are few.
  private final long turns;

  private VectorMap(StepText s, Op.Elementwise op, List<Integer> read, Runs runs) {
    this.s = s;
    this.op = op;
    this.read = read;
    this.runs = runs;
    this.result = new LaneArray(s.step().node().output().type().element());
    this.ofLines = isOfLines(runs);
    this.part = ofLines ? ITEM_ELEMENTS / LANES : ITEM_ELEMENTS;
    this.firstInner = ofLines ? runs.outer().size() - 1 : firstInner(runs);
    this.turns = ofLines ? 1 : turns(runs, firstInner);
  }

  /// The kernel, if the step has this form.
  static Optional<KernelText.Written> write(LoweredStep step, Op.Elementwise op) {
    List<Integer> read = read(op);
    return runs(step, op).map(runs -> new VectorMap(new StepText(step, 1), op, read, runs).write());
  }

  /// Whether the step has this form.
  static boolean fits(LoweredStep step, Op.Elementwise op) {
    return runs(step, op).isPresent();
  }

  private static List<Integer> read(Op.Elementwise op) {
    return ExprTree.usedArgs(op.expr()).stream().sorted().toList();
  }

  private static Optional<Runs> runs(LoweredStep step, Op.Elementwise op) {
    List<Integer> read = read(op);
    return hasLanes(step, read) && isVector(step, op)
        ? Runs.of(step.output().index(), indices(step, read))
            .filter(runs -> runs.run().extent().typical() >= LANES)
        : Optional.empty();
  }

  /// Why a step has not this form, for readers.
  static String whyNot(LoweredStep step, Op.Elementwise op) {
    if (!hasLanes(step, List.copyOf(ExprTree.usedArgs(op.expr())))) {
      return step.failure() == null
          ? "not all is of floats, integers or truth values that lanes hold"
          : "a divisor may be zero";
    }
    return isVector(step, op)
        ? "an array has blocks that the result has not, or a run has fewer than 16 elements"
        : "the expression has no form over vectors";
  }

  private static boolean hasLanes(LoweredStep step, List<Integer> read) {
    return step.failure() == null
        && LaneArray.suits(step.node().output().type().element())
        && read.stream().allMatch(input -> LaneArray.suits(typeOf(step, input)));
  }

  private static boolean isVector(LoweredStep step, Op.Elementwise op) {
    return VectorText.supports(
        op.expr(), step.node().output().type().element(), input -> typeOf(step, input));
  }

  private static ElementType typeOf(LoweredStep step, int input) {
    return step.node().inputs().get(input).type().element();
  }

  private static List<IndexFunction> indices(LoweredStep step, List<Integer> read) {
    return read.stream().map(step.inputs()::get).map(Array::index).toList();
  }

  /* Whether the runs of a block's lanes read the same lines of an array, in which their elements lie
  beside each other: then a work item takes a part of each while the lines are near. */
  private static boolean isOfLines(Runs runs) {
    if (runs.outer().isEmpty() || elements(runs, runs.outer().size() - 1) <= ITEM_ELEMENTS) {
      return false;
    }
    Runs.Loop lanes = runs.outer().getLast();
    return lanes.extent().isConstant()
        && lanes.extent().typical() == LANES
        && IntStream.range(1, runs.arrays().size())
            .anyMatch(array -> runs.isApart(array) && lanes.strides().get(array).isSingle());
  }

  /* Short runs are taken together by one work item. */
  private static int firstInner(Runs runs) {
    List<Runs.Loop> outer = runs.outer();
    int first = outer.size();
    while (first > 0
        && outer.get(first - 1).extent().isConstant()
        && elements(runs, first - 1) <= ITEM_ELEMENTS) {
      first--;
    }
    return first;
  }

  /* Typical elements of all loops from `first` on, and of the run in them. */
  private static long elements(Runs runs, int first) {
    return runs.outer().subList(first, runs.outer().size()).stream()
        .mapToLong(loop -> Math.max(1, loop.extent().typical()))
        .reduce(runs.run().extent().typical(), (a, b) -> a * b);
  }

  private static long turns(Runs runs, int firstInner) {
    boolean isCounted = firstInner > 0 && runs.outer().get(firstInner - 1).extent().isConstant();
    return isCounted ? Math.max(1, ITEM_ELEMENTS / elements(runs, firstInner)) : 1;
  }

  private boolean takesTurns() {
    return turns > 1;
  }

  /* Loops over which work items are counted, one by one. */
  private int counted() {
    return takesTurns() ? firstInner - 1 : firstInner;
  }

  private long extent(int loop) {
    return runs.outer().get(loop).extent().asConstant();
  }

  /// Parts of a run, at least one: that of another request may be empty.
  private long parts() {
    return Math.max(1, Math.ceilDiv(runs.length(), part));
  }

  /* Whether work items share a run. One of open length may need it in another request. */
  private boolean isCut() {
    return !takesTurns() && (runs.run().extent().isOpen() || parts() > 1);
  }

  /* Parts of what work items share: a run, or a loop over runs. */
  private long shares() {
    return takesTurns() ? Math.ceilDiv(extent(firstInner - 1), turns) : isCut() ? parts() : 1;
  }

  /* Turns are shared by a typical size, whatever the size is, so that the text is one for all. */
  private boolean isShared() {
    return takesTurns() || isCut();
  }

  /* Computed in the text from the size itself: a quotient that several sizes have would be taken for
  one that all have. */
  private String sharesText() {
    if (takesTurns()) {
      return IndexText.quotient(extent(firstInner - 1), turns);
    }
    return runs.run().extent().isOpen()
        ? IndexText.quotient(runs.length(), part)
        : Long.toString(shares());
  }

  private Affine places(Affine shares) {
    return runs.outer().subList(0, counted()).stream()
        .map(Runs.Loop::extent)
        .reduce(shares, Affine::times);
  }

  private Affine items() {
    return places(Affine.of(shares()));
  }

  private String itemsText() {
    return takesTurns() || runs.run().extent().isOpen()
        ? IndexText.affine(places(Affine.ONE)) + " * " + sharesText()
        : IndexText.affine(items());
  }

  private KernelText.Written write() {
    Template.Filling kernel =
        KERNEL
            .with("items", itemsText())
            .with("start", isShared() ? start() : "")
            .with("places", places())
            .with("runs", overRuns(run().text()));
    s.text().head(HEAD.formatted(owned(), about(), gathered())).add(kernel);
    return new KernelText.Written(s.text(), new Launch.Items(items(), grain()));
  }

  private String owned() {
    return ofLines
        ? "up to " + part + " neighbouring elements of each of " + LANES + " runs"
        : counted() < runs.outer().size()
            ? "a few runs of " + runs.length() + " neighbouring elements"
            : !isCut()
                ? "a run of " + runs.length() + " neighbouring elements"
                : "up to " + ITEM_ELEMENTS + " neighbouring elements";
  }

  private String about() {
    return read.stream().allMatch(input -> runs.repeats(array(input)))
        ? "operands that repeat are loaded once, ahead"
        : read.stream().anyMatch(input -> runs.repeats(array(input)))
            ? "vector by vector, and what repeats along it once, ahead"
            : "vector by vector";
  }

  private String gathered() {
    return read.stream().anyMatch(input -> runs.isApart(array(input)))
        ? ";\nelements that lie apart there are gathered, each from an address that is one stride on"
        : "";
  }

  private Template.Filling start() {
    return START
        .with("parts", sharesText())
        .with("length", takesTurns() ? turns : part)
        .with("whole", takesTurns() ? extent(firstInner - 1) : runs.length());
  }

  private String places() {
    return IntStream.range(0, counted())
        .map(loop -> counted() - 1 - loop)
        .mapToObj(this::place)
        .collect(Collectors.joining("\n"));
  }

  private String place(int loop) {
    return PLACE
        .with("loop", loop)
        .with("extent", IndexText.divisor(runs.outer().get(loop).extent()))
        .text();
  }

  /* Vectors that are the same for several runs are loaded ahead of them. */
  private String overRuns(String run) {
    String text = run;
    for (int loop = runs.outer().size() - 1; loop >= counted(); loop--) {
      boolean shared = loop < firstInner;
      int here = loop;
      text =
          LOOP.with("loop", loop)
              .with("from", shared ? "start" : "0")
              .with("until", shared ? "end" : extent(loop))
              .with("body", ahead(input -> innermost(input) == here, text))
              .text();
    }
    return ahead(input -> innermost(input) < counted(), text);
  }

  private String ahead(IntPredicate isHere, String text) {
    String loads =
        read.stream()
            .filter(input -> isAhead(input) && isHere.test(input))
            .map(input -> load(input, ""))
            .collect(Collectors.joining("\n"));
    return loads.isEmpty() ? text : loads + "\n" + text;
  }

  private int innermost(int input) {
    return runs.innermost(array(input));
  }

  /* Whether a run is one vector of an operand, in every request, and that of the next run is the
  same. */
  private boolean isAhead(int input) {
    return isWhole()
        && runs.length() == LANES
        && !isCut()
        && !runs.repeats(array(input))
        && innermost(input) < runs.outer().size() - 1;
  }

  private Template.Filling run() {
    VectorText.Written written = written(input -> "v" + input);
    return !isWhole() && isOfFloats() && isOneOperation(op.expr())
        ? runAndRest(written)
        : runOf(written);
  }

  private VectorText.Written written(IntFunction<String> operand) {
    return VectorText.write(op.expr(), result.type(), input -> operand(input).type(), operand);
  }

  private LaneArray operand(int input) {
    return new LaneArray(typeOf(s.step(), input));
  }

  private boolean isOfFloats() {
    return result.type() == ElementType.F32
        && read.stream().allMatch(input -> operand(input).type() == ElementType.F32);
  }

  /* Alone an operation gives a number what it gives each of sixteen. */
  private static boolean isOneOperation(Expr expr) {
    return expr instanceof Expr.Binary(var operation, Expr.Arg _, Expr.Arg _)
        && BASIC.contains(operation);
  }

  private Template.Filling runAndRest(VectorText.Written written) {
    String rest = written(this::element).value();
    return RUN_AND_REST
        .with("repeated", each(true, this::splat))
        .with("start", isCut() ? "start" : "0")
        .with("end", isCut() ? "end" : runs.length())
        .with("loads", each(false, input -> load(input, "e", "")))
        .with("store", store(written.value(), ""))
        .with("rest", "%s[%s + e] = %s".formatted(s.output(), first(0), rest));
  }

  private String element(int input) {
    return s.pointer(input) + "[" + at(input, runs.repeats(array(input)) ? "" : "e") + "]";
  }

  private Template.Filling runOf(VectorText.Written written) {
    return RUN.with("repeated", each(true, this::splat))
        .with("start", isCut() ? "start" : "0")
        .with("end", isCut() ? "end" : runs.length())
        .with("count", isWhole() ? "" : count())
        .with("loads", each(false, input -> isAhead(input) ? "" : load(input, "e")))
        .with("statements", written.statements())
        .with("store", store(written.value(), isWhole() ? "" : "count"));
  }

  private boolean isWhole() {
    return runs.run().extent().isAlwaysMultipleOf(LANES);
  }

  private String count() {
    return "const int count = (int)min(16L, " + (isCut() ? "end" : runs.length()) + " - e);";
  }

  private String each(boolean repeats, IntFunction<String> statement) {
    return read.stream()
        .filter(input -> runs.repeats(array(input)) == repeats)
        .map(statement::apply)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.joining("\n"));
  }

  private static final Template OPERAND =
      Template.of("operand in lanes", "const $type v$input = $lanes;");

  private String splat(int input) {
    return declared(input, operand(input).repeated(s.pointer(input) + "[" + at(input, "") + "]"));
  }

  private String declared(int input, String lanes) {
    return OPERAND
        .with("type", operand(input).variable())
        .with("input", input)
        .with("lanes", lanes)
        .text();
  }

  /// @param along text of how far into the run the vector is, empty at its start
  private String load(int input, String along) {
    if (runs.isShorter(array(input))) {
      return load(input, along, runs.left(loop -> "p" + loop));
    }
    return load(input, along, isWhole() ? "" : "count");
  }

  /// @param count text of how many elements there are, empty if all
  private String load(int input, String along, String count) {
    String pointer = s.pointer(input) + " + " + at(input, along);
    return declared(input, lanes(input, pointer, count));
  }

  private String lanes(int input, String pointer, String count) {
    LaneArray array = operand(input);
    if (runs.isApart(array(input))) {
      return array.gather(count.isEmpty() ? "16" : count, pointer, apart(input));
    }
    return count.isEmpty() ? array.load(pointer) : array.load(count, pointer);
  }

  private String at(int input, String along) {
    String first = first(array(input));
    return along.isEmpty()
        ? first
        : first + " + " + (runs.isApart(array(input)) ? along + " * " + apart(input) : along);
  }

  private String apart(int input) {
    return IndexText.affine(runs.apart(array(input)));
  }

  private String store(String lanes, String count) {
    String pointer = s.output() + " + " + first(0) + " + e";
    return count.isEmpty() ? result.store(lanes, pointer) : result.store(count, lanes, pointer);
  }

  /* Its number among the arrays of the runs. */
  private int array(int input) {
    return 1 + read.indexOf(input);
  }

  /* The element of an array with which the run starts. */
  private String first(int array) {
    List<String> terms = new ArrayList<>();
    Affine offset = runs.arrays().get(array).offset();
    if (!offset.isZero()) {
      terms.add(IndexText.affine(offset));
    }
    for (int loop = 0; loop < runs.outer().size(); loop++) {
      Affine stride = stride(array, loop);
      if (!stride.isZero()) {
        terms.add("p" + loop + " * " + IndexText.affine(stride));
      }
    }
    return terms.isEmpty() ? "0" : String.join(" + ", terms);
  }

  private Affine stride(int array, int loop) {
    return runs.outer().get(loop).strides().get(array);
  }

  private int grain() {
    long elements =
        runs.outer().subList(firstInner, runs.outer().size()).stream()
            .mapToLong(loop -> Math.max(1, loop.extent().constant()))
            .reduce(Math.min(runs.length(), part) * turns, (a, b) -> a * b);
    return (int) Math.ceilDiv(GRAIN_ELEMENTS, Math.max(1, elements));
  }
}
