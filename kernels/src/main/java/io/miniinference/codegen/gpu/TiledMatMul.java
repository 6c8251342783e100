package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.GatheredLines;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Lines;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.Decoding;
import io.miniinference.codegen.gpu.tile.GatheredSource;
import io.miniinference.codegen.gpu.tile.MatrixSource;
import io.miniinference.codegen.gpu.tile.MemoryOrder;
import io.miniinference.codegen.gpu.tile.Panel;
import io.miniinference.codegen.gpu.tile.ProductTile;
import io.miniinference.codegen.gpu.tile.TiledProduct;
import io.miniinference.device.Launch;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// An `f32` matrix product by tiles: one product whose rows are all axes of the left operand but
/// its last (`joined`), or one per index of the leading axes.
final class TiledMatMul {
  private static final Template TILE =
      Template.of(
          "matrix product, tile",
          """
          const long group = (long)first + @groupId(0);
          const int j0 = @groupId(1) * $columns;
          const long m0 = $tileOfRows * $rows;
          $product
          $part
          $coordinates
          """);

  private static final Template PART =
      Template.of(
          "matrix product, part of the depth",
          """
          @global float* partSums = $sums + @groupId(2) * $floats;
          const int firstProduct = @groupId(2) * $partDepth;
          const int endOfProducts = firstProduct + $partDepth < $depth ? firstProduct + $partDepth : $depth;
          """);

  private final StepText s;
  private final Op.MatMul op;
  private final ProductTile tile;
  private final boolean joined;
  private final TensorType a;
  private final TensorType b;
  private final TensorType out;
  private final int failures;
  private final int parts;

  private TiledMatMul(
      LoweredStep step, Op.MatMul op, GpuStrategy.TiledMatMul strategy, int failures, int parts) {
    this.parts = parts;
    this.failures = failures;
    this.s = new StepText(step, strategy.tile().items());
    this.op = op;
    this.tile = strategy.tile();
    this.joined = strategy.joined();
    this.a = step.node().inputs().get(0).type();
    this.b = step.node().inputs().get(1).type();
    this.out = step.node().output().type();
  }

  /// @param failures block id of the failure slots
  static KernelText.Written write(
      LoweredStep step, Op.MatMul op, GpuStrategy.TiledMatMul strategy, int failures) {
    return new TiledMatMul(step, op, strategy, failures, 1).write();
  }

  /// A kernel that leaves sums over parts of the depth in scratch, part by part, as rows of
  /// [#padded] floats.
  ///
  /// @param parts work-groups that share a tile of a joined product
  static KernelText.Written writeParts(
      LoweredStep step, Op.MatMul op, GpuStrategy.TiledMatMul strategy, int failures, int parts) {
    return new TiledMatMul(step, op, strategy, failures, parts).write();
  }

  /// Floats of a row of sums.
  static long padded(Affine columns) {
    return Math.ceilDiv(columns.asConstant(), 4L) * 4;
  }

  /* Whole panels, so that only the last part looks for the end of the depth. */
  private long partDepth() {
    return Math.ceilDiv(Math.ceilDiv(depth(), (long) tile.depth()), (long) parts) * tile.depth();
  }

  private TiledProduct.Range range() {
    return parts == 1
        ? TiledProduct.Range.whole(depth())
        : new TiledProduct.Range("firstProduct", "endOfProducts", padded(columns()));
  }

  private String openPart() {
    if (parts == 1) {
      return "";
    }
    String sums = s.text().entries("scratch", "float", s.step().scratch().getFirst().id());
    return PART.with("sums", sums)
        .with("depth", depth())
        .with("partDepth", partDepth())
        .with("floats", IndexText.affine(rows().times(padded(columns()))))
        .text();
  }

  /// Whether the operands' matrices have strides that the text can hold.
  static boolean canWrite(LoweredStep step, GpuStrategy.TiledMatMul strategy) {
    IndexFunction left = step.inputs().get(0).index();
    boolean right = step.packed().get(1) || hasFixedMatrix(step.inputs().get(1).index());
    if (step.gathered() != null) {
      return right && GatheredLines.canWrite(step);
    }
    return right && (strategy.joined() ? Lines.of(left).isPresent() : hasFixedMatrix(left));
  }

