package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.Tile;
import io.miniinference.ir.Op;
import io.miniinference.layout.Affine;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.LoweredStep;
import java.util.List;

/// A matrix product of few rows and long sums, whose tiles are too few to keep a GPU busy: several
/// work-groups share the depth of a tile and leave their sums in scratch, and a second kernel adds
/// these in the order of the depth, whence equal bits from run to run, and applies the epilogue.
/// (Known as split-K, as CUTLASS and cuBLAS have it.)
///
/// @param parts of the depth
record SplitMatMul(GpuStrategy.TiledMatMul tiled, int parts) implements GpuStrategy.Several {
  @Override
  public Algorithm algorithm(LoweredStep step) {
    return Algorithm.of("matrix product in tiles, its depth split over groups");
  }

  /// Work-groups with which each multiprocessor of a large GPU has one: an H200 has 132. With half
  /// as many tiles splitting would give each a second part at most, for a launch more.
  private static final long ENOUGH_GROUPS = 128;

  /// Fewest panels of a part: its sums are written and read again, which as many products hide.
  private static final long LEAST_PANELS = 8;

  /// A launch costs some 3 µs on a GPU, in which a work-group multiplies about as many.
  private static final long LONG_DEPTH = 2048;

  private static final long MOST_PARTS = 16;

  private static final Template ADD =
      Template.of(
          "sum of parts of a product",
          """
          $item
          float acc = 0;
          for (int part = 0; part < $parts; part++) {
            acc += sums[(part * $rows + $row) * $padded + $column];
          }
          $finish
          """);

  /// How many parts of the depth are worth their sums; 1 where none are.
  ///
  /// @param rows of one request
  static int parts(Tile tile, long rows, long columns, long depth) {
    long groups =
        Math.ceilDiv(rows, (long) tile.rows()) * Math.ceilDiv(columns, (long) tile.columns());
    long panels = Math.ceilDiv(depth, (long) tile.depth());
    long parts =
        Math.min(MOST_PARTS, Math.min(ENOUGH_GROUPS / Math.max(1, groups), panels / LEAST_PANELS));
    if (depth < LONG_DEPTH || parts < 2) {
      return 1;
    }
    long panelsOfPart = Math.ceilDiv(panels, parts);
    return (int) Math.ceilDiv(panels, panelsOfPart);
  }

  /// Memory for the sums of a result of that shape.
  static List<KernelChoice.Scratch> scratch(List<Affine> shape, int parts) {
    Affine rows = rows(shape);
    long padded = io.miniinference.codegen.gpu.TiledMatMul.padded(shape.getLast());
    return List.of(
        new KernelChoice.Scratch("sums", rows.times(padded).times(parts).times(Float.BYTES)));
  }

  private static Affine rows(List<Affine> shape) {
    return shape.subList(0, shape.size() - 1).stream().reduce(Affine.ONE, Affine::times);
  }

  @Override
  public boolean canWrite(LoweredStep step) {
    return io.miniinference.codegen.gpu.TiledMatMul.canWrite(step, tiled);
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    Op.MatMul op = (Op.MatMul) step.node().op();
    return List.of(
        io.miniinference.codegen.gpu.TiledMatMul.writeParts(step, op, tiled, failures, parts),
        sum(step));
  }

  private KernelText.Written sum(LoweredStep step) {
    StepText s = new StepText(step, Elements.LOCAL);
    s.text().head("A work item adds the sums of all parts of the depth for one element.");
    s.text().entries("sums", "float", step.scratch().getFirst().id());
    List<Affine> shape = step.node().output().type().shape();
    Elements elements = new Elements(step.output().index());
    List<Coordinate> at = elements.coordinates();
    int last = shape.size() - 1;
    s.text()
        .add(
            ADD.with("item", elements.item())
                .with("parts", parts)
                .with("rows", IndexText.affine(rows(shape)))
                .with("row", IndexText.position(shape.subList(0, last), at.subList(0, last)))
                .with("padded", io.miniinference.codegen.gpu.TiledMatMul.padded(shape.getLast()))
                .with("column", at.get(last).whole())
                .with("finish", ElementKernels.finish(s, s.element(0), at)));
    return new KernelText.Written(s.text(), elements.work());
  }
}
