package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.device.Launch;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Attention of `f32` rows without a matrix of scores: keys come a block at a time, and each row
/// keeps the largest score so far and sums that are scaled by it (M. Milakov and N. Gimelshein,
/// Online normalizer calculation for softmax, 2018; T. Dao et al., FlashAttention, 2022).
public final class AttentionText {
  private static final int LANES = VectorText.LANES;

  private static final Template HEAD =
      Template.of(
          "attention, head",
          """
          A work item owns $chunk rows of one matrix of the result, and goes over the keys $block at a time: it puts
          them together as [k][key], takes $tile rows at a time to scores in registers, weighs them by the largest
          score so far, and adds the values as they weigh to sums of its own. Sums from before a larger score came
          are scaled down. No score leaves the work item.
          """);

  private static final Template KERNEL =
      Template.of(
          "attention",
          """
          long item = (long)@globalId + first;
          const long chunk = item % $chunks; item /= $chunks;
          $batch
          if (item > 0) return;
          const long begin = chunk * $chunk;
          const int count = (int)min((long)$chunk, $rows - begin);
          float panel[$panel];
          float sums[$sums];
          float highest[$chunk];
          float total[$chunk];
          for (int r = 0; r < $taken; r++) { highest[r] = -INFINITY; total[r] = 0; }
          for (int i = 0; i < $takenSums; i++) sums[i] = 0;
          for (long key = 0; key < $keys; key += $block) {
            const int width = (int)min((long)$block, $keys - key);
            $used
            $clear
            $pack
            for (int r = 0; r < count; r += $tile) {
              float z[$scores];
              float kept[$tile]$none;
              $queries
              $products
              for (int t = 0; t < $here; t++) {
                $softmax
              }
              for (int c = 0; c < $size; c += $columns) {
                $started
                for (int j = 0; j < width; j++) {
                  $values
                  $added
                }
                $stored
              }
            }
          }
          for (int r = 0; r < count; r++) {
            const long row = begin + r;
            const float16 scale = @splat(16, 1 / total[r]);
            const long to = $to;
            for (int v = 0; v < $rowVectors; v++) {
              const float16 sum = @load(16, r * $rowVectors + v, sums) * scale;
              @store(16, $result, 0, $place);
            }
          }
          """);

  private static final Template PRODUCTS =
      Template.of(
          "attention, scores",
          """
          $condition{
            $zeros
            for (int k = 0; k < $depth; k++) {
              $weights
              $products
            }
            $scored
          }
          """);

  private static final Template SOFTMAX =
      Template.of(
          "attention, weights of a row",
          """
          $row
          float16 most = @splat(16, -INFINITY);
          for (int v = 0; v < $used; v++) {
            const int left = width - v * 16;
            float16 x = @load(16, t * $vectors + v, z) * @splat(16, $scale)$mask;
            @store(16, x, t * $vectors + v, z);
            if (left < 16) {
              for (int j = max(left, 0); j < 16; j++) z[(t * $vectors + v) * 16 + j] = -INFINITY;
              x = @load(16, t * $vectors + v, z);
            }
            most = fmax(most, x);
          }
          $highest
          const float before = highest[r + t];
          const float now = fmax(before, largest);
          const float base = now == -INFINITY ? 0.0f : now;
          float16 all = @splat(16, 0.0f);
          for (int v = 0; v < $used; v++) {
            const float16 e = weight_float16(@load(16, t * $vectors + v, z) - @splat(16, base));
            @store(16, e, t * $vectors + v, z);
            all += e;
          }
          $sum
          kept[t] = before == -INFINITY ? 0.0f : exp(before - base);
          total[r + t] = fma(total[r + t], kept[t], sum);
          highest[r + t] = now;
          """);

  /* Adds up or compares the lanes of a vector, in halves. */
  private static final Template ACROSS =
      Template.of(
          "attention, across lanes",
          """
          float $name;
          {
            float lanes[16];
            @store(16, $vector, 0, lanes);
            for (int width = 8; width > 0; width /= 2)
              for (int j = 0; j < width; j++) lanes[j] = $combined;
            $name = lanes[0];
          }
          """);

