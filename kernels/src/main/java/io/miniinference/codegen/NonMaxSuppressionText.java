package io.miniinference.codegen;

import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.Layout;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Strategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What the kernels of a NonMaxSuppression have in common: the scores and boxes of an image and
/// class, candidates in the order in which they are looked at, and the test of two boxes.
///
/// A candidate is one 64-bit word, smaller the earlier it comes: the bits of its score, turned so
/// that they descend, and its place ([RankedEntry]'s `narrow`). No two of a row are equal.
public final class NonMaxSuppressionText {
  /// In kernel text, what comes behind all candidates.
  public static final String NONE = "~0ul";

  private static final Template TEST =
      Template.of(
          "test of a box against those chosen",
          """
          const long other = $chosen;
          if (overlaps_by(box, $box, most)) $hit;
          """);

  private final LoweredStep step;
  private final Op.NonMaxSuppression op;
  private final KernelText text = new KernelText();

  /// @param group work items of a work-group
  public NonMaxSuppressionText(LoweredStep step, int group) {
    this.step = step;
    op = (Op.NonMaxSuppression) step.node().op();
    text.group(group);
  }

  /// Declares scores, and what they are held against.
  public NonMaxSuppressionText declareScores() {
    text.pointer("scores", CType.F32, step.inputs().get(0), false);
    if (hasScore()) {
      text.pointer("score", CType.F32, step.inputs().get(Op.NonMaxSuppression.SCORE), false);
    }
    return this;
  }

  /// Declares boxes, how far they may overlap, and the result.
  public NonMaxSuppressionText declareBoxes() {
    text.pointer("boxes", CType.F32, step.inputs().get(1), false);
    text.pointer("overlap", CType.F32, step.inputs().get(2), false);
    text.pointer("y", CType.I64, step.output(), true);
    return this;
  }

  /// Functions that the kernels call by name.
  public static Map<String, String> functions() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put(
        "candidate_of",
        """
        @function ulong candidate_of(float score, long place) {
          const uint bits = score == 0 ? 0 : @bitsOf(score);
          const uint rank = bits & 0x80000000u ? bits : ~(bits | 0x80000000u);
          return (ulong)rank << 32 | (ulong)place;
        }\
        """);
    all.put(
        "box_between",
        """
        @function float4 box_between(float y1, float x1, float y2, float x2) {
          float4 box;
          box.x = y1 >= y2 ? y2 : y1;
          box.y = x1 >= x2 ? x2 : x1;
          box.z = y1 >= y2 ? y1 : y2;
          box.w = x1 >= x2 ? x1 : x2;
          return box;
        }\
        """);
    all.put(
        "box_around",
        """
        @function float4 box_around(float x, float y, float width, float height) {
          float4 box;
          box.x = x - width / 2;
          box.y = y - height / 2;
          box.z = x + width / 2;
          box.w = y + height / 2;
          return box;
        }\
        """);
    all.put(
        "overlaps_by",
        """
        @function int overlaps_by(float4 a, float4 b, float most) {
          const float width = (a.z < b.z ? a.z : b.z) - (a.x > b.x ? a.x : b.x);
          const float height = (a.w < b.w ? a.w : b.w) - (a.y > b.y ? a.y : b.y);
          if (!(width > 0 && height > 0)) return 0;
          const float common = width * height;
          const float first = (a.z - a.x) * (a.w - a.y);
          const float second = (b.z - b.x) * (b.w - b.y);
          const float sum = first + second;
          const float both = sum - common;
          if (!(common > 0 && first > 0 && second > 0 && both > 0)) return 0;
          return common / both > most;
        }\
        """);
    return all;
  }

  private static List<@Nullable Layout> layouts(IndexFunction scores, int inputs) {
    boolean lies = scores.axes().getLast().stride().equals(Affine.ONE);
    List<@Nullable Layout> layouts = new ArrayList<>();
    layouts.add(lies ? null : Layout.ROW_MAJOR);
    IntStream.range(1, inputs).forEach(_ -> layouts.add(null));
    return layouts;
  }

  /// A choice of scores that lie next to each other, since a kernel goes over them again and again.
  ///
  /// @param scores how they lie
  public static <S extends Strategy> KernelChoice<S> choice(
      IndexFunction scores, KernelChoice<S> plain) {
    return new KernelChoice<>(
        plain.strategy(),
        layouts(scores, plain.inputs().size()),
        plain.packings(),
        plain.output(),
        false,
        List.of());
  }

  public KernelText text() {
    return text;
  }

  private boolean hasScore() {
    return step.node().inputs().size() > Op.NonMaxSuppression.SCORE;
  }

  /// How many places a row has room for.
  public long places() {
    return op.k();
  }

  /// The number of boxes of an image.
  public long boxes() {
    return boxes(scores());
  }

  /// The number of boxes of an image.
  ///
  /// @param scores the type of what they score
  public static long boxes(TensorType scores) {
    return scores.dim(2).constant();
  }

  /// The number of rows: classes of all images.
  public Affine rows() {
    return rows(scores());
  }

  /// The number of rows: classes of all images.
  ///
  /// @param scores the type of what they score
  public static Affine rows(TensorType scores) {
    return scores.dim(0).times(scores.dim(1));
  }

  private TensorType scores() {
    return step.node().inputs().getFirst().type();
  }

  /// Statements that declare the image `i0` and the class `i1` of the row of that number.
  public String open(String row) {
    List<Coordinate> at = IndexText.coordinates(scores().shape().subList(0, 2), row);
    return "const long i0 = %s;\nconst long i1 = %s;"
        .formatted(at.get(0).whole(), at.get(1).whole());
  }

  /// A statement that declares what a score must be above, if it must.
  public String least() {
    return hasScore()
        ? "const float least = score[" + offset(Op.NonMaxSuppression.SCORE) + "];"
        : "";
  }

  /// A statement that declares the `most` that boxes may overlap.
  public String most() {
    return "const float most = overlap[" + offset(2) + "];";
  }

  private String offset(int input, String... at) {
    return offset(step.inputs().get(input).index(), at);
  }

  private static String offset(IndexFunction index, String... at) {
    return IndexText.offset(index, Arrays.stream(at).map(Coordinate::of).toList());
  }

  /// The score at a place.
  public String score(String place) {
    return "scores[" + offset(0, "i0", "i1", place) + "]";
  }

  /// Whether a `score` is looked at.
  public String isCandidate(String score) {
    return hasScore() ? score + " > least" : "!isnan(" + score + ")";
  }

  /// The box at a place.
  public String box(String place) {
    List<String> numbers =
        IntStream.range(0, 4)
            .mapToObj(i -> "boxes[" + offset(1, "i0", place, Integer.toString(i)) + "]")
            .toList();
    return (op.centered() ? "box_around(" : "box_between(") + String.join(", ", numbers) + ")";
  }

  /// The place in the result that is number `i` of the row.
  public String chosen(String i) {
    return "y[" + offset(step.output().index(), "i0", "i1", i) + "]";
  }

  /// Statements that do `hit` if the `box` overlaps the one chosen as number `i`.
  public Template.Filling test(String i, String hit) {
    return TEST.with("chosen", chosen(i)).with("box", box("other")).with("hit", hit);
  }
}