  /// Whether both axes of the matrices have strides that the text can hold.
  static boolean hasFixedMatrix(IndexFunction index) {
    List<Axis> matrix = index.axes().subList(index.rank() - 2, index.rank());
    return matrix.stream().allMatch(a -> !a.isBlocked() && a.stride().isConstant());
  }

  private KernelText.Written write() {
    KernelText text = s.text();
    text.line(Statements.of(tile.place(), openTile()));
    List<Coordinate> at = new ArrayList<>(MemoryOrder.coordinates(out.shape()));
    at.set(out.rank() - 1, Coordinate.of("col"));
    if (!joined) {
      at.set(out.rank() - 2, Coordinate.of("i" + (out.rank() - 2)));
    }
    new TiledProduct(
            s,
            tile,
            depth(),
            IndexText.affine(rows()),
            columns(),
            left(),
            right(),
            rowAxes(),
            at,
            out.rank() - 1,
            range())
        .write();
    return new KernelText.Written(text, work());
  }

  /* Axes of the result that are counted by rows. */
  private Decoding rowAxes() {
    int row = out.rank() - 2;
    List<Integer> axes =
        joined
            ? IntStream.rangeClosed(0, row)
                .filter(axis -> !out.dim(axis).isSingle())
                .boxed()
                .toList()
            : List.of(row);
    return Decoding.of(out.shape(), axes);
  }

  private Affine rows() {
    List<Affine> shape = out.shape().subList(joined ? 0 : out.rank() - 2, out.rank() - 1);
    return shape.stream().reduce(Affine.ONE, Affine::times);
  }

  private Affine columns() {
    return out.dim(out.rank() - 1);
  }

  private long depth() {
    return ofDepth().asConstant();
  }

  private Affine ofDepth() {
    return a.dim(op.transposeA() ? a.rank() - 2 : a.rank() - 1);
  }

  private String depthGuard() {
    return ofDepth().isAlwaysMultipleOf(tile.depth()) ? "" : Long.toString(depth());
  }

  /* Products one after the other. */
  private Affine products() {
    return joined
        ? Affine.ONE
        : out.shape().subList(0, out.rank() - 2).stream().reduce(Affine.ONE, Affine::times);
  }

  /* Declares the tile's first row and column, and for several products which one it is of. */
  private String openTile() {
    String tiles = joined || !rows().isConstant() ? "" : tilesOfRows();
    List<Integer> axes =
        IntStream.range(0, joined ? 0 : out.rank() - 2)
            .filter(axis -> !out.dim(axis).isSingle())
            .boxed()
            .toList();
    String product = tiles.isEmpty() ? "@groupId(2)" : "group / " + tiles;
    return TILE.with("columns", tile.columns())
        .with("tileOfRows", tiles.isEmpty() ? "group" : "group % " + tiles)
        .with("rows", tile.rows())
        .with("part", openPart())
        .with("product", joined ? "" : "const long product = " + product + ";")
        .with("coordinates", Decoding.of(out.shape(), axes).declarations("product"))
        .text();
  }

  /* At least 1, since it is divided by. */
  private String tilesOfRows() {
    long rows = Math.max(1, rows().asConstant());
    return rows().isOpen()
        ? IndexText.quotient(rows, tile.rows())
        : Long.toString(Math.ceilDiv(rows, tile.rows()));
  }

  private Launch.Groups work() {
    Launch.Extent columns = new Launch.Extent(columns(), tile.columns(), 1);
    if (joined || !rows().isConstant()) {
      Launch.Extent rows = new Launch.Extent(rows(), tile.rows(), tile.items());
      return new Launch.Groups(
          joined
              ? parts == 1
                  ? List.of(rows, columns)
                  : List.of(rows, columns, new Launch.Extent(Affine.of(parts), 1, 1))
              : List.of(rows, columns, new Launch.Extent(products(), 1, 1)));
    }
    Affine tiles = products().times(Math.ceilDiv(rows().asConstant(), tile.rows()));
    return new Launch.Groups(List.of(new Launch.Extent(tiles, 1, tile.items()), columns));
  }

