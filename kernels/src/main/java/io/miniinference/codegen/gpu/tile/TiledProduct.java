package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The text of an `f32` product by tiles in local memory: two buffers, so that a panel is fetched
/// while the one before is in use; every work item reaches every barrier. What is stored goes
/// through the epilogue first.
///
/// @param s the step
/// @param tile how the work is shared out
/// @param depth products per element
/// @param rows text of the number of rows; row numbers start at variable `m0`
/// @param columns number of columns; column numbers start at variable `j0`
/// @param left panel of the left operand
/// @param right panel of the right operand
/// @param decoding coordinates of a row
/// @param at coordinates of an element of the result; the column is variable `col`
/// @param columnAxis axis of the result along which columns are
/// @param range of the depth that is summed up
public record TiledProduct(
    StepText s,
    ProductTile tile,
    long depth,
    String rows,
    Affine columns,
    Panel left,
    Panel right,
    Decoding decoding,
    List<Coordinate> at,
    int columnAxis,
    Range range) {
  /// What is summed up of the depth.
  ///
  /// @param begin text of the first product
  /// @param end text of where the products end
  /// @param padded floats in a row of the variable `partSums`, where sums go that are no result yet
  ///   and have no epilogue; null where sums are the result
  public record Range(String begin, String end, @Nullable Long padded) {
    public static Range whole(long depth) {
      return new Range("0", Long.toString(depth), null);
    }
  }

  private static final Template STORE_SUMS =
      Template.of(
          "product, store sums",
          """
          if (col0 < $padded) {
            @global float* sum = partSums + m * $padded + col0;
            sum[0] = $four.x;
            sum[1] = $four.y;
            sum[2] = $four.z;
            sum[3] = $four.w;
          }
          """);

  /// Components of a `float4`.
  public static final String PARTS = "xyzw";

  private static final Template ITEM =
      Template.of(
          "product, work item",
          """
          const int t = @localId;
          $slice
          const int tx = $place % $across, ty = $place / $across;
          """);

  private static final Template PRODUCT =
      Template.of(
          "product",
          """
          $left
          $right
          float4 c[$rowsPerItem];
          @unroll
          for (int i = 0; i < $rowsPerItem; i++) c[i] = @splat(4, 0);
          $fetchFirst
          $storeFirst
          @barrier;
          $decide
          int buffer = 0;
          #pragma unroll 1
          for (int k0 = $begin; k0 < $end; k0 += $panel) {
            const int next = k0 + $panel;
            if (next < $end) {
              $fetchNext
            }
            @unrollBy4
            for (int k = 0; k < $depthOfSlice; k++) {
              @local const float4* pa = (@local const float4*)(as + $row * $pitch);
              const float4 b = ((@local const float4*)(bs + $row * $columns))[tx];
              @unroll
              for (int i = 0; i < $vectorsOfRows; i++) {
                const float4 a = pa[ty + i * $down];
                c[4 * i + 0] = fma(@splat(4, a.x), b, c[4 * i + 0]);
                c[4 * i + 1] = fma(@splat(4, a.y), b, c[4 * i + 1]);
                c[4 * i + 2] = fma(@splat(4, a.z), b, c[4 * i + 2]);
                c[4 * i + 3] = fma(@splat(4, a.w), b, c[4 * i + 3]);
              }
            }
            buffer ^= 1;
            if (next < $end) {
              $storeNext
            }
            @barrier;
          }
          $stores
          """);

  private static final Template STORES =
      Template.of(
          "product, stores",
          """
          @unroll
          for (int i = 0; i < $rowsPerItem; i++) {
            const long m = m0 + i / 4 * $rowsApart + ty * 4 + i % 4;
            $finish
          }
          """);

  private static final Template FINISH =
      Template.of(
          "product, finish four",
          """
          if (m < $rows) {
            $coordinates
            const long col0 = j0 + tx * 4;
            $store
          }
          """);

  /* The panels are no longer needed: sums go through their memory. Each slice finishes the row of
  its number of all work items, so that all of them have a share of the epilogue: it adds what the
  slices have of it, in their order. */
  private static final Template SLICES =
      Template.of(
          "product, slices",
          """
          @local float4* sums = (@local float4*)as;
          @unroll
          for (int i = 0; i < $slices; i++) {
            if (i != slice) sums[(i * $others + slice - (slice > i)) * $items + place] = c[i];
          }
          @barrier;
          float4 own = c[0];
          @unroll
          for (int i = 1; i < $slices; i++) {
            if (i == slice) own = c[i];
          }
          float4 four = slice == 0 ? own : sums[slice * $others * $items + place];
          @unroll
          for (int i = 1; i < $slices; i++) {
            four += i == slice ? own : sums[(slice * $others + i - (i > slice)) * $items + place];
          }
          const long m = m0 + ty * 4 + slice;
          $finish
          """);

  private static final Template STORE_VECTOR =
      Template.of(
          "product, store four",
          """
          if (col0 < $columns) {
            $epilogue
            const long col = col0;
            $store
          }
          """);

  private static final Template LANE =
      Template.of(
          "product, lane",
          """
          if (col0 + $lane < $columns) {
            const long col = col0 + $lane;
            $statement
          }
          """);

  private static final Template APPLY =
      Template.of(
          "product, epilogue",
          """
          {
            const long col = col0 + $lane;
            const float result = $four.$part;
            $four.$part = $value;
          }
          """);

  /// What a reader should know of any product by tiles.
  private static final Template HEAD =
      Template.of(
          "product, head",
          """
          A work-group of $items owns $rows x $columns elements of C = A x B; a work item $rowsPerItem x 4 of them, in registers.

                                    j0 + tx * 4
                              bs: +-------------+
                          $depth of B |      b      |  one float4 for all rows of a work item
                                  +-------------+
                  as: $depth of A
                   +-----+        +-------------+
            m0 +   |     |        |  c[0].xyzw  |
            ty * 4 |  a  |        |  ...        |  c[4 * i + j] += a.j * b
                   |     |        |  c[${last}].xyzw  |
                   +-----+        +-------------+

          A: $left.
          B: $right.
          Both panels are in local memory twice: while one is multiplied, the next is on its way in registers.
          as is transposed and $pitch floats apart, so that four rows are one read and neighbours are in other banks.
          $slices
          """);

  /// The work item's place in its tile; needed before all else.
  static String item(Tile tile) {
    boolean sliced = tile.slices() > 1;
    String slice = "const int slice = t / %1$d, place = t %% %1$d;".formatted(tile.sliceItems());
    return ITEM.with("slice", sliced ? slice : "")
        .with("place", sliced ? "place" : "t")
        .with("across", tile.across())
        .text();
  }

  public void write() {
    switch (tile) {
      case Tile floats -> write(floats);
      case TensorTile tensors -> new TensorProduct(this, tensors).write();
      case HalfTile halves -> new HalfProduct(this, halves).write();
    }
  }

  private void write(Tile tile) {
    s.text().head(head(tile));
    int depthOfSlice = tile.depth() / tile.slices();
    String slice = tile.slices() > 1 ? " + slice * " + depthOfSlice : "";
    s.text()
        .add(
            PRODUCT
                .with("left", left.declarations())
                .with("right", right.declarations())
                .with("rowsPerItem", tile.rowsPerItem())
                .with("fetchFirst", fetch(range.begin()))
                .with("storeFirst", store("0"))
                .with("decide", left.source().decide())
                .with("begin", range.begin())
                .with("end", range.end())
                .with("panel", tile.depth())
                .with("fetchNext", fetch("next"))
                .with("depthOfSlice", depthOfSlice)
                .with("row", "(buffer * " + tile.depth() + slice + " + k)")
                .with("pitch", tile.pitch())
                .with("columns", tile.columns())
                .with("down", tile.down())
                .with("vectorsOfRows", tile.rowsPerItem() / 4)
                .with("storeNext", store("buffer"))
                .with("stores", tile.slices() > 1 ? slices(tile) : stores(tile)));
  }

  private String head(Tile tile) {
    String slices =
        "The depth of a panel is parted among %d slices of the work-group, whose sums are added in the end.";
    return HEAD.with("items", tile.items() + " work items")
        .with("rows", tile.rows())
        .with("columns", tile.columns())
        .with("rowsPerItem", tile.rowsPerItem())
        .with("depth", "%2d".formatted(tile.depth()))
        .with("last", tile.rowsPerItem() - 1)
        .with("left", left.about())
        .with("right", right.about())
        .with("pitch", tile.pitch())
        .with("slices", tile.slices() > 1 ? slices.formatted(tile.slices()) : "")
        .text();
  }

  private String fetch(String from) {
    return left.fetch(from) + "\n" + right.fetch(from);
  }

  private String store(String buffer) {
    return left.store(buffer) + "\n" + right.store(buffer);
  }

  private String stores(Tile tile) {
    return STORES
        .with("rowsPerItem", tile.rowsPerItem())
        .with("rowsApart", 4 * tile.down())
        .with("finish", finish("c[i]"))
        .text();
  }

  private String slices(Tile tile) {
    return SLICES
        .with("slices", tile.slices())
        .with("others", tile.slices() - 1)
        .with("items", tile.sliceItems())
        .with("finish", finish("four"))
        .text();
  }

  /// @param four variable of the sums of four columns of row `m`
  private String finish(String four) {
    return FINISH
        .with("rows", rows)
        .with("coordinates", decoding.declarations("m"))
        .with("store", storeSums(four))
        .text();
  }

  private String storeSums(String four) {
    if (range.padded() != null) {
      return STORE_SUMS.with("padded", range.padded()).with("four", four).text();
    }
    return storesVectors() ? storeVector(four) : storeEach(four);
  }

  private String storeEach(String four) {
    return lanes(part -> s.stored(s.epilogue(four + "." + part, s.element(0), at), at));
  }

  private String storeVector(String four) {
    return STORE_VECTOR
        .with("columns", IndexText.affine(columns))
        .with("epilogue", s.step().node().epilogue() == null ? "" : epilogue(four))
        .with(
            "store",
            s.outputType()
                .writeFour(s.output(), IndexText.offset(s.step().output().index(), at), four))
        .text();
  }

  /* Under the one condition of its store: with one for each lane, and ahead of all stores as on
  tensor cores, MobileNetV2 took 1 to 4 % longer on an H200. */
  private String epilogue(String four) {
    String value = s.epilogue("result", s.element(0), at);
    return IntStream.range(0, 4)
        .mapToObj(lane ->
            APPLY
                .with("four", four)
                .with("lane", lane)
                .with("part", PARTS.charAt(lane))
                .with("value", value)
                .text())
        .collect(Collectors.joining("\n"));
  }

  /* Lanes are written out: PoCL's compiler goes wrong over unrolled loops of conditions. */
  private String lanes(Function<String, String> statement) {
    return IntStream.range(0, 4)
        .mapToObj(lane ->
            LANE.with("lane", lane)
                .with("columns", IndexText.affine(columns))
                .with("statement", statement.apply(PARTS.substring(lane, lane + 1)))
                .text())
        .collect(Collectors.joining("\n"));
  }

  /// Whether the four columns of a work item are stored by one access.
  boolean storesVectors() {
    return s.outputType().isFloat()
        && columns.isAlwaysMultipleOf(4)
        && isVector(s.step().output().index(), columnAxis);
  }

  /// How many elements along an axis a panel reads at a time.
  ///
  /// @param extent along the axis
  public static int width(ProductTile tile, Affine extent, IndexFunction index, int axis) {
    if (tile.form() == Panel.Form.HALF
        && extent.isAlwaysMultipleOf(8)
        && isVector(index, axis, 8)) {
      return 8;
    }
    return extent.isAlwaysMultipleOf(4) && isVector(index, axis) ? 4 : 1;
  }

  /// Whether every fourth element along an axis starts as many aligned elements.
  public static boolean isVector(IndexFunction index, int axis) {
    return isVector(index, axis, 4);
  }

  private static boolean isVector(IndexFunction index, int axis, int lanes) {
    if (!index.offset().isAlwaysMultipleOf(lanes) || !index.axes().get(axis).stride().isSingle()) {
      return false;
    }
    for (int i = 0; i < index.rank(); i++) {
      Axis a = index.axes().get(i);
      boolean single = a.extent().isSingle();
      if (i != axis && !single && !a.stride().isAlwaysMultipleOf(lanes)) {
        return false;
      }
    }
    return true;
  }
}
