package io.miniinference.codegen.gpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.AttentionPart;
import io.miniinference.codegen.gpu.tile.AttentionTile;
import io.miniinference.codegen.gpu.tile.Decoding;
import io.miniinference.codegen.gpu.tile.MemoryOrder;
import io.miniinference.codegen.gpu.tile.TiledProduct;
import io.miniinference.device.Launch;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Attention in one launch and without a matrix of scores in memory: keys come a block at a time,
/// and each row keeps the largest score so far and sums that are scaled by it (M. Milakov and N.
/// Gimelshein, Online normalizer calculation for softmax, 2018; T. Dao et al., FlashAttention,
/// 2022).
final class TiledAttention {
  private static final String LANES = TiledProduct.PARTS;

  private static final Template HEAD =
      Template.of(
          "attention, head",
          """
          A work-group of $items work items owns $rows rows of one matrix of the result, and goes over the keys $keys at a time;
          a work item has $rowsPerItem rows x 4 keys of scores, and then $rowsPerItem rows x $columns numbers of sums, in registers.

                                      tx * 4                          tx * $width
                            panel: +-----------+           panel: +-----------+
                    $panelDepth of each key | 64 keys   |  $panelKeys values of $size |           |
                                   +-----------+                  +-----------+
            queries: $depth           scores          weights: 64       sums
             +------+              +-----------+    +------+      +-----------+
             |      | ty * $rowsPerItem       |     z     | -> |      |      |     o     |
             +------+              +-----------+    +------+      +-----------+

          Work items of a row tell each other their largest scores, and weigh theirs by the largest so far; what was
          summed up before a larger one came is scaled down. A panel is read into registers while the one before is in use.
          """);

  private static final Template KERNEL =
      Template.of(
          "attention in tiles",
          """
          const long group = (long)first + @groupId(0);
          const int t = @localId;
          const int tx = t % $across, ty = t / $across;
          const long row0 = group % $tiles * $rows;
          const long matrix = group / $tiles;
          $coordinates
          @shared float queries[$queries] @aligned;
          @shared float panel[$panel] @aligned;
          @shared float weights[$weights] @aligned;
          @shared float found[$found] @aligned;
          {
            $loadQueries
          }
          float4 z[$rowsPerItem];
          $sums
          float highest[$rowsPerItem], total[$rowsPerItem];
          @unroll
          for (int r = 0; r < $rowsPerItem; r++) { highest[r] = -INFINITY; total[r] = 0; }
          $keysRegisters
          $valuesRegisters
          $fetchFirst
          #pragma unroll 1
          for (long key = 0; key < $keys; key += $block) {
            @unroll
            for (int r = 0; r < $rowsPerItem; r++) z[r] = @splat(4, 0);
            #pragma unroll 1
            for (int d0 = 0; d0 < $depth; d0 += $panelDepth) {
              $storeKeys
              @barrier;
              if (d0 + $panelDepth < $depth) {
                $fetchKeys
              } else {
                $fetchValues
              }
              @unrollBy4
              for (int d = 0; d < $panelDepth; d++) {
                $multiplyKeys
              }
              @barrier;
            }
            @unroll
            for (int r = 0; r < $rowsPerItem; r++) {
              $scored
              found[(ty * $rowsPerItem + r) * $across + tx] = fmax(fmax(z[r].x, z[r].y), fmax(z[r].z, z[r].w));
            }
            @barrier;
            @unroll
            for (int r = 0; r < $rowsPerItem; r++) {
              @local const float* all = found + (ty * $rowsPerItem + r) * $across;
              float now = highest[r];
              @unroll
              for (int i = 0; i < $across; i++) now = fmax(now, all[i]);
              const float base = now == -INFINITY ? 0.0f : now;
              const float kept = highest[r] == -INFINITY ? 0.0f : exp_of_weight(highest[r] - base);
              highest[r] = now;
              $weighed
              total[r] = fma(total[r], kept, (z[r].x + z[r].y) + (z[r].z + z[r].w));
              $scaled
            }
            $storeWeights
            #pragma unroll 1
            for (int j0 = 0; j0 < $block && key + j0 < $keys; j0 += $panelKeys) {
              $storeValues
              @barrier;
              if (j0 + $panelKeys < $block && key + j0 + $panelKeys < $keys) {
                $fetchNextValues
              } else if (key + $block < $keys) {
                $fetchNextKeys
              }
              @unrollBy4
              for (int j = 0; j < $panelKeys; j++) {
                $multiplyValues
              }
              @barrier;
            }
          }
          @unroll
          for (int r = 0; r < $rowsPerItem; r++) found[(ty * $rowsPerItem + r) * $across + tx] = total[r];
          @barrier;
          @unroll
          for (int r = 0; r < $rowsPerItem; r++) {
            const long row = row0 + ty * $rowsPerItem + r;
            if (row < $count) {
              @local const float* all = found + (ty * $rowsPerItem + r) * $across;
              float sum = 0;
              @unroll
              for (int i = 0; i < $across; i++) sum += all[i];
              const float share = 1 / sum;
              $store
            }
          }
          """);

