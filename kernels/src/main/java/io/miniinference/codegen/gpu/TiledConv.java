package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.Decoding;
import io.miniinference.codegen.gpu.tile.ImageSource;
import io.miniinference.codegen.gpu.tile.MatrixSource;
import io.miniinference.codegen.gpu.tile.MemoryOrder;
import io.miniinference.codegen.gpu.tile.Panel;
import io.miniinference.codegen.gpu.tile.ProductTile;
import io.miniinference.codegen.gpu.tile.TiledProduct;
import io.miniinference.device.Launch;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;

/// An `f32` convolution as a tiled product: rows are the output pixels of all images, columns the
/// output channels, depth the taps and input channels, over packed weights. Where channels are in
/// groups, a tile's columns are all of one group.
final class TiledConv {
  private static final Template TILE =
      Template.of(
          "convolution, tile",
          """
          $item
          const long m0 = ((long)first + @groupId(0)) * $rows;
          $columnsStart
          """);

  private static final Template GROUP =
      Template.of(
          "convolution, tile of a group of channels",
          """
          const int group = @groupId(1) / $tiles;
          const int j0 = group * $columnsOfGroup + @groupId(1) % $tiles * $columns;
          $x += (long)group * $step;
          """);

  private final StepText s;
  private final Op.Conv op;
  private final ProductTile tile;
  private final TensorType w;
  private final TensorType out;

  private TiledConv(LoweredStep step, Op.Conv op, ProductTile tile) {
    this.s = new StepText(step, tile.items());
    this.op = op;
    this.tile = tile;
    this.w = step.node().inputs().get(1).type();
    this.out = step.node().output().type();
  }

  static KernelText.Written write(LoweredStep step, Op.Conv op, ProductTile tile) {
    return new TiledConv(step, op, tile).write();
  }

  /// Whether images are reached by 32-bit offsets, in the order that the tile is made for.
  static boolean canWrite(LoweredStep step) {
    return GpuChoices.hasFixedStrides(step.inputs().getFirst().index());
  }

  private KernelText.Written write() {
    KernelText text = s.text();
    text.add(
        TILE.with("item", tile.place())
            .with("rows", tile.rows())
            .with("columnsStart", columnsStart()));
    List<Coordinate> at = new ArrayList<>(MemoryOrder.coordinates(out.shape()));
    at.set(1, Coordinate.of("col"));
    List<Integer> pixels = new ArrayList<>(List.of(0));
    for (int axis = 2; axis < out.rank(); axis++) {
      pixels.add(axis);
    }
    pixels.removeIf(axis -> out.dim(axis).isSingle());
    new TiledProduct(
            s,
            tile,
            depth(),
            IndexText.affine(rows()),
            out.dim(1),
            left(),
            right(),
            Decoding.of(out.shape(), pixels),
            at,
            1,
            TiledProduct.Range.whole(depth()))
        .write();
    return new KernelText.Written(
        text,
        new Launch.Groups(
            List.of(
                new Launch.Extent(rows(), tile.rows(), tile.items()),
                new Launch.Extent(out.dim(1), tile.columns(), 1))));
  }

  private String columnsStart() {
    if (op.groups() == 1) {
      return "const int j0 = @groupId(1) * %d;".formatted(tile.columns());
    }
    long columns = out.dim(1).asConstant() / op.groups();
    Affine step = s.step().inputs().getFirst().index().axes().get(1).stride();
    return GROUP
        .with("tiles", columns / tile.columns())
        .with("columnsOfGroup", columns)
        .with("columns", tile.columns())
        .with("x", s.pointer(0))
        .with("step", step.times(w.dim(1)).asConstant())
        .text();
  }

  private long depth() {
    return w.elements().asConstant() / w.dim(0).asConstant();
  }

  private Affine rows() {
    return out.shape().stream().skip(2).reduce(out.dim(0), Affine::times);
  }

  private String depthGuard() {
    return depth() % tile.depth() == 0 ? "" : Long.toString(depth());
  }

  private Panel left() {
    IndexFunction x = s.step().inputs().getFirst().index();
    int width = TiledProduct.width(tile, w.dim(1), x, 1);
    boolean alongDepth = x.axes().get(1).stride().isSingle() && w.dim(1).constant() >= 4;
    Panel.Source source =
        ImageSource.of(
            s.pointer(0),
            x,
            w.dim(1).asConstant(),
            op.window(),
            out.shape().subList(2, out.rank()),
            IndexText.affine(rows()),
            depth(),
            tile,
            width > 1 || alongDepth);
    return new Panel(
        Panel.Side.LEFT,
        tile.items(),
        tile.rows(),
        tile.depth(),
        width,
        width > 1 || alongDepth,
        s.type(0),
        tile.form(),
        source);
  }

  private Panel right() {
    return packed(s, tile, out.dim(1).asConstant(), depth(), depthGuard());
  }

  /// The panel of a packed right operand.
  ///
  /// @param depthGuard text of the depth, empty where panels end with it
  static Panel packed(StepText s, ProductTile tile, long columns, long depth, String depthGuard) {
    String pointer = s.pointer(1);
    boolean lined = tile.form() != Panel.Form.F32;
    int width = tile.form() == Panel.Form.HALF ? 8 : 4;
    long lines = lined ? columns : GpuPacking.padded(columns);
    String guard = lines % tile.columns() == 0 ? "" : Long.toString(lines);
    MatrixSource source =
        lined
            ? new MatrixSource(
                pointer, "0", "j0", paddedDepth(depth, width), Affine.ONE, guard, depthGuard, true)
            : new MatrixSource(
                pointer, "0", "j0", "1L", Affine.of(lines), guard, depthGuard, false);
    return new Panel(
        Panel.Side.RIGHT,
        tile.items(),
        tile.columns(),
        tile.depth(),
        width,
        lined,
        s.type(1),
        tile.form(),
        source);
  }

  private static String paddedDepth(long depth, int width) {
    return Math.ceilDiv(depth, (long) width) * width + "L";
  }
}
