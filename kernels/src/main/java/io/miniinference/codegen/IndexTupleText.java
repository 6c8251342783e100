package io.miniinference.codegen;

import io.miniinference.ir.Addressing;
import io.miniinference.ir.Addressing.Source;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Op.ScatterKind;
import io.miniinference.ir.Selection;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.lower.FailurePoint;
import io.miniinference.lower.FailureSlot;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// OpenCL C text of the index tuple of one moved element of a Gather or Scatter, whose input 0 is
/// the data and input 1 the indices: it is read, checked, and reported where it is bad. Of a step
/// that cannot fail it is only read.
public final class IndexTupleText {
  private static final Template READ =
      Template.of("component of an index tuple", "const long v$component = (long)$index;");

  private static final Template NAMED =
      Template.of(
          "index tuple that may name nothing",
          """
          const int named = $named;
          const int ok = named && $inBounds;
          """);

  private static final Template BLOCK =
      Template.of(
          "block of an index tuple",
          """
          $head {
            $body
          }
          """);

  private static final Template REPORT =
      Template.of(
          "bad index tuple",
          """
          const long position = $position;
          $report
          """);

  private static final Template LOOK_AGAIN =
      Template.of("look at an index", "bad = (long)$index; size = $size;");

  private static final Template BAD =
      Template.of("index out of bounds", "((ulong)$value >= (ulong)($size))");

  private static final Template BAD_FROM_EITHER_END =
      Template.of(
          "index out of bounds from either end",
          "((ulong)$value + (ulong)($size) >= 2 * (ulong)($size))");

  private final StepText s;
  private final Addressing addressing;
  private final IndexBounds bounds;
  private final TensorType data;
  private final TensorType indices;
  private final boolean mayFail;

  /// @param failures block id of the failure slots
  public IndexTupleText(StepText s, Selection selection, IndexBounds bounds, int failures) {
    this.s = s;
    this.bounds = bounds;
    data = s.step().node().inputs().get(0).type();
    indices = s.step().node().inputs().get(1).type();
    addressing = Addressing.of(selection, data, indices);
    mayFail = s.step().failure() != null;
    if (mayFail) {
      s.text().bytes("failures", failures);
    }
  }

  private IndexTupleText(IndexTupleText tested, boolean fromEnd) {
    s = tested.s;
    bounds = new IndexBounds(fromEnd, tested.bounds.ignored());
    data = tested.data;
    indices = tested.indices;
    addressing = tested.addressing;
    mayFail = false;
  }

  /// The same where it is known that each component is in bounds.
  ///
  /// @param fromEnd whether some may count from the end
  public IndexTupleText inBounds(boolean fromEnd) {
    return new IndexTupleText(this, fromEnd);
  }

  IndexBounds bounds() {
    return bounds;
  }

  ElementType indexType() {
    return indices.element();
  }

  public Addressing addressing() {
    return addressing;
  }

  /// Statements that declare the tuple `v0`, `v1`, … of a moved element, whether it is `ok` if that
  /// is a question, and report it if it is bad.
  ///
  /// @param moved coordinates in the moved array
  public String check(List<Coordinate> moved) {
    return Statements.of(look(moved), reportBad(moved));
  }

  private String reportBad(List<Coordinate> moved) {
    return mayFail ? reportIf(isBad(), indexAt(moved, 0)) : "";
  }

  /// Statements ahead of loops over some axes of the moved array, in which [#judgeInLoop] judges
  /// tuples.
  public String openLoops(List<Integer> axes) {
    return isMarked(axes) ? "int failed = 0;" : "";
  }

  /// As [#check] inside loops over these axes, of a tuple that was read. Where all that is bad in
  /// them is of one row, it is only noted, and reported after the loops.
  public String judgeInLoop(List<Integer> axes, List<Coordinate> moved) {
    return Statements.of(judge(), isMarked(axes) ? noteBad() : reportBad(moved));
  }

  /// Statements after these loops.
  public String closeLoops(List<Integer> axes, List<Coordinate> moved) {
    return isMarked(axes) ? reportIf("failed", firstOfRow(moved)) : "";
  }

  /// Whether bad tuples in loops over these axes are only noted, in `failed`, and reported after
  /// the loops.
  public boolean isMarked(List<Integer> axes) {
    return mayFail && !axes.isEmpty() && failsOnce(axes);
  }

  /// As [#look], of a step that may fail, and notes in `failed` whether the tuple is bad.
  public String mark(List<Coordinate> moved) {
    return Statements.of(look(moved), noteBad());
  }