  private static final Template SCORE =
      Template.of(
          "attention, score",
          """
          {
            const long col = key + tx * 4 + $lane;
            z[r].$part = col < $keys ? z[r].$part * $scale$mask : -INFINITY;
          }
          """);

  private static final Template STORE_LANE =
      Template.of(
          "attention, store",
          """
          {
            const long col = $column;
            if (col < $size) {
              const float result = $value;
              $store
            }
          }
          """);

  private static final Template STORE_VECTOR =
      Template.of(
          "attention, store four",
          """
          {
            const long col = $column;
            if (col < $size) {
              const float4 result = $value;
              $store
            }
          }
          """);

  private final LoweredStep step;
  private final Op.Attention op;
  private final AttentionTile tile;
  private final StepText s;
  private final List<Affine> shape;
  private final Affine rows;
  private final Affine keys;

  private TiledAttention(LoweredStep step, Op.Attention op, AttentionTile tile) {
    this.step = step;
    this.op = op;
    this.tile = tile;
    s = new StepText(step, AttentionTile.ITEMS);
    shape = step.node().output().type().shape();
    rows = rows(step.node());
    keys = keys(step.node(), op);
  }

  private static Affine rows(Node node) {
    List<Affine> shape = node.output().type().shape();
    return shape.get(shape.size() - 2);
  }

  /// Keys that each row sees.
  static Affine keys(Node node, Op.Attention op) {
    TensorType keys = node.inputs().get(1).type();
    return keys.dim(keys.rank() - (op.rowsOfKeys() ? 2 : 1));
  }

  /// How work-groups share out attention, if it is of this kind.
  static Optional<AttentionTile> tile(Node node, Op.Attention op) {
    Affine depth = node.inputs().getFirst().type().shape().getLast();
    Affine size = node.output().type().shape().getLast();
    return isFixed(depth)
            && isFixed(size)
            && isCount(rows(node))
            && isCount(keys(node, op))
            && node.epilogue() == null
            && node.inputs().stream().allMatch(v -> CType.of(v.type().element()).isFloat())
        ? AttentionTile.of(groups(node), (int) depth.constant(), (int) size.constant())
        : Optional.empty();
  }

  private static boolean isFixed(Affine size) {
    return isCount(size) && !size.isOpen();
  }

  private static boolean isCount(Affine size) {
    return size.isConstant() && size.constant() > 0 && size.constant() < 1 << 30;
  }

  /* Work-groups of large tiles that one request of a batch has. */
  private static long groups(Node node) {
    List<Affine> shape = node.output().type().shape();
    long matrices =
        shape.subList(0, shape.size() - 2).stream()
            .mapToLong(size -> size.isConstant() ? size.typical() : size.perBatch())
            .reduce(1, (a, b) -> a * b);
    return matrices * Math.ceilDiv(rows(node).typical(), 4L * AttentionTile.DOWN);
  }

  /// The kernel of a step that has this [#tile].
  static KernelText.Written write(LoweredStep step, Op.Attention op, AttentionTile tile) {
    return new TiledAttention(step, op, tile).write();
  }

