package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.Template;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The register tiles of a packed product as text: a whole one, and smaller ones for the rows
/// behind the last. The text follows from what is named here alone, so that equal tiles, of layers
/// that are alike and of other shapes, have the same text.
///
/// @param rows of a whole tile
/// @param vectors of sixteen columns each
/// @param weights how they are stored
/// @param depth of the product, K
/// @param columns of the result
/// @param isWhole whether no rows are left behind the last whole tile
/// @param left where the rows of the left operand lie
/// @param result per row of a tile, where it is stored
/// @param sum what is stored
public record ProductTile(
    int rows,
    int vectors,
    Weights weights,
    long depth,
    int columns,
    boolean isWhole,
    Left left,
    List<Place> result,
    Sum sum) {
  /// Rows of a smaller tile, for those that a whole one leaves.
  private static final int FEWER_ROWS = 4;

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
            const $sums raw = $product;
            $stores
          }
          """);

  private static final Template WHOLE =
      Template.of(
          "packed product, store a vector",
          """
          if ($condition) {
            $prepare
            $store
          }
          """);

  /* The last lanes alone: a whole vector would reach into the next row. */
  private static final Template PARTIAL =
      Template.of(
          "packed product, store lanes",
          """
          ${else}if (c < $columns) {
            const int left = min(16, (int)($columns - c));
            $loads
            $store
          }
          """);

  public ProductTile {
    result = List.copyOf(result);
  }

  /// The left operand's rows of a tile.
  ///
  /// @param first text of where the first of them lies, if they lie in lines
  /// @param gathered how each is found, if indices name them
  /// @param elements per row, text of its element at depth `k`
  public record Left(
      Optional<String> first, Optional<GatheredRows> gathered, List<String> elements) {
    public Left {
      elements = List.copyOf(elements);
    }
  }

  /// Text of how row `m` of an operand is found whose rows indices name.
  ///
  /// @param check declares `ok`, where an index may name none
  /// @param start where the row lies
  /// @param mayBeNone whether an index may name none
  public record GatheredRows(String check, String start, boolean mayBeNone) {}

  /// Text of where a row of a tile is stored.
  ///
  /// @param start offset of its first element
  /// @param others declarations of where else than there operands of the epilogue lie
  public record Place(String start, String others) {}

  /// What is stored of the sums, `raw`: what an epilogue makes of them and of what it reads.
  ///
  /// @param types of what the epilogue reads, `raw` first
  /// @param stored the type of the result
  /// @param whole per operand of the epilogue, text of sixteen of its values
  /// @param part the same where lanes are stored one by one
  /// @param loads statements ahead of these
  public record Sum(
      @Nullable Expr epilogue,
      List<ElementType> types,
      ElementType stored,
      List<String> whole,
      List<String> part,
      String loads) {
    public Sum {
      types = List.copyOf(types);
      whole = List.copyOf(whole);
      part = List.copyOf(part);
    }
  }

  /// The tiles' text.
  public String text() {
    String whole = rows(WHOLE_TILE, rows);
    return isWhole
        ? whole
        : String.join("\n", whole, rows(ROWS_LEFT, FEWER_ROWS), rows(ROWS_LEFT, 1));
  }

  private String rows(Template template, int count) {
    return template.with("count", count).with("tile", tile(count)).text();
  }

  private String tile(int count) {
    String stored = storesOfVector();
    return TILE.with("lines", openLines(count))
        .with("zeros", zeros(count))
        .with("depth", depth)
        .with("products", product(count))
        .with("stores", lines(count, r -> stores(r, stored)))
        .text();
  }

  private String zeros(int count) {
    return lines(count, r -> lines(vectors, v -> weights.sums() + " " + acc(r, v) + " = 0;"));
  }

  private static String lines(int count, IntFunction<String> line) {
    return IntStream.range(0, count).mapToObj(line).collect(Collectors.joining("\n"));
  }

  private String product(int count) {
    String read =
        lines(
            vectors,
            v ->
                "const %s w%d = %s;"
                    .formatted(weights.sums(), v, weights.load(v, "w + k * " + lanes())));
    return read + "\n" + lines(count, this::multiply);
  }

  /* Declares pointers `a0`, `a1`, … to the rows of the tile, or `a` to the first of them. */
  private String openLines(int count) {
    return left.gathered()
        .map(it -> gatherLines(it, count))
        .orElseGet(() ->
            left.first()
                .map(it -> "@global const " + weights.factor() + "* a = " + pointer(it) + ";")
                .orElse(""));
  }

  private String pointer(String first) {
    return weights.areFours() ? "(@global const int*)(x0 + " + first + ")" : "x0 + " + first;
  }

  /* A row whose index is bad is read where there is something, and is zero when it is stored: the
  product has no condition inside. */
  private static String gatherLines(GatheredRows gathered, int count) {
    return GATHERED
        .with("rows", count)
        .with("row", "row")
        .with("check", gathered.check())
        .with("start", gathered.start())
        .with("isThere", gathered.mayBeNone() ? "ok" : "1")
        .with("pointers", lines(count, r -> "@global const float* a" + r + " = at_row[" + r + "];"))
        .text();
  }

  private String multiply(int r) {
    return weights.areFours() ? multiplyFours(r) : multiplyFloats(r);
  }

  private String multiplyFours(int r) {
    String sums =
        IntStream.range(0, vectors)
            .mapToObj(v -> " %1$s = dot_bytes(%1$s, s, w%2$d);".formatted(acc(r, v), v))
            .collect(Collectors.joining());
    return "{ const int s = " + left.elements().get(r) + ";" + sums + " }";
  }

  private String multiplyFloats(int r) {
    StringBuilder text = new StringBuilder("{ const float16 s = @splat(16, ");
    text.append(left.elements().get(r)).append(");");
    for (int v = 0; v < vectors; v++) {
      String acc = acc(r, v);
      text.append(' ').append(acc).append(" = fma(s, w").append(v).append(", ").append(acc);
      text.append(");");
    }
    return text.append(" }").toString();
  }

  private static String acc(int r, int v) {
    return "c" + r + "_" + v;
  }

  private String stores(int r, String stored) {
    Place place = result.get(r);
    return lines(
        vectors,
        v ->
            STORE
                .with("from", v * VectorText.LANES)
                .with("start", place.start())
                .with("places", place.others())
                .with("sums", weights.sums())
                .with("product", product(r, v))
                .with("stores", stored)
                .text());
  }

  private String product(int r, int v) {
    boolean isAsked = left.gathered().filter(GatheredRows::mayBeNone).isPresent();
    return isAsked ? "is_row[" + r + "] ? " + acc(r, v) + " : @splat(16, 0)" : acc(r, v);
  }

  private int lanes() {
    return vectors * VectorText.LANES;
  }

  /* Of a whole vector and of the last lanes, which are the same for all rows. */
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

  private VectorText.Written stored(List<String> operands) {
    return VectorText.epilogue(sum.epilogue(), sum.stored(), sum.types(), "raw", operands::get);
  }

  private String whole(String condition) {
    VectorText.Written value = stored(sum.whole());
    return WHOLE
        .with("condition", condition)
        .with("prepare", value.statements())
        .with("store", new LaneArray(sum.stored()).store(value.value(), "y + at"))
        .text();
  }

  private String partial(String otherwise) {
    VectorText.Written value = stored(sum.part());
    return PARTIAL
        .with("else", otherwise)
        .with("columns", columns)
        .with("loads", value.after(sum.loads()))
        .with("store", new LaneArray(sum.stored()).store("left", value.value(), "y + at"))
        .text();
  }
}
