package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.LaneRow;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.device.Launch;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Matrix products of two computed `f32` operands, such as those of attention: a register tile of
/// rows × vectors of columns. The right operand is read where it lies if its columns are neighbours
/// in whole vectors; else a work item first puts its columns into an array of its own, and uses
/// them for many rows.
///
/// @param tile rows of a tile
/// @param vectors of a row of the tile
record PanelGemm(int tile, int vectors) implements CpuStrategy.Several {
  private static final int MOST_TILE = 8;

  /// Rows for which a work item uses its columns, at least, where there are as many.
  private static final int CHUNK = 64;

  /// Of the columns that a work item keeps on its thread's stack: 256 KB in one vector.
  private static final long MOST_DEPTH = 4096;

  /// The same in two vectors.
  private static final long MOST_DEPTH_OF_TWO = MOST_DEPTH / 2;

  private static final int FEWEST_COLUMNS = 6;

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return canUse(step)
        ? Algorithm.of(
            "matrix product of activations, tile %d x %d"
                .formatted(tile, vectors * VectorText.LANES))
        : Algorithm.plain("its operand is gathered element by element");
  }

  /// For a product that fits. Of an open number of columns one vector at a time is taken: two have
  /// hardly more done a second, and half of the second one mostly has no column.
  static PanelGemm of(Node node, Op.MatMul op) {
    Sizes sizes = Sizes.of(node, op);
    Affine columns = sizes.columns();
    return new PanelGemm(
        (int) Math.min(MOST_TILE, sizes.rows().typical()),
        columns.isOpen()
                || columns.constant() <= VectorText.LANES
                || sizes.depth().constant() > MOST_DEPTH_OF_TWO
            ? 1
            : 2);
  }

  /// Whether a product is of this kind, however its arrays lie.
  static boolean fits(Node node, Op.MatMul op) {
    Expr epilogue = node.epilogue();
    Affine last = node.output().type().shape().getLast();
    return Sizes.areKnown(node, op)
        && Sizes.of(node, op).areFew()
        && node.inputs().stream().allMatch(v -> v.type().element() == ElementType.F32)
        && node.output().type().element() == ElementType.F32
        && (epilogue == null || VectorText.supports(epilogue))
        && node.epilogueValues().stream().allMatch(v -> isRow(v, last));
  }

  private static boolean isRow(Value value, Affine columns) {
    List<Affine> shape = value.type().shape();
    return LaneRow.isOne(shape) || shape.getLast().equals(columns);
  }

  /// Whether the arrays lie as the text needs them.
  ///
  /// @param indices of the inputs
  static boolean suits(Node node, Op.MatMul op, List<IndexFunction> indices) {
    boolean hasPlace =
        !Sizes.of(node, op).depth().isOpen()
            || hasNeighbours(op, indices.get(1)); // for its columns
    return hasPlace
        && isPlain(indices.getFirst())
        && IntStream.range(node.operands(), node.inputs().size())
            .allMatch(i ->
                LaneRow.isOne(node.inputs().get(i).type().shape())
                    || LaneRow.suits(indices.get(i)));
  }

  /* Whether the right operand's columns are neighbours in memory. */
  private static boolean hasNeighbours(Op.MatMul op, IndexFunction b) {
    int columns = b.rank() - (op.transposeB() ? 2 : 1);
    return isPlain(b) && b.axes().get(columns).stride().equals(Affine.ONE);
  }

  /* Its elements are found without a division. */
  private static boolean isPlain(IndexFunction index) {
    int rank = index.rank();
    return !index.axes().get(rank - 1).isBlocked() && !index.axes().get(rank - 2).isBlocked();
  }

  private static boolean suits(LoweredStep step) {
    List<IndexFunction> indices =
        step.inputs().stream().limit(step.node().inputs().size()).map(a -> a.index()).toList();
    return suits(step.node(), (Op.MatMul) step.node().op(), indices)
        && LaneRow.suits(step.output().index());
  }

  @Override
  public boolean canWrite(LoweredStep step) {
    return step.gathered() != null || suits(step);
  }

  private static boolean canUse(LoweredStep step) {
    return step.gathered() == null && suits(step);
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    Op.MatMul op = (Op.MatMul) step.node().op();
    return List.of(
        canUse(step) ? new Writer(step, op, this).write() : LoopGemm.write(step, op, failures));
  }

  /// Sizes of a product that are the same for all batches.
  private record Sizes(Affine rows, Affine depth, Affine columns) {

    static boolean areKnown(Node node, Op.MatMul op) {
      List<Affine> out = node.output().type().shape();
      return node.inputs().getFirst().type().rank() >= 2
          && node.inputs().get(1).type().rank() >= 2
          && out.getLast().isConstant()
          && out.get(out.size() - 2).isConstant()
          && depth(node, op).isConstant();
    }

    private static Affine depth(Node node, Op.MatMul op) {
      TensorType a = node.inputs().getFirst().type();
      return a.dim(a.rank() - (op.transposeA() ? 2 : 1));
    }

    static Sizes of(Node node, Op.MatMul op) {
      List<Affine> out = node.output().type().shape();
      return new Sizes(out.get(out.size() - 2), depth(node, op), out.getLast());
    }

    boolean areFew() {
      return isBelow(rows, 1, 1 << 30)
          && isBelow(depth, 1, MOST_DEPTH + 1)
          && isBelow(columns, FEWEST_COLUMNS, 1 << 30);
    }

    private static boolean isBelow(Affine size, long least, long end) {
      return size.constant() >= 1 && size.typical() >= least && size.constant() < end;
    }
  }

  /// The text of one kernel.
  private static final class Writer {
    private static final int LANES = VectorText.LANES;

    private static final Template HEAD =
        Template.of(
            "product of activations, head",
            """
            A work item owns up to $chunk rows x $lanes columns of one matrix of the result, $tile rows at a time in
            registers. The right operand's columns $where.
            """);

    private static final Template KERNEL =
        Template.of(
            "product of activations",
            """
            long item = (long)@globalId + first;
            const long c0 = item % $blocks * $lanes; item /= $blocks;
            const long chunk = item % $chunks; item /= $chunks;
            $batch
            if (item > 0) return;
            const long end = chunk == $lastChunk ? $rows : (chunk + 1) * $chunk;
            $panel
            for (long r = chunk * $chunk; r < end; r += $tile) {
              const long row = $row;
              $zeros
              for (long k = 0; k < $depth; k++) {
                $weights
                $sums
              }
              float z[$results];
              $keep
              for (int t = 0; t < $stored; t++) {
                for (int v = 0; v < $vectors; v++) {
                  const long c = c0 + v * 16;
                  const float16 raw = @load(16, t * $vectors + v, z);
                  $starts
                  $whole
                  $partial
                }
              }
            }
            """);

    private static final Template PANEL =
        Template.of(
            "columns of a work item",
            """
            float panel[$elements];
            const int width = (int)min(${lanes}L, $columns - c0);
            for (int k = 0; k < $depth; k++) {
              for (int j = 0; j < width; j++) panel[k * $lanes + j] = $element;
              for (int j = width; j < $lanes; j++) panel[k * $lanes + j] = 0;
            }
            """);

    private static final Template WIDTH =
        Template.of("width of a tile", "const int width = (int)min((long)$lanes, $columns - c0);");

    private static final Template WHOLE =
        Template.of(
            "product of activations, whole vector",
            """
            if ($condition) {
              $statements
              @store(16, $value, 0, $place);
            }
            """);

    private static final Template PARTIAL =
        Template.of(
            "product of activations, last lanes",
            """
            else if (c < $columns) {
              const int left = (int)($columns - c);
              $loads
              float last[16];
              @store(16, $value, 0, last);
              @global float* out = $place;
              for (int j = 0; j < left; j++) out[j] = last[j];
            }
            """);

    private static final Template EXTRA =
        Template.of(
            "product of activations, last lanes of an operand",
            """
            float rest$number[16] = {0};
            for (int j = 0; j < left; j++) rest$number[j] = ($from)[j];
            """);

    private static final Template PLACE =
        Template.of("matrix of several", "const long i$axis = item % $extent; item /= $extent;");

    private final LoweredStep step;
    private final Op.MatMul op;
    private final PanelGemm strategy;
    private final StepText s;
    private final Sizes sizes;
    private final List<Affine> shape;
    private final LaneRow result;

    Writer(LoweredStep step, Op.MatMul op, PanelGemm strategy) {
      this.step = step;
      this.op = op;
      this.strategy = strategy;
      s = new StepText(step, 1);
      sizes = Sizes.of(step.node(), op);
      shape = step.node().output().type().shape();
      result = new LaneRow(s.output(), step.output().index(), shape);
    }

    private int lanes() {
      return strategy.vectors * LANES;
    }

    private long blocks() {
      return Math.ceilDiv(sizes.columns.constant(), lanes());
    }

    private String blocksText() {
      return sizes.columns.isOpen()
          ? IndexText.quotient(sizes.columns.constant(), lanes())
          : Long.toString(blocks());
    }

    /* The last one takes what is left, so that each has a whole tile. */
    private long chunks() {
      return Math.max(1, sizes.rows.constant() / CHUNK);
    }

    private String chunksText() {
      return sizes.rows.isOpen()
          ? "max(1, " + sizes.rows + " / " + CHUNK + ")"
          : Long.toString(chunks());
    }

    /* Rows of the result may be fewer than those of a tile only if their number is open. Those
    behind the end are then computed as the last one is, and not stored. */
    private boolean mayBeFew() {
      return sizes.rows.isOpen();
    }

    KernelText.Written write() {
      s.text()
          .head(
              HEAD.with("chunk", Math.min(sizes.rows.typical(), 2 * CHUNK - 1))
                  .with("lanes", lanes())
                  .with("tile", strategy.tile)
                  .with(
                      "where",
                      hasNeighbours()
                          ? "are read where they lie"
                          : "are first put into an array of its own, [k][lane]")
                  .text())
          .add(kernel());
      return new KernelText.Written(s.text(), work());
    }

    private Launch.Items work() {
      Affine matrices =
          shape.subList(0, shape.size() - 2).stream().reduce(Affine.ONE, Affine::times);
      long cost = sizes.depth.constant() * lanes() * Math.min(sizes.rows.constant(), CHUNK) / 32;
      int grain = (int) Math.max(1, 40_000 / (cost + 1));
      return new Launch.Items(matrices, 1, blocks() * chunks(), grain);
    }

    private Template.Filling kernel() {
      return KERNEL
          .with("blocks", blocksText())
          .with("lanes", lanes())
          .with("chunks", chunksText())
          .with("batch", matrices())
          .with("lastChunk", mayBeFew() ? chunksText() + " - 1" : chunks() - 1)
          .with("rows", sizes.rows)
          .with("chunk", CHUNK)
          .with(
              "panel",
              isInPlace()
                  ? ""
                  : hasNeighbours()
                      ? WIDTH.with("lanes", lanes()).with("columns", sizes.columns).text()
                      : panel())
          .with("tile", strategy.tile)
          .with(
              "row",
              mayBeFew()
                  ? "max(0L, min(r, end - " + strategy.tile + "))"
                  : "min(r, end - " + strategy.tile + ")")
          .with(
              "stored", mayBeFew() ? "min((long)" + strategy.tile + ", end - row)" : strategy.tile)
          .with("zeros", each((t, v) -> "float16 " + sum(t, v) + " = @splat(16, 0.0f);"))
          .with("depth", sizes.depth)
          .with("weights", weights())
          .with("sums", sums())
          .with("results", strategy.tile * lanes())
          .with(
              "keep",
              each((t, v) ->
                  "@store(16, " + sum(t, v) + ", " + (t * strategy.vectors + v) + ", z);"))
          .with("vectors", strategy.vectors)
          .with("starts", starts())
          .with("whole", whole())
          .with("partial", sizes.columns.isAlwaysMultipleOf(LANES) ? "" : partial());
    }

    private interface Sum {
      String of(int row, int vector);
    }

    private String each(Sum text) {
      return IntStream.range(0, strategy.tile)
          .boxed()
          .flatMap(t -> IntStream.range(0, strategy.vectors).mapToObj(v -> text.of(t, v)))
          .collect(Collectors.joining("\n"));
    }

    private static String sum(int row, int vector) {
      return "c" + row + "_" + vector;
    }

    private String matrices() {
      return IntStream.iterate(shape.size() - 3, i -> i >= 0, i -> i - 1)
          .mapToObj(
              i -> PLACE.with("axis", i).with("extent", IndexText.divisor(shape.get(i))).text())
          .collect(Collectors.joining("\n"));
    }

    /* Its columns are whole vectors of neighbours. */
    private boolean isInPlace() {
      return hasNeighbours() && sizes.columns.isAlwaysMultipleOf(lanes());
    }

    /* An array of columns would be of open size if its depth is, so that those of the last vector are
    read one by one. */
    private boolean hasNeighbours() {
      boolean isWanted = sizes.depth.isOpen() || sizes.columns.isAlwaysMultipleOf(lanes());
      return isWanted && PanelGemm.hasNeighbours(op, step.inputs().get(1).index());
    }

    private String panel() {
      return PANEL
          .with("elements", sizes.depth.constant() * lanes())
          .with("lanes", lanes())
          .with("columns", sizes.columns)
          .with("depth", sizes.depth)
          .with("element", s.read(1, right("k", "(c0 + j)")))
          .text();
    }

    private String weights() {
      return IntStream.range(0, strategy.vectors)
          .mapToObj(v -> "const float16 w" + v + " = " + weight(v) + ";")
          .collect(Collectors.joining("\n"));
    }

    private String weight(int v) {
      if (!hasNeighbours()) {
        return "@load(16, " + v + ", panel + k * " + lanes() + ")";
      }
      String at = IndexText.offset(step.inputs().get(1).index(), right("k", "c0"));
      return isInPlace()
          ? "@load(16, " + v + ", " + s.pointer(1) + " + " + at + ")"
          : "load_float16(clamp(width - %d, 0, 16), %s + %s + %d)"
              .formatted(v * LANES, s.pointer(1), at, v * LANES);
    }

    private String sums() {
      return IntStream.range(0, strategy.tile)
          .mapToObj(t ->
              "{ const float16 a = @splat(16, "
                  + s.read(0, left(row(t), "k"))
                  + ");"
                  + IntStream.range(0, strategy.vectors)
                      .mapToObj(v -> " " + sum(t, v) + " = fma(a, w" + v + ", " + sum(t, v) + ");")
                      .collect(Collectors.joining())
                  + " }")
          .collect(Collectors.joining("\n"));
    }

    private String row(int t) {
      return mayBeFew() ? "min(row + " + t + ", end - 1)" : "(row + " + t + ")";
    }

    private List<Coordinate> left(String row, String k) {
      return operand(0, op.transposeA() ? k : row, op.transposeA() ? row : k);
    }

    private List<Coordinate> right(String k, String column) {
      return operand(1, op.transposeB() ? column : k, op.transposeB() ? k : column);
    }

    private List<Coordinate> operand(int input, String first, String second) {
      TensorType type = step.node().inputs().get(input).type();
      List<Coordinate> result = new ArrayList<>();
      int skip = shape.size() - type.rank();
      for (int i = 0; i < type.rank() - 2; i++) {
        boolean isRepeated = IndexText.isRepeated(type.dim(i), shape.get(skip + i));
        result.add(isRepeated ? Coordinate.ZERO : Coordinate.of("i" + (skip + i)));
      }
      result.add(Coordinate.of(first));
      result.add(Coordinate.of(second));
      return result;
    }

    private List<Coordinate> at() {
      List<Coordinate> result = new ArrayList<>();
      for (int i = 0; i < shape.size() - 2; i++) {
        result.add(Coordinate.of("i" + i));
      }
      result.add(Coordinate.of("(row + t)"));
      result.add(Coordinate.ZERO);
      return result;
    }

    /* Declares where the row begins in each array. */
    private String starts() {
      List<String> lines = new ArrayList<>();
      lines.add("const long to = " + result.start(shape, at()) + ";");
      extras()
          .forEach(i -> lines.add("const long at" + i + " = " + extra(i).start(shape, at()) + ";"));
      return String.join("\n", lines);
    }

    private IntStream extras() {
      return IntStream.range(step.node().operands(), step.node().inputs().size());
    }

    private LaneRow extra(int input) {
      return new LaneRow(
          s.pointer(input),
          step.inputs().get(input).index(),
          step.node().inputs().get(input).type().shape());
    }

    private String whole() {
      VectorText.Written value = epilogue(false);
      return WHOLE
          .with(
              "condition",
              (sizes.columns.isAlwaysMultipleOf(LANES) ? "c < " : "c + 16 <= ") + sizes.columns)
          .with("statements", value.statements())
          .with("value", value.value())
          .with("place", result.place("to", "(c / 16)"))
          .text();
    }

    private String partial() {
      VectorText.Written value = epilogue(true);
      String loads =
          extras()
              .filter(i -> !LaneRow.isOne(extra(i).shape()))
              .mapToObj(i ->
                  EXTRA.with("number", i).with("from", extra(i).place("at" + i, "(c / 16)")).text())
              .collect(Collectors.joining("\n"));
      return PARTIAL
          .with("columns", sizes.columns)
          .with("loads", value.after(loads))
          .with("value", value.value())
          .with("place", result.place("to", "(c / 16)"))
          .text();
    }

    private VectorText.Written epilogue(boolean ofRest) {
      int operands = step.node().operands();
      return VectorText.epilogue(
          step.node().epilogue(),
          "raw",
          i -> extra(operands + i).load(operands + i, "(c / 16)", ofRest));
    }
  }
}