  private KernelText.Written write() {
    s.text().head(head()).add(kernel());
    Affine tiles = matrices().times(Math.ceilDiv(rows.constant(), tile.rows()));
    return new KernelText.Written(
        s.text(), new Launch.Groups(List.of(new Launch.Extent(tiles, 1, AttentionTile.ITEMS))));
  }

  private String head() {
    return HEAD.with("items", AttentionTile.ITEMS)
        .with("rows", tile.rows())
        .with("keys", AttentionTile.KEYS)
        .with("rowsPerItem", tile.rowsPerItem())
        .with("columns", tile.vectors() * tile.width())
        .with("width", tile.width())
        .with("panelDepth", "%2d".formatted(tile.panelDepth()))
        .with("panelKeys", "%2d".formatted(tile.panelKeys()))
        .with("size", "%3d".formatted(tile.size()))
        .with("depth", "%3d".formatted(tile.depth()))
        .text();
  }

  private Affine matrices() {
    return shape.subList(0, shape.size() - 2).stream().reduce(Affine.ONE, Affine::times);
  }

  private Template.Filling kernel() {
    AttentionPart queries = queries();
    AttentionPart keyPart = keyPart();
    AttentionPart values = values();
    String count = IndexText.affine(rows);
    String allKeys = IndexText.affine(keys);
    return KERNEL
        .with("across", AttentionTile.ACROSS)
        .with("tiles", tilesOfRows())
        .with("rows", tile.rows())
        .with("coordinates", coordinates())
        .with("queries", tile.panels() * tile.panelDepth() * tile.pitch())
        .with("panel", tile.panel())
        .with("weights", AttentionTile.KEYS * tile.pitch())
        .with("found", tile.rows() * AttentionTile.ACROSS)
        .with("loadQueries", loadQueries(queries, count))
        .with("rowsPerItem", tile.rowsPerItem())
        .with("sums", sums())
        .with("keysRegisters", keyPart.declaration())
        .with("valuesRegisters", values.declaration())
        .with("fetchFirst", keyPart.fetch("0", allKeys, "0"))
        .with("keys", allKeys)
        .with("block", AttentionTile.KEYS)
        .with("depth", tile.depth())
        .with("panelDepth", tile.panelDepth())
        .with("storeKeys", keyPart.store("0"))
        .with("fetchKeys", keyPart.fetch("key", allKeys, "d0 + " + tile.panelDepth()))
        .with("fetchValues", values.fetch("key", allKeys, "0"))
        .with("multiplyKeys", multiplyKeys())
        .with("scored", each(LANES.length(), this::scored))
        .with("weighed", each(LANES.length(), TiledAttention::weighed))
        .with("scaled", each(sumsPerRow(), k -> sum(k, "r") + " *= " + splat("kept") + ";"))
        .with("storeWeights", storeWeights())
        .with("panelKeys", tile.panelKeys())
        .with("storeValues", values.store("0"))
        .with("fetchNextValues", values.fetch("key + j0 + " + tile.panelKeys(), allKeys, "0"))
        .with("fetchNextKeys", keyPart.fetch("key + " + AttentionTile.KEYS, allKeys, "0"))
        .with("multiplyValues", multiplyValues())
        .with("count", count)
        .with("store", store());
  }

  private static String each(int count, IntFunction<String> statement) {
    return IntStream.range(0, count).mapToObj(statement).collect(Collectors.joining("\n"));
  }

  private String tilesOfRows() {
    return rows.isOpen()
        ? IndexText.quotient(rows.constant(), tile.rows())
        : Long.toString(Math.ceilDiv(rows.constant(), tile.rows()));
  }

  private String coordinates() {
    List<Integer> axes =
        IntStream.range(0, shape.size() - 2)
            .filter(axis -> !shape.get(axis).isSingle())
            .boxed()
            .toList();
    return Decoding.of(shape, axes).declarations("matrix");
  }

  /* Coordinates of an operand or the result, in the axes before its matrix. */
  private List<Coordinate> leading(List<Affine> operand) {
    List<Affine> axes = shape.subList(0, shape.size() - 2);
    return new ArrayList<>(
        IndexText.broadcast(
            operand.subList(0, operand.size() - 2), axes, MemoryOrder.coordinates(axes)));
  }

