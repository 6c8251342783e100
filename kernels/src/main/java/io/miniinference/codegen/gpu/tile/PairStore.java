package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.Template;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The text that applies the epilogue to a warp's sums and stores them. They lie in fragments of 16
/// × 8, of which a work item has two pairs of neighbours: of the rows `g` and `g + 8` the columns
/// `2 * q` and `2 * q + 1`.
///
/// @param product what is multiplied, and where it goes
/// @param down fragments one below the other
/// @param across fragments side by side
record PairStore(TiledProduct product, int down, int across) {
  private static final Template EACH_PAIR =
      Template.of(
          "tensor product, pairs of elements",
          """
          @unroll
          for (int i = 0; i < $down; i++) {
            @unroll
            for (int lower = 0; lower < 2; lower++) {
              const long m = m0 + rowOfWarp + i * 16 + lower * 8 + g;
              if (m < $count) {
                $coordinates
                @unroll
                for (int j = 0; j < $across; j++) {
                  const long col0 = j0 + columnOfWarp + j * 8 + q * 2;
                  $body
                }
              }
            }
          }
          """);

  private static final Template STORE_PAIR =
      Template.of(
          "tensor product, store two",
          """
          if (col0 < $columns) {
            const long col = col0;
            $store
          }
          """);

  private static final Template LANE =
      Template.of(
          "tensor product, lane",
          """
          if (col0 + $lane < $columns) {
            const long col = col0 + $lane;
            $statement
          }
          """);

  private static final Template APPLY =
      Template.of(
          "tensor product, epilogue",
          """
          const float result = c[i][j][lower * 2 + $lane];
          c[i][j][lower * 2 + $lane] = $value;
          """);

  /// Statements over `c[down][across][4]`.
  String text() {
    return Statements.of(
        appliesAhead() ? eachPair(epilogue()) : "",
        eachPair(storesPairs() ? storePair() : storeEach()));
  }

  private boolean appliesAhead() {
    return product.s().step().node().epilogue() != null
        && product.s().outputType().computed().equals("float");
  }

  private String eachPair(String body) {
    return EACH_PAIR
        .with("down", down)
        .with("across", across)
        .with("count", product.rows())
        .with("coordinates", product.decoding().declarations("m"))
        .with("body", body)
        .text();
  }

  /* All elements before the first is stored: what the epilogue reads is under way together then, and
  not each behind the store before it, which might write there. */
  private String epilogue() {
    String value = product.s().epilogue("result", product.s().element(0), product.at());
    return lanes(lane -> APPLY.with("lane", lane).with("value", value).text());
  }

  private boolean storesPairs() {
    return product.storesVectors();
  }

  private String storePair() {
    String offset = IndexText.offset(product.s().step().output().index(), product.at());
    return STORE_PAIR
        .with("columns", IndexText.affine(product.columns()))
        .with("store", pair(product.s().outputType(), product.s().output() + " + " + offset))
        .text();
  }

  private static String pair(CType type, String place) {
    String both = "c[i][j][lower * 2], c[i][j][lower * 2 + 1]";
    return switch (type) {
      case F16 -> "*(@global uint*)(" + place + ") = half2_bits(" + both + ");";
      case BF16 -> "*(@global uint*)(" + place + ") = bf16x2_bits(" + both + ");";
      default -> "*(@global float2*)(" + place + ") = (float2)(" + both + ");";
    };
  }

  private String storeEach() {
    return lanes(
        lane -> product.s().stored(stored("c[i][j][lower * 2 + " + lane + "]"), product.at()));
  }

  private String stored(String sum) {
    return appliesAhead() ? sum : product.s().epilogue(sum, product.s().element(0), product.at());
  }

  private String lanes(IntFunction<String> statement) {
    String columns = IndexText.affine(product.columns());
    return IntStream.range(0, 2)
        .mapToObj(lane ->
            LANE.with("lane", lane)
                .with("columns", columns)
                .with("statement", statement.apply(lane))
                .text())
        .collect(Collectors.joining("\n"));
  }
}