  private static final Template PLACE =
      Template.of(
          "attention, matrix of several", "const long i$axis = item % $extent; item /= $extent;");

  private final LoweredStep step;
  private final Op.Attention op;
  private final StepText s;
  private final AttentionSizes sizes;
  private final List<Affine> shape;
  private final LaneRow result;

  private AttentionText(LoweredStep step, Op.Attention op) {
    this.step = step;
    this.op = op;
    s = new StepText(step, 1);
    sizes = AttentionSizes.of(step.node(), op);
    shape = step.node().output().type().shape();
    result = new LaneRow(s.output(), step.output().index(), shape);
  }

  /// Whether attention is of this kind, however its arrays lie.
  public static boolean fits(Node node, Op.Attention op) {
    AttentionSizes sizes = AttentionSizes.of(node, op);
    return sizes.fit()
        && node.epilogue() == null
        && node.inputs().stream().allMatch(v -> v.type().element() == ElementType.F32)
        && node.inputs().stream()
            .skip(Op.Attention.MASK)
            .allMatch(mask ->
                LaneRow.isOne(mask.type().shape())
                    || mask.type().shape().getLast().equals(sizes.keys()));
  }

  /// Whether an operand lies as the text needs it.
  public static boolean suits(Node node, int operand, IndexFunction index) {
    return switch (operand) {
      case 0, 1 -> isPlain(index);
      case 2 -> isPlain(index) && index.axes().getLast().stride().equals(Affine.ONE);
      default -> LaneRow.isOne(node.inputs().get(operand).type().shape()) || LaneRow.suits(index);
    };
  }

  /* Its elements are found without a division. */
  private static boolean isPlain(IndexFunction index) {
    int rank = index.rank();
    return !index.axes().get(rank - 1).isBlocked() && !index.axes().get(rank - 2).isBlocked();
  }

  /// Whether the kernel can be written now that some arrays lie elsewhere.
  public static boolean canWrite(LoweredStep step) {
    return LaneRow.suits(step.output().index())
        && IntStream.range(0, step.node().inputs().size())
            .allMatch(i -> suits(step.node(), i, step.inputs().get(i).index()));
  }

  /// What the kernel is, for readers.
  public static String algorithm(Node node, Op.Attention op) {
    AttentionSizes sizes = AttentionSizes.of(node, op);
    return "attention, %d rows x %d keys at a time".formatted(sizes.tile(), sizes.block());
  }

  /// The kernel of a step that [#fits].
  public static KernelText.Written write(LoweredStep step, Op.Attention op) {
    return new AttentionText(step, op).write();
  }

  private KernelText.Written write() {
    s.text()
        .head(
            HEAD.with("chunk", sizes.chunk())
                .with("block", sizes.block())
                .with("tile", sizes.tile())
                .text())
        .add(kernel());
    return new KernelText.Written(s.text(), work());
  }

  private Launch.Items work() {
    Affine matrices = shape.subList(0, shape.size() - 2).stream().reduce(Affine.ONE, Affine::times);
    long each = sizes.depth().constant() + sizes.size().constant() + LANES;
    long cost = sizes.chunk() * sizes.keys().typical() * each / 32;
    return new Launch.Items(matrices, 1, sizes.chunks(), (int) Math.max(1, 40_000 / (cost + 1)));
  }

  private Template.Filling kernel() {
    long rowVectors = sizes.size().constant() / LANES;
    KeyPanel panel = panel();
    return KERNEL
        .with("chunks", sizes.rows().isOpen() ? openChunks() : sizes.chunks())
        .with("batch", matrices())
        .with("chunk", sizes.chunk())
        .with("rows", sizes.rows())
        .with("panel", sizes.depth().constant() * sizes.block())
        .with("sums", sizes.chunk() * sizes.size().constant())
        .with("taken", taken(1))
        .with("takenSums", taken(sizes.size().constant()))
        .with("keys", sizes.keys())
        .with("used", panel.used())
        .with("clear", panel.cleared())
        .with("block", sizes.block())
        .with("pack", panel.filled())
        .with("tile", sizes.tile())
        .with("scores", sizes.tile() * sizes.block())
        .with("none", sizes.rows().isOpen() ? " = {0}" : "")
        .with("queries", queries())
        .with("products", products())
        .with("here", here())
        .with("softmax", softmax())
        .with("size", sizes.size())
        .with("columns", sizes.columns() * LANES)
        .with("started", started())
        .with("values", values())
        .with("added", added())
        .with("stored", stored())
        .with("to", result.start(shape, at("row")))
        .with("rowVectors", rowVectors)
        .with("result", row())
        .with("place", result.place("to", "v"));
  }

