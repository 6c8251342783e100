package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.GatheredLines;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Lines;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.LaneArray;
import io.miniinference.codegen.cpu.lanes.ProductTile;
import io.miniinference.codegen.cpu.lanes.VectorEpilogue;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.cpu.lanes.WrittenTiles;
import io.miniinference.device.Launch;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The matrix product `[rows, K] × [K, columns]` with packed columns: a work item is a register
/// tile of rows × vectors (Goto and van de Geijn, "Anatomy of High-Performance Matrix
/// Multiplication", 2008).
///
/// ```
///            16·vectors columns
///          ┌──────────────────┐
///  rows    │ c0_0  c0_1 …     │  one float16 accumulator each; per k one packed row of weights
///  (tile)  │ c1_0  c1_1 …     │  is loaded once and multiplied with `rows` broadcast scalars
///          └──────────────────┘
/// ```
///
/// Rows beyond the last whole tile are taken in smaller ones. Each element is a sum in the order of
/// K, so that a row has the same bits whatever tile it is in.
///
/// Work items that follow each other take the rows of a group, whose elements stay in a core's
/// cache, with one block of columns, and then with the next: so weights come from memory once for
/// all rows of a group.
final class PackedGemm {
  /// Of the rows of a group: half of a second cache.
  private static final long GROUP_BYTES = 1 << 20;

  private static final Template KERNEL =
      Template.of(
          "packed product",
          """
          const long rows = $rows;
          const long tiles = (rows + ($tileRows - 1)) / $tileRows;
          long item = (long)@globalId + first;
          const long group = item / ($group * $blocks) * $group;
          if (group >= tiles) return;
          item -= group * $blocks;
          const long grouped = min(${group}L, tiles - group);
          const long block = item / grouped;
          long row = (group + item % grouped) * $tileRows;
          const long c0 = block * $lanes;
          @global const $weight* w = $packed + block * ${weights}L;
          $bodies
          """);

  private static final Template HEAD =
      Template.of(
          "packed product, head",
          """
          A work item owns $rows rows x $lanes columns of the result, all in registers:

                       columns, 16 a vector
                     +--------+$frame
           row + 0   |  c0_0  | $second  += a (one float of the row, broadcast) * w0$w1 (one packed row of weights)
           row + 1   |  c1_0  | $third  for each k
           ...       |  ...   | $dots
                     +--------+$frame

          x0: $left.
          x1: [block of columns][k][lane], packed at load, so that a work item reads its weights from front to back.
          Work items that follow each other take $group tiles of rows with the same weights, then with the next.
          """);

  private final LoweredStep step;
  private final CpuStrategy.PackedGemm tile;
  private final StepText s;
  private final KernelText text;
  private final Affine rows;
  private final long depth;
  private final int columns;
  private final List<String> extras = new ArrayList<>();
  private final @Nullable Lines left;
  private final @Nullable GatheredLines gathered;
  private final Lines result;

  /// Where operands of the epilogue lie that are read as the result is written.
  private final Map<Integer, Lines> linesOfExtras;

  private PackedGemm(LoweredStep step, CpuStrategy.PackedGemm tile, int failures) {
    this.step = step;
    this.s = new StepText(step, 1);
    this.text = s.text();
    this.tile = tile;
    TensorType a = step.node().inputs().getFirst().type();
    TensorType out = step.node().output().type();
    Affine product = Affine.ONE;
    for (int i = 0; i < out.rank() - 1; i++) {
      product = product.times(out.dim(i));
    }
    this.rows = product;
    this.depth = a.dim(a.rank() - 1).asConstant();
    this.columns = (int) out.dim(out.rank() - 1).asConstant();
    boolean isGathered = step.gathered() != null;
    this.gathered = isGathered ? GatheredLines.of(s, failures) : null;
    this.left = isGathered ? null : Lines.of(step.inputs().getFirst().index()).orElseThrow();
    this.result = Lines.of(step.output().index()).orElseThrow();
    for (int i = 2; i < step.node().inputs().size(); i++) {
      extras.add(s.pointer(i));
    }
    linesOfExtras = inLines().boxed().collect(Collectors.toMap(i -> i, this::linesOf));
  }

  /// Whether operand, result and what the epilogue adds to it lie in lines.
  static boolean canWrite(LoweredStep step, CpuStrategy.PackedGemm tile) {
    boolean added =
        inLines(tile.epilogue())
            .allMatch(i -> Lines.of(step.inputs().get(2 + i).index()).isPresent());
    boolean left =
        step.gathered() == null
            ? Lines.of(step.inputs().getFirst().index()).isPresent()
            : GatheredLines.canWrite(step);
    int atOnce = tile.weights().atOnce();
    boolean isWhole =
        atOnce == 1
            || Lines.of(step.inputs().getFirst().index())
                .filter(lines -> lines.isMultipleOf(atOnce))
                .isPresent();
    return isWhole && added && left && Lines.of(step.output().index()).isPresent();
  }

  /// @param failures block id of the failure slots
  /// @param written tiles so far
  static KernelText.Written write(
      LoweredStep step, CpuStrategy.PackedGemm tile, int failures, WrittenTiles written) {
    return new PackedGemm(step, tile, failures).write(written);
  }

  private int lanes() {
    return tile.vectors() * VectorText.LANES;
  }

  private int blocks() {
    return Math.ceilDiv(columns, lanes());
  }