  private AttentionPart part(
      String name, int input, int along, int lines, int part, AttentionPart.Place place) {
    IndexFunction index = step.inputs().get(input).index();
    List<Coordinate> at = leading(step.node().inputs().get(input).type().shape());
    at.add(Coordinate.ZERO);
    at.add(Coordinate.ZERO);
    String base = IndexText.offset(index, at);
    return new AttentionPart(
        name, s.pointer(input), s.type(input), base, index, along, lines, part, place);
  }

  private AttentionPart queries() {
    int last = step.inputs().getFirst().index().rank() - 1;
    var place = new AttentionPart.Place("queries", tile.pitch(), true);
    return part("q", 0, last, tile.rows(), tile.panelDepth(), place);
  }

  private AttentionPart keyPart() {
    int rank = step.inputs().get(1).index().rank();
    var place = new AttentionPart.Place("panel", AttentionTile.pitchOfKeys(), true);
    int along = rank - (op.rowsOfKeys() ? 1 : 2);
    return part("k", 1, along, AttentionTile.KEYS, tile.panelDepth(), place);
  }

  private AttentionPart values() {
    int last = step.inputs().get(2).index().rank() - 1;
    var place = new AttentionPart.Place("panel", tile.padded(), false);
    return part("v", 2, last, tile.panelKeys(), tile.padded(), place);
  }

  private String loadQueries(AttentionPart queries, String count) {
    return queries.declaration()
        + "\n"
        + each(
            tile.panels(),
            panel -> {
              String from = Integer.toString(panel * tile.panelDepth());
              return queries.fetch("row0", count, from) + "\n" + queries.store(from);
            });
  }

  /* Of one row: vectors of four, or numbers where there are fewer. */
  private int sumsPerRow() {
    return tile.width() == 4 ? tile.vectors() : tile.width();
  }

  private String sums() {
    String type = tile.width() == 4 ? "float4" : "float";
    int number = sumsPerRow() * tile.rowsPerItem();
    return "%s o[%d];\n@unroll\nfor (int i = 0; i < %2$d; i++) o[i] = %s;"
        .formatted(type, number, splat("0"));
  }

  private String splat(String number) {
    return tile.width() == 4 ? "@splat(4, " + number + ")" : number;
  }

  private String sum(int vector, String row) {
    return "o[" + vector * tile.rowsPerItem() + " + " + row + "]";
  }

  /* Declares what lies beside each other for the rows of a work item, and tells how each is called. */
  private String rowsAt(String array, String line) {
    String place =
        "%s + (%s) * %d + ty * %d".formatted(array, line, tile.pitch(), tile.rowsPerItem());
    return tile.rowsPerItem() == 4
        ? "const float4 a = *(@local const float4*)(" + place + ");"
        : "@local const float* a = " + place + ";";
  }

  private String row(int r) {
    return tile.rowsPerItem() == 4 ? "a." + LANES.charAt(r) : "a[" + r + "]";
  }

  private String multiplyKeys() {
    return rowsAt("queries", "d0 + d")
        + "\nconst float4 b = ((@local const float4*)(panel + d * %d))[tx];\n"
            .formatted(AttentionTile.pitchOfKeys())
        + each(
            tile.rowsPerItem(),
            r -> "z[%d] = fma(@splat(4, %s), b, z[%1$d]);".formatted(r, row(r)));
  }

  private String multiplyValues() {
    return rowsAt("weights", "j0 + j") + "\n" + each(sumsPerRow(), this::multiplyValues);
  }

  private String multiplyValues(int k) {
    String value =
        tile.width() == 4
            ? "const float4 b%d = ((@local const float4*)(panel + j * %d + %d))[tx];"
                .formatted(k, tile.padded(), k * 4 * AttentionTile.ACROSS)
            : "const float b%d = panel[j * %d + tx * %d + %1$d];"
                .formatted(k, tile.padded(), tile.width());
    return value
        + "\n"
        + each(
            tile.rowsPerItem(),
            r -> {
              String o = sum(k, Integer.toString(r));
              return "%s = fma(%s, b%d, %1$s);".formatted(o, splat(row(r)), k);
            });
  }