  /* Exponentials add up to 0 where all scores are −∞. */
  private String row() {
    return switch (op.blind()) {
      case NAN -> "sum";
      case ZERO_FOR_NAN -> "total[r] > 0 ? sum : @splat(16, 0.0f)";
      case ZERO -> "total[r] == 0 ? @splat(16, 0.0f) : sum";
    };
  }

  /* A quotient would be taken for a number that all sizes have. */
  private String openChunks() {
    return IndexText.quotient(sizes.rows().constant(), sizes.chunk());
  }

  /* Elements of what a work item keeps for each row: whole tiles of those that there are. */
  private String taken(long each) {
    int tile = sizes.tile();
    return sizes.rows().isOpen()
        ? "(count + %d) / %d * %d".formatted(tile - 1, tile, tile * each)
        : Long.toString(sizes.chunk() * each);
  }

  /* Rows of a tile that there are. */
  private String here() {
    return sizes.rows().isOpen()
        ? "min(" + sizes.tile() + ", count - r)"
        : Integer.toString(sizes.tile());
  }

  private String matrices() {
    return IntStream.iterate(shape.size() - 3, i -> i >= 0, i -> i - 1)
        .mapToObj(i -> PLACE.with("axis", i).with("extent", IndexText.divisor(shape.get(i))).text())
        .collect(Collectors.joining("\n"));
  }

  private KeyPanel panel() {
    IndexFunction index = step.inputs().get(1).index();
    int keys = index.rank() - (op.rowsOfKeys() ? 2 : 1);
    return new KeyPanel(
        sizes,
        index.axes().get(keys).stride().equals(Affine.ONE),
        s.read(1, op.rowsOfKeys() ? operand(1, "(key + j)", "k") : operand(1, "k", "(key + j)")));
  }

  private String queries() {
    return rows(t -> "const long row" + t + " = begin + min(r + " + t + ", count - 1);");
  }

  private interface Row {
    String of(int row);
  }

  private String rows(Row text) {
    return IntStream.range(0, sizes.tile()).mapToObj(text::of).collect(Collectors.joining("\n"));
  }

  private interface Vector {
    String of(int vector);
  }

  private static String vectors(int count, String between, Vector text) {
    return IntStream.range(0, count).mapToObj(text::of).collect(Collectors.joining(between));
  }

  /* A statement for each vector of each row in registers. */
  private String each(int vectors, String format) {
    return rows(t -> vectors(vectors, "\n", v -> format.formatted(register(t, v))));
  }

  private static String register(int row, int vector) {
    return "c" + row + "_" + vector;
  }

  private String products() {
    return sizes.keys().isOpen()
        ? products(1, "if (held == 1) ") + "\n" + products(sizes.vectors(), "else ")
        : products(sizes.vectors(), "");
  }

  private String products(int vectors, String condition) {
    return PRODUCTS
        .with("condition", condition)
        .with("zeros", each(vectors, "float16 %s = @splat(16, 0.0f);"))
        .with("depth", sizes.depth())
        .with("weights", weights(vectors))
        .with("products", multiplied(vectors))
        .with("scored", scored(vectors))
        .text();
  }

  private String weights(int count) {
    return vectors(
        count,
        "\n",
        v ->
            "const float16 w%1$d = @load(16, k * %2$d + %1$d, panel);"
                .formatted(v, sizes.vectors()));
  }

  private String multiplied(int vectors) {
    return rows(t -> sum(t, s.read(0, operand(0, "row" + t, "k")), vectors));
  }