  private KernelText.Written write(WrittenTiles written) {
    text.head(this::head)
        .add(
            KERNEL
                .with("rows", IndexText.affine(rows))
                .with("group", group())
                .with("blocks", blocks())
                .with("tileRows", tile.rows())
                .with("lanes", lanes())
                .with("weight", tile.weights().type().stored())
                .with("packed", tile.weights().pointer("x1"))
                .with("weights", steps() * lanes())
                .with("bodies", written.text(tile())));
    Launch.Items work = new Launch.Items(rows, tile.rows(), blocks(), grain());
    return new KernelText.Written(text, work);
  }

  /* Tiles of rows that take a block's weights one after the other. */
  private long group() {
    return Math.max(1, GROUP_BYTES / (tile.rows() * steps() * Float.BYTES));
  }

  /* Of the loop over the depth. */
  private long steps() {
    return depth / tile.weights().atOnce();
  }

  private ProductTile tile() {
    return new ProductTile(
        tile.rows(),
        tile.vectors(),
        tile.weights(),
        steps(),
        columns,
        rows.isAlwaysMultipleOf(tile.rows()),
        left(),
        perRow(r -> place("(row + " + r + ")")),
        sum());
  }

  private <T> List<T> perRow(IntFunction<T> each) {
    return IntStream.range(0, tile.rows()).mapToObj(each).toList();
  }

  private int grain() {
    return (int) Math.max(1, 40_000 / (steps() * lanes() * tile.rows() / 32 + 1));
  }

  private String head() {
    boolean two = tile.vectors() > 1;
    return HEAD.with("rows", tile.rows())
        .with("lanes", lanes())
        .with("frame", two ? "--------+" : "")
        .with("second", two ? " c0_1  |" : "")
        .with("third", two ? " c1_1  |" : "")
        .with("dots", two ? " ...   |" : "")
        .with("w1", two ? ", w1" : "")
        .with("group", "up to " + group())
        .with(
            "left",
            gathered == null ? "rows, k innermost" : "rows that indices name, read where they lie")
        .text();
  }

  private ProductTile.Left left() {
    Optional<String> first = Optional.ofNullable(left).map(it -> it.start("row"));
    Optional<ProductTile.GatheredRows> rows = Optional.ofNullable(gathered).map(this::gatheredRows);
    return new ProductTile.Left(first, rows, perRow(this::element));
  }

  private ProductTile.GatheredRows gatheredRows(GatheredLines lines) {
    List<Coordinate> line = GatheredLines.line(step.node().inputs().getFirst().type().shape(), "m");
    String start = lines.start(line);
    boolean isAsked = lines.tuple().mayNameNone();
    return new ProductTile.GatheredRows(
        lines.tuple().check(GatheredLines.first(line)),
        isAsked ? "ok ? " + start + " : " + lines.anywhere() : start,
        isAsked);
  }

  /* Text of the element of a row of the tile at depth `k`. */
  private String element(int r) {
    if (gathered != null) {
      return "a" + r + "[k * " + gathered.stride() + "]";
    }
    Affine line =
        Objects.requireNonNull(left, "lines").stride().dividedBy(tile.weights().atOnce()).times(r);
    return "a[" + IndexText.affine(line) + " + k]";
  }

  private ProductTile.Place place(String row) {
    return new ProductTile.Place(result.start(row), places(row));
  }

  private ProductTile.Sum sum() {
    int operands = tile.epilogue().reads().size();
    return new ProductTile.Sum(
        step.node().epilogue(),
        VectorEpilogue.types(step.node()),
        step.node().output().type().element(),
        IntStream.range(0, operands).mapToObj(i -> extra(i, true)).toList(),
        IntStream.range(0, operands).mapToObj(i -> extra(i, false)).toList(),
        loads());
  }

  /* Where else than the result operands of the epilogue lie. */
  private String places(String row) {
    return tile.epilogue()
        .same()
        .filter(i -> !liesLikeResult(i))
        .mapToObj(i -> "const long at" + i + " = " + lines(i).start(row) + " + c;")
        .collect(Collectors.joining("\n"));
  }

  private IntStream inLines() {
    return inLines(tile.epilogue());
  }

  private static IntStream inLines(VectorEpilogue epilogue) {
    return IntStream.range(0, epilogue.reads().size())
        .filter(i ->
            switch (epilogue.reads().get(i)) {
              case SAME, ROW -> true;
              case LANES, SINGLE -> false;
            });
  }

  /* Of the last lanes, which are no whole vector. */
  private String loads() {
    return tile.epilogue()
        .same()
        .mapToObj(i ->
            "const %s t%d = %s;"
                .formatted(
                    lanes(i).variable(), i, lanes(i).load("left", extras.get(i) + " + " + same(i))))
        .collect(Collectors.joining("\n"));
  }

  private Lines lines(int extra) {
    return Objects.requireNonNull(linesOfExtras.get(extra), "lines");
  }

  private Lines linesOf(int extra) {
    return Lines.of(step.inputs().get(2 + extra).index()).orElseThrow();
  }

  private boolean liesLikeResult(int extra) {
    return lines(extra).equals(result);
  }

  private String same(int extra) {
    return liesLikeResult(extra) ? "at" : "at" + extra;
  }

  private String extra(int i, boolean whole) {
    LaneArray lanes = lanes(i);
    return switch (tile.epilogue().reads().get(i)) {
      case SINGLE -> lanes.single(extras.get(i), step.inputs().get(2 + i).index());
      case LANES -> lanes.load(extras.get(i) + " + c");
      case ROW -> lanes.load(extras.get(i) + " + " + lines(i).start("0") + " + c");
      case SAME -> whole ? lanes.load(extras.get(i) + " + " + same(i)) : "t" + i;
    };
  }

  private LaneArray lanes(int extra) {
    return new LaneArray(step.node().epilogueValues().get(extra).type().element());
  }
}
