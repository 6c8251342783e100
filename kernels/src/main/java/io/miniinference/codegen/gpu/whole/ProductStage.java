package io.miniinference.codegen.gpu.whole;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.Decoding;
import io.miniinference.codegen.gpu.tile.TiledProduct;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import io.miniinference.plan.Block;
import io.miniinference.plan.planner.Placement;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A product of rows with a matrix of weights. A work item owns four columns of a row, and every so
/// many of their products; the sums of all parts meet in local memory, where one work item adds
/// them up in their order.
final class ProductStage implements Stage {
  private static final int COLUMNS = 4;

  /// Most parts of the products of an element.
  private static final long MOST_PARTS = 32;

  /// Fewest products of a part.
  private static final long LEAST_PRODUCTS = 4;

  private static final String SUMS = "@local float4* sums = (@local float4*)(lane + %d);";

  private static final Template PART =
      Template.of(
          "part of a product",
          """
          float4 sum = @splat(4, 0);
          for (int k = (int)part; k < $depth; k += $parts) {
            sum = fma(@splat(4, $left), $right, sum);
          }
          sums[(i0 * $parts + part) * $fours + four] = sum;
          """);

  private static final Template RESULT =
      Template.of(
          "result of a product",
          """
          float4 sum = sums[i0 * $parts * $fours + four];
          for (int part = 1; part < $parts; part++) sum += sums[(i0 * $parts + part) * $fours + four];
          $lanes
          """);

  private static final Template LANE =
      Template.of(
          "column of a product",
          """
          if (four * 4 + $lane < $columns) {
            const long i1 = four * 4 + $lane;
            const float result = sum.$part;
            $store
          }
          """);

  private final LoweredStep step;
  private final TensorType a;
  private final TensorType y;
  private final Block sums;

  private ProductStage(LoweredStep step, int scratch) {
    this.step = step;
    a = step.node().inputs().getFirst().type();
    y = step.node().output().type();
    Affine bytes = y.dim(0).times(parts() * fours() * COLUMNS * Float.BYTES);
    sums = new Block(scratch, step.node().name() + " sums", bytes, Block.Space.ARENA);
  }

  /// Empty where the operands are no matrices of floats, or the right one is no weight.
  ///
  /// @param scratch id of a block for its sums
  static Optional<ProductStage> of(LoweredStep step, Op.MatMul op, int scratch) {
    List<TensorType> types = step.node().operandValues().stream().map(v -> v.type()).toList();
    boolean fits =
        types.stream().allMatch(type -> type.rank() == 2 && type.element() == ElementType.F32)
            && !op.transposeA()
            && step.packed().get(1)
            && types.getFirst().dim(1).isConstant()
            && !step.node().output().type().dim(0).isConstant();
    return fits ? Optional.of(new ProductStage(step, scratch)) : Optional.empty();
  }

  @Override
  public LoweredStep step() {
    return step;
  }

  @Override
  public List<Block> scratch() {
    return List.of(sums);
  }

  private long depth() {
    return a.dim(1).asConstant();
  }

  private long columns() {
    return y.dim(1).asConstant();
  }

  private long fours() {
    return Math.ceilDiv(columns(), (long) COLUMNS);
  }

  /* As many as give a row's elements to all work items; they are the same for any number of rows,
  so that the order of sums is. */
  private long parts() {
    long shared = Math.clamp(ITEMS / Math.max(1, fours()), 1, MOST_PARTS);
    long parts = Math.clamp(depth() / LEAST_PRODUCTS, 1, shared);
    return Long.highestOneBit(parts);
  }

  @Override
  public void write(KernelText text, Placement memory) {
    StepText s = new StepText(step, text);
    text.line(SUMS.formatted(memory.offsetBytes(sums)));
    text.line(Places.each(partsOfRows(), "", part(s)));
    text.line("@barrier;");
    text.line(Places.each(foursOfRows(), "", result(s)));
  }

  private Decoding partsOfRows() {
    return new Decoding(
        List.of(
            new Decoding.Coordinate("i0", y.dim(0)),
            new Decoding.Coordinate("part", Affine.of(parts())),
            new Decoding.Coordinate("four", Affine.of(fours()))));
  }

  private Decoding foursOfRows() {
    return new Decoding(
        List.of(
            new Decoding.Coordinate("i0", y.dim(0)),
            new Decoding.Coordinate("four", Affine.of(fours()))));
  }

  private Template.Filling part(StepText s) {
    String right = "k * %dL + four * 4".formatted(fours() * COLUMNS);
    return PART.with("depth", depth())
        .with("parts", parts())
        .with("fours", fours())
        .with("left", s.read(0, List.of(Coordinate.of("i0"), Coordinate.of("k"))))
        .with("right", s.type(1).readFour(s.pointer(1), right));
  }

  private Template.Filling result(StepText s) {
    return RESULT
        .with("parts", parts())
        .with("fours", fours())
        .with(
            "lanes",
            IntStream.range(0, COLUMNS)
                .mapToObj(lane -> lane(s, lane))
                .collect(Collectors.joining("\n")));
  }

  private String lane(StepText s, int lane) {
    List<Coordinate> at = List.of(Coordinate.of("i0"), Coordinate.of("i1"));
    return LANE.with("lane", lane)
        .with("columns", columns())
        .with("part", TiledProduct.PARTS.charAt(lane))
        .with("store", s.stored(s.epilogue("result", ElementType.F32, at), at))
        .text();
  }
}
