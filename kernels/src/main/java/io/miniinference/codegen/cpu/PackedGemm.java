package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.GatheredLines;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Lines;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.VectorEpilogue;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.device.Launch;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
  /// Rows of a smaller tile, for those that a whole one leaves.
  private static final int FEWER_ROWS = 4;

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

  private static final Template WHOLE_TILE =
      Template.of(
          "packed product, whole tile",
          """
          if (row + $count <= rows) {
            $tile
            return;
          }
          """);

  private static final Template ROWS_LEFT =
      Template.of(
          "packed product, rows behind the last whole tile",
          """
          for (; row + $count <= rows; row += $count) {
            $tile
          }
          """);

  private static final Template TILE =
      Template.of(
          "packed product, tile",
          """
          $lines
          $zeros
          for (long k = 0; k < $depth; k++) {
            $products
          }
          $stores
          """);

  private static final Template GATHERED =
      Template.of(
          "packed product, gathered rows",
          """
          @global const float* at_row[$rows];
          int is_row[$rows];
          for (int j = 0; j < $rows; j++) {
            const long m = $row + j;
            $check
            at_row[j] = x0 + ($start);
            is_row[j] = $isThere;
          }
          $pointers
          """);

  private static final Template STORE =
      Template.of(
          "packed product, store",
          """
          {
            const long c = c0 + $from, at = $start + c;
            $places
            const float16 raw = $product;
            $stores
          }
          """);

  private static final Template WHOLE =
      Template.of(
          "packed product, store a vector",
          """
          if ($condition) {
            $prepare
            @store(16, $value, 0, y + at);
          }
          """);

  /* The last lanes one by one: a whole vector would reach into the next row. */
  private static final Template PARTIAL =
      Template.of(
          "packed product, store lanes",
          """
          ${else}if (c < $columns) {
            const int left = min(16, (int)($columns - c));
            $loads
            float z[16];
            @store(16, $value, 0, z);
            for (int j = 0; j < left; j++) y[at + j] = z[j];
          }
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

  /// Stores of a whole vector and of the last lanes, which are the same for all rows of a tile.
  private final String storesOfVector;

  /// By row of a tile: shorter tiles store their rows alike.
  private final List<String> storesOfRows;

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
    linesOfExtras = added().boxed().collect(Collectors.toMap(i -> i, this::linesOf));
    storesOfVector = storesOfVector();
    storesOfRows = IntStream.range(0, tile.rows()).mapToObj(this::stores).toList();
  }

  /// Whether operand, result and what the epilogue adds to it lie in lines.
  static boolean canWrite(LoweredStep step, CpuStrategy.PackedGemm tile) {
    boolean added =
        IntStream.range(0, tile.epilogue().reads().size())
            .filter(i -> tile.epilogue().reads().get(i) == VectorEpilogue.Read.SAME)
            .allMatch(i -> Lines.of(step.inputs().get(2 + i).index()).isPresent());
    boolean left =
        step.gathered() == null
            ? Lines.of(step.inputs().getFirst().index()).isPresent()
            : GatheredLines.canWrite(step);
    return added && left && Lines.of(step.output().index()).isPresent();
  }

  /// @param failures block id of the failure slots
  static KernelText.Written write(LoweredStep step, CpuStrategy.PackedGemm tile, int failures) {
    return new PackedGemm(step, tile, failures).write();
  }

  private int lanes() {
    return tile.vectors() * VectorText.LANES;
  }

  private int blocks() {
    return Math.ceilDiv(columns, lanes());
  }

  private KernelText.Written write() {
    text.head(head())
        .add(
            KERNEL
                .with("rows", IndexText.affine(rows))
                .with("group", group())
                .with("blocks", blocks())
                .with("tileRows", tile.rows())
                .with("lanes", lanes())
                .with("weight", tile.weights().type().stored())
                .with("packed", tile.weights().pointer("x1"))
                .with("weights", depth * lanes())
                .with("bodies", bodies()));
    Launch.Items work = new Launch.Items(rows, tile.rows(), blocks(), grain());
    return new KernelText.Written(text, work);
  }

  /* Tiles of rows that take a block's weights one after the other. */
  private long group() {
    return Math.max(1, GROUP_BYTES / (tile.rows() * depth * Float.BYTES));
  }

  /* A whole tile, or smaller ones for the rows behind the last. */
  private String bodies() {
    String whole = rows(WHOLE_TILE, tile.rows());
    return rows.isAlwaysMultipleOf(tile.rows())
        ? whole
        : String.join("\n", whole, rows(ROWS_LEFT, FEWER_ROWS), rows(ROWS_LEFT, 1));
  }

  private String rows(Template template, int count) {
    return template.with("count", count).with("tile", tile(count)).text();
  }

  private int grain() {
    return (int) Math.max(1, 40_000 / (depth * lanes() * tile.rows() / 32 + 1));
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

  private String tile(int count) {
    return TILE.with("lines", openLines(count))
        .with("zeros", zeros(count))
        .with("depth", depth)
        .with("products", product(count))
        .with("stores", lines(count, storesOfRows::get))
        .text();
  }

  private String zeros(int count) {
    return lines(count, r -> lines(tile.vectors(), v -> "float16 " + acc(r, v) + " = 0;"));
  }

  private static String lines(int count, IntFunction<String> line) {
    return IntStream.range(0, count).mapToObj(line).collect(Collectors.joining("\n"));
  }

  private String product(int count) {
    String weights =
        lines(
            tile.vectors(),
            v ->
                "const float16 w%d = %s;"
                    .formatted(v, tile.weights().load(v, "w + k * " + lanes())));
    return weights + "\n" + lines(count, this::multiply);
  }

  /* Declares pointers `a0`, `a1`, … to the rows of the tile, or `a` to the first of them. */
  private String openLines(int count) {
    if (gathered != null) {
      return gatherLines(gathered, count);
    }
    return left == null ? "" : "@global const float* a = x0 + " + left.start("row") + ";";
  }

  /* A row whose index is bad is read where there is something, and is zero when it is stored: the
  product has no condition inside. */
  private String gatherLines(GatheredLines lines, int count) {
    List<Coordinate> line = GatheredLines.line(step.node().inputs().getFirst().type().shape(), "m");
    String start = lines.start(line);
    boolean isAsked = lines.tuple().mayNameNone();
    return GATHERED
        .with("rows", count)
        .with("row", "row")
        .with("check", lines.tuple().check(GatheredLines.first(line)))
        .with("start", isAsked ? "ok ? " + start + " : " + lines.anywhere() : start)
        .with("isThere", isAsked ? "ok" : "1")
        .with(
            "pointers",
            lines(count, r -> "@global const float* a%1$d = at_row[%1$d];".formatted(r)))
        .text();
  }

  /* Text of the element of a row of the tile at depth `k`. */
  private String element(int r) {
    if (gathered != null) {
      return "a" + r + "[k * " + gathered.stride() + "]";
    }
    Affine line = Objects.requireNonNull(left, "lines").stride().times(r);
    return "a[" + IndexText.affine(line) + " + k]";
  }

  private String multiply(int r) {
    String sums =
        IntStream.range(0, tile.vectors())
            .mapToObj(v -> " %1$s = fma(s, w%2$d, %1$s);".formatted(acc(r, v), v))
            .collect(Collectors.joining());
    return "{ const float16 s = @splat(16, " + element(r) + ");" + sums + " }";
  }

  private static String acc(int r, int v) {
    return "c" + r + "_" + v;
  }

  private String stores(int r) {
    return lines(tile.vectors(), v -> store(r, v, "(row + " + r + ")"));
  }

  private String store(int r, int v, String row) {
    return STORE
        .with("from", v * VectorText.LANES)
        .with("start", result.start(row))
        .with("places", places(row))
        .with("product", product(r, v))
        .with("stores", storesOfVector)
        .text();
  }

  private String storesOfVector() {
    int whole = columns % lanes() == 0 ? columns : columns / lanes() * lanes();
    boolean isEven = columns % VectorText.LANES == 0;
    String condition = isEven ? "c < " + columns : "c + 16 <= " + columns;
    boolean hasWhole = isEven || whole > 0;
    return Stream.of(
            hasWhole ? whole(condition) : "", isEven ? "" : partial(hasWhole ? "else " : ""))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("\n"));
  }

  private String whole(String condition) {
    VectorText.Written value = epilogue(true);
    return WHOLE
        .with("condition", condition)
        .with("prepare", value.statements())
        .with("value", value.value())
        .text();
  }

  private String product(int r, int v) {
    boolean isAsked = gathered != null && gathered.tuple().mayNameNone();
    return isAsked ? "is_row[" + r + "] ? " + acc(r, v) + " : @splat(16, 0)" : acc(r, v);
  }

  /* Where else than the result operands of the epilogue lie. */
  private String places(String row) {
    return added()
        .filter(i -> !liesLikeResult(i))
        .mapToObj(i -> "const long at" + i + " = " + lines(i).start(row) + " + c;")
        .collect(Collectors.joining("\n"));
  }

  private IntStream added() {
    return IntStream.range(0, tile.epilogue().reads().size())
        .filter(i -> tile.epilogue().reads().get(i) == VectorEpilogue.Read.SAME);
  }

  private String partial(String otherwise) {
    String loads =
        added()
            .mapToObj(i ->
                "float t%1$d[16] = {0};\nfor (int j = 0; j < left; j++) t%1$d[j] = %2$s[%3$s + j];"
                    .formatted(i, extras.get(i), same(i)))
            .collect(Collectors.joining("\n"));
    VectorText.Written value = epilogue(false);
    return PARTIAL
        .with("else", otherwise)
        .with("columns", columns)
        .with("loads", value.after(loads))
        .with("value", value.value())
        .text();
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

  private VectorText.Written epilogue(boolean whole) {
    return VectorText.epilogue(step.node().epilogue(), "raw", i -> extra(i, whole));
  }

  private String extra(int i, boolean whole) {
    if (tile.epilogue().reads().get(i) == VectorEpilogue.Read.LANES) {
      return "@load(16, 0, " + extras.get(i) + " + c)";
    }
    return "@load(16, 0, " + (whole ? extras.get(i) + " + " + same(i) : "t" + i) + ")";
  }
}