  private Panel left() {
    if (s.step().gathered() != null) {
      return gathered(GatheredLines.of(s, failures));
    }
    int line = a.rank() - (op.transposeA() ? 1 : 2);
    int along = a.rank() - (op.transposeA() ? 2 : 1);
    return panel(Panel.Side.LEFT, 0, line, along, "m0", rows());
  }

  private Panel gathered(GatheredLines lines) {
    List<Coordinate> at = new ArrayList<>(MemoryOrder.coordinates(out.shape()));
    at.removeLast();
    if (!joined) {
      at = leading(a.shape());
      at.add(Coordinate.of("m"));
    }
    Decoding decoding = joined ? rowAxes() : new Decoding(List.of());
    GatheredSource source =
        new GatheredSource(
            s.pointer(0), lines, decoding, at, tile, IndexText.affine(rows()), depthGuard());
    s.text().line(source.open());
    int width = TiledProduct.width(tile, ofDepth(), lines.data(), lines.axis());
    return new Panel(
        Panel.Side.LEFT,
        tile.items(),
        tile.rows(),
        tile.depth(),
        width,
        width > 1 || lines.stride() == 1,
        s.type(0),
        tile.form(),
        source);
  }

  /* Coordinates of an operand on the axes before its matrix. */
  private List<Coordinate> leading(List<Affine> shape) {
    List<Affine> axes = out.shape().subList(0, out.rank() - 2);
    return new ArrayList<>(
        IndexText.broadcast(
            shape.subList(0, shape.size() - 2), axes, MemoryOrder.coordinates(axes)));
  }

  private Panel right() {
    if (s.step().packed().get(1)) {
      return TiledConv.packed(s, tile, columns().asConstant(), depth(), depthGuard());
    }
    int line = b.rank() - (op.transposeB() ? 2 : 1);
    int along = b.rank() - (op.transposeB() ? 1 : 2);
    return panel(Panel.Side.RIGHT, 1, line, along, "j0", columns());
  }

  private Panel panel(Panel.Side side, int input, int line, int along, String first, Affine lines) {
    IndexFunction index = s.step().inputs().get(input).index();
    boolean left = side == Panel.Side.LEFT;
    int ofDepth = TiledProduct.width(tile, ofDepth(), index, along);
    boolean turns = tile.form() != Panel.Form.HALF;
    boolean vectorLines =
        turns && lines.isAlwaysMultipleOf(4) && TiledProduct.isVector(index, line);
    boolean alongDepth =
        ofDepth > 1 || (!vectorLines && index.axes().get(along).stride().isSingle());
    String lineStride =
        left && joined
            ? IndexText.affine(Lines.of(index).orElseThrow().stride())
            : IndexText.affine(index.axes().get(line).stride()) + (left ? "" : "L");
    MatrixSource source =
        new MatrixSource(
            s.pointer(input),
            base(index),
            first,
            lineStride,
            index.axes().get(along).stride(),
            lines.isAlwaysMultipleOf(left ? tile.rows() : tile.columns())
                ? ""
                : IndexText.affine(lines),
            depthGuard(),
            false);
    return new Panel(
        side,
        tile.items(),
        left ? tile.rows() : tile.columns(),
        tile.depth(),
        ofDepth > 1 ? ofDepth : vectorLines ? 4 : 1,
        alongDepth,
        s.type(input),
        tile.form(),
        source);
  }

  /* Text of the offset of an operand's first element in this product. */
  private String base(IndexFunction index) {
    List<Affine> shape = index.shape();
    List<Coordinate> at = new ArrayList<>();
    if (joined) {
      shape.forEach(_ -> at.add(Coordinate.ZERO));
    } else {
      at.addAll(leading(shape));
      at.add(Coordinate.ZERO);
      at.add(Coordinate.ZERO);
    }
    return IndexText.offset(index, at);
  }
}