  /* Adds products of one number of a row with vectors `w`. */
  private static String sum(int row, String factor, int vectors) {
    return "{ const float16 a = @splat(16, "
        + factor
        + "); "
        + vectors(vectors, " ", v -> "%1$s = fma(a, w%2$d, %1$s);".formatted(register(row, v), v))
        + " }";
  }

  private String scored(int count) {
    return rows(t ->
        vectors(
            count,
            "\n",
            v -> "@store(16, " + register(t, v) + ", " + (t * sizes.vectors() + v) + ", z);"));
  }

  private String softmax() {
    return SOFTMAX
        .with("row", isMasked() ? maskRow() : "")
        .with("vectors", sizes.vectors())
        .with("used", sizes.keys().isOpen() ? "used" : sizes.vectors())
        .with("scale", Float.toString((float) op.scale()) + "f")
        .with("mask", isMasked() ? " + " + mask() : "")
        .with("highest", across("largest", "most", "fmax(lanes[j], lanes[j + width])"))
        .with("sum", across("sum", "all", "lanes[j] + lanes[j + width]"))
        .text();
  }

  private static String across(String name, String vector, String combined) {
    return ACROSS.with("name", name).with("vector", vector).with("combined", combined).text();
  }

  private boolean isMasked() {
    return step.node().inputs().size() > Op.Attention.MASK;
  }

  private LaneRow maskRows() {
    int mask = Op.Attention.MASK;
    return new LaneRow(
        s.pointer(mask),
        step.inputs().get(mask).index(),
        step.node().inputs().get(mask).type().shape());
  }

  private String maskRow() {
    List<Affine> scores = new ArrayList<>(shape);
    scores.set(shape.size() - 1, sizes.keys());
    return "const long row = begin + min(r + t, count - 1);\nconst long masked = "
        + maskRows().start(scores, at("row"))
        + ";";
  }

  private String mask() {
    if (LaneRow.isOne(maskRows().shape())) {
      return maskRows().load("masked", "v");
    }
    String pointer = maskRows().place("masked", "(key / 16 + v)");
    return sizes.keys().isAlwaysMultipleOf(LANES)
        ? "@load(16, 0, " + pointer + ")"
        : "load_float16(clamp(left, 0, 16), " + pointer + ")";
  }

  private String started() {
    return rows(t ->
        vectors(
            sizes.columns(),
            "\n",
            v ->
                "float16 %s = @load(16, %d, sums + (r + %d) * %d + c) * @splat(16, kept[%3$d]);"
                    .formatted(register(t, v), v, t, sizes.size().constant())));
  }

  private String values() {
    String pointer =
        s.pointer(2)
            + " + "
            + IndexText.offset(step.inputs().get(2).index(), operand(2, "(key + j)", "c"));
    return vectors(
        sizes.columns(),
        "\n",
        v -> "const float16 w%1$d = @load(16, %1$d, %2$s);".formatted(v, pointer));
  }

  private String added() {
    return rows(t -> sum(t, "z[" + t * sizes.block() + " + j]", sizes.columns()));
  }

  private String stored() {
    return rows(t ->
        vectors(
            sizes.columns(),
            "\n",
            v ->
                "@store(16, %s, %d, sums + (r + %d) * %d + c);"
                    .formatted(register(t, v), v, t, sizes.size().constant())));
  }

  private List<Coordinate> operand(int input, String first, String second) {
    TensorType type = step.node().inputs().get(input).type();
    List<Coordinate> coordinates = new ArrayList<>();
    int skip = shape.size() - type.rank();
    for (int i = 0; i < type.rank() - 2; i++) {
      boolean isRepeated = IndexText.isRepeated(type.dim(i), shape.get(skip + i));
      coordinates.add(isRepeated ? Coordinate.ZERO : Coordinate.of("i" + (skip + i)));
    }
    coordinates.add(Coordinate.of(first));
    coordinates.add(Coordinate.of(second));
    return coordinates;
  }

  private List<Coordinate> at(String row) {
    List<Coordinate> coordinates = new ArrayList<>();
    for (int i = 0; i < shape.size() - 2; i++) {
      coordinates.add(Coordinate.of("i" + i));
    }
    coordinates.add(Coordinate.of(row));
    coordinates.add(Coordinate.ZERO);
    return coordinates;
  }
}