  private String scored(int lane) {
    return SCORE
        .with("lane", lane)
        .with("part", LANES.charAt(lane))
        .with("keys", IndexText.affine(keys))
        .with("scale", Float.toString((float) op.scale()) + "f")
        .with("mask", step.node().inputs().size() > Op.Attention.MASK ? " + " + mask() : "")
        .text();
  }

  private String mask() {
    int input = Op.Attention.MASK;
    List<Affine> scores = new ArrayList<>(shape.subList(0, shape.size() - 1));
    scores.add(keys);
    List<Coordinate> at = new ArrayList<>(MemoryOrder.coordinates(scores));
    String row =
        "min(row0 + ty * %d + r, %s - 1L)".formatted(tile.rowsPerItem(), IndexText.affine(rows));
    at.set(scores.size() - 2, Coordinate.of(row));
    at.set(scores.size() - 1, Coordinate.of("col"));
    List<Affine> own = step.node().inputs().get(input).type().shape();
    return s.read(input, IndexText.broadcast(own, scores, at));
  }

  private static String weighed(int lane) {
    return "z[r].%c = exp_of_weight(z[r].%1$c - base);".formatted(LANES.charAt(lane));
  }

  private String storeWeights() {
    return each(
        LANES.length(),
        lane -> {
          String place =
              "weights + (tx * 4 + %d) * %d + ty * %d"
                  .formatted(lane, tile.pitch(), tile.rowsPerItem());
          return "{\n"
              + (tile.rowsPerItem() == 4 ? vector(lane, place) : lanes(lane, place))
              + "\n}";
        });
  }

  private static String vector(int lane, String place) {
    return "float4 w;\n"
        + each(4, r -> "w.%c = z[%d].%c;".formatted(LANES.charAt(r), r, LANES.charAt(lane)))
        + "\n*(@local float4*)("
        + place
        + ") = w;";
  }

  private String lanes(int lane, String place) {
    return "@local float* w = "
        + place
        + ";\n"
        + each(tile.rowsPerItem(), r -> "w[%d] = z[%1$d].%s;".formatted(r, LANES.charAt(lane)));
  }

  private List<Coordinate> place() {
    List<Coordinate> at = leading(shape);
    at.add(Coordinate.of("row"));
    at.add(Coordinate.of("col"));
    return at;
  }

  private boolean storesVectors() {
    return tile.width() == 4
        && tile.size() % 4 == 0
        && TiledProduct.isVector(step.output().index(), shape.size() - 1);
  }

  private String store() {
    int width = tile.width();
    return each(
        tile.vectors(),
        v -> {
          String first = v * width * AttentionTile.ACROSS + " + tx * " + width;
          return storesVectors()
              ? storeVector(v, first)
              : each(width, lane -> storeLane(width == 4 ? v : lane, lane, first));
        });
  }

  private String storeVector(int v, String column) {
    String index = IndexText.offset(step.output().index(), place());
    return STORE_VECTOR
        .with("column", column)
        .with("size", tile.size())
        .with("value", blind(sum(v, "r") + " * @splat(4, share)", "@splat(4, 0)"))
        .with("store", s.outputType().writeFour(s.output(), index, "result"))
        .text();
  }

  private String storeLane(int sum, int lane, String column) {
    String part = tile.width() == 4 ? "." + LANES.charAt(lane) : "";
    return STORE_LANE
        .with("column", column + " + " + lane)
        .with("size", tile.size())
        .with("value", blind(sum(sum, "r") + part + " * share", "0"))
        .with("store", s.stored("result", place()))
        .text();
  }

  /* Exponentials add up to 0 where all scores are −∞. */
  private String blind(String value, String zero) {
    return switch (op.blind()) {
      case NAN -> value;
      case ZERO_FOR_NAN -> "sum > 0 ? " + value + " : " + zero;
      case ZERO -> "sum == 0 ? " + zero + " : " + value;
    };
  }
}