  /// As [#mark], of a tuple of which nothing else is wanted.
  public String noteOnly(List<Coordinate> moved) {
    return Statements.of(read(moved), "failed |= " + isOutOfBounds() + ";");
  }

  private String noteBad() {
    return "failed |= " + isBad() + ";";
  }

  /// Whether there may be bad tuples.
  public boolean mayFail() {
    return mayFail;
  }

  /// Statements that declare the tuple `v0`, `v1`, … of a moved element, and whether it is `ok` if
  /// that is a question.
  public String look(List<Coordinate> moved) {
    return Statements.of(read(moved), judge());
  }

  /// Statements that declare the tuple `v0`, `v1`, … of a moved element.
  public String read(List<Coordinate> moved) {
    return components()
        .mapToObj(c -> READ.with("component", c).with("index", index(c, moved)).text())
        .collect(Collectors.joining("\n"));
  }

  /// Text of a component of the tuple of a moved element, as the indices hold it.
  String index(int component, List<Coordinate> moved) {
    return s.read(1, indexAt(moved, component));
  }

  /* Declares whether the tuple that was read is `ok`, if that is a question. */
  private String judge() {
    if (!mayNameNone()) {
      return "";
    }
    boolean mayBeIgnored = bounds.ignored() != null;
    String named = mayBeIgnored ? "v0 != " + ignored() : "";
    if (mayFail && mayBeIgnored) {
      return NAMED.with("named", named).with("inBounds", isInBounds()).text();
    }
    return "const int ok = " + (mayFail ? isInBounds() : named) + ";";
  }

  /// Text of whether the tuple that was looked at is bad, of a step that may fail.
  public String isBad() {
    return bounds.ignored() == null ? "!ok" : "named && !ok";
  }

  /// Text of whether the tuple that was read is in bounds.
  public String isInBounds() {
    return "!(" + isOutOfBounds() + ")";
  }

  private String isOutOfBounds() {
    return components().mapToObj(c -> isBad("v" + c, size(c))).collect(Collectors.joining(" | "));
  }

  /// Statements that report the first bad tuple of the row (or run) of a moved element, if there is
  /// one.
  ///
  /// @param moved coordinates of which only that on the first axis of tuples matters
  public String reportRow(List<Coordinate> moved) {
    return report(firstOfRow(moved));
  }

  /* Coordinates in the indices. */
  private List<Coordinate> firstOfRow(List<Coordinate> moved) {
    List<Coordinate> first = new ArrayList<>();
    indices.shape().forEach(_ -> first.add(Coordinate.ZERO));
    if (point().perRow()) {
      first.set(0, moved.get(addressing.firstAxis()));
    }
    return first;
  }

  private String reportIf(String condition, List<Coordinate> at) {
    return BLOCK.with("head", "if (" + condition + ")").with("body", report(at)).text();
  }

  /* `at`: coordinates in the indices. */
  private String report(List<Coordinate> at) {
    return REPORT
        .with("position", IndexText.position(indices.shape(), at))
        .with("report", FailureText.report(point(), positions(), probe()))
        .text();
  }

  private FailurePoint point() {
    return Objects.requireNonNull(s.step().failure(), "a step that may fail");
  }

  private String positions() {
    return IndexText.affine(indices.elements());
  }

  /// Whether all bad tuples that differ from each other on some axes of the moved array alone are
  /// in one row, or it is the run that they fail.
  public boolean failsOnce(List<Integer> axes) {
    return !mayFail || !point().perRow() || !axes.contains(addressing.firstAxis());
  }

  /// Whether there are tuples that name no place, so that `ok` is declared.
  public boolean mayNameNone() {
    return mayFail || bounds.ignored() != null;
  }

  /// Text of what a tuple names, which is only read where the tuple is `ok`, or else of zero.
  public String orZero(String read) {
    return mayNameNone() ? "ok ? " + read + " : 0" : read;
  }

  IntStream components() {
    return IntStream.range(0, addressing.tupleLength());
  }

  /// Text of the size of the axis that a component counts on.
  String size(int component) {
    return IndexText.affine(data.dim(addressing.dataAxis(component)));
  }

  /// Text of the index that names nothing, if there is one.
  String ignored() {
    return bounds.ignored() + "L";
  }

  /* One comparison for both ends: what is below the range wraps around to large numbers. */
  private String isBad(String value, String size) {
    return (bounds.fromEnd() ? BAD_FROM_EITHER_END : BAD)
        .with("value", value)
        .with("size", size)
        .text();
  }

  private List<Coordinate> indexAt(List<Coordinate> moved, int component) {
    int first = addressing.firstAxis();
    List<Coordinate> at = new ArrayList<>(moved.subList(first, first + addressing.tupleAxes()));
    if (addressing.alongAxis()) {
      at.add(Coordinate.of(Integer.toString(component)));
    }
    return at;
  }

  /// The coordinates in the data of a moved element whose tuple is `ok`.
  public List<Coordinate> place(List<Coordinate> moved) {
    return place(moved, this::resolved);
  }

  /// As [#place], and where the tuple is not `ok` the first place that tuples can name.
  public List<Coordinate> placeOrFirst(List<Coordinate> moved) {
    return place(moved, c -> "(ok ? " + resolved(c) + " : 0)");
  }

  /// Whether tuples can name a place at every batch size.
  public boolean hasPlace() {
    return hasPlace(addressing, data);
  }

  static boolean hasPlace(Addressing addressing, TensorType data) {
    Affine places = places(addressing, data);
    return places.constant() > 0 && places.perBatch() >= 0;
  }

  private List<Coordinate> place(List<Coordinate> moved, IntFunction<String> component) {
    List<Coordinate> result = new ArrayList<>();
    for (Source source : addressing.sources()) {
      result.add(
          switch (source) {
            case Source.Moved(int axis) -> moved.get(axis);
            case Source.Component(int c) -> Coordinate.of(component.apply(c));
          });
    }
    return result;
  }

  /// Text of the low 32 bits of the number of a tuple among all places that tuples can name,
  /// row-major, as a `uint`. A tuple that is not `ok` has some number, too.
  public String number() {
    String text = "(uint)" + resolved(0);
    for (int c = 1; c < addressing.tupleLength(); c++) {
      text = "(" + text + " * (uint)" + size(c) + " + (uint)" + resolved(c) + ")";
    }
    return text;
  }

  /// How many places tuples can name.
  public Affine places() {
    return places(addressing, data);
  }

  private static Affine places(Addressing addressing, TensorType data) {
    return IntStream.range(0, addressing.tupleLength())
        .mapToObj(c -> data.dim(addressing.dataAxis(c)))
        .reduce(Affine.ONE, Affine::times);
  }

  /// Statements that combine the update at `moved` into the result, where the tuple is `ok`.
  public String update(ScatterKind kind, List<Coordinate> moved) {
    List<Coordinate> place = place(moved);
    String held =
        s.outputType().read(s.output(), IndexText.offset(s.step().output().index(), place));
    ExprText text =
        new ExprText(new Combined(held, s.read(2, moved)), List.of(data.element(), data.element()));
    return BLOCK
        .with("head", mayNameNone() ? "if (ok)" : "")
        .with("body", s.stored(text.of(kind.combine()), place))
        .text();
  }

  /// What a Scatter combines: what the result holds, and the update.
  private record Combined(String held, String update) implements ExprText.Leaves {
    @Override
    public String arg(int index) {
      return index == 0 ? held : update;
    }

    @Override
    public String at(int index, List<Coordinate> coordinates) {
      throw new IllegalStateException("a combination reads no other elements");
    }

    @Override
    public Coordinate index(int axis) {
      throw new IllegalStateException("a combination has no index");
    }
  }

  private String resolved(int component) {
    String v = "v" + component;
    return bounds.fromEnd()
        ? "(" + v + " < 0 ? " + v + " + " + size(component) + " : " + v + ")"
        : v;
  }

  private FailureText.Probe probe() {
    int length = addressing.tupleLength();
    String size = size(length - 1);
    for (int c = length - 2; c >= 0; c--) {
      size = "scan % " + length + " == " + c + " ? " + size(c) + " : " + size;
    }
    String bad = isBad("bad", "size");
    String index = s.read(1, IndexText.coordinates(indices.shape(), "scan"));
    return new FailureText.Probe(
        "long bad = 0, size = 0;",
        LOOK_AGAIN.with("index", index).with("size", size).text(),
        bounds.ignored() == null ? bad : bad + " && bad != " + ignored(),
        new FailureText.Claim(
            FailureSlot.KIND_INDEX,
            length == 1 ? "0" : "(int)(scan % " + length + ")",
            "bad, " + (bounds.fromEnd() ? "-size" : "0") + ", size - 1"));
  }
}
