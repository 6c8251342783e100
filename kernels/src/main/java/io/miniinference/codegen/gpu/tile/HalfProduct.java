package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.Template;

/// The text of a product of matrices of 16-bit floats by tensor cores (`mma.sync.m16n8k16` of the
/// PTX ISA, 9.7.14), summed up in 32 bits. Several panels are on their way into local memory while
/// one is multiplied ([StagedPanel]); every work item reaches every barrier.
///
/// @param product what is multiplied, and where it goes
/// @param tile how the work is shared out
record HalfProduct(TiledProduct product, HalfTile tile) {
  private static final Template HEAD =
      Template.of(
          "product of halves, head",
          """
          A work-group of $items work items owns $rows x $columns elements of C = A x B, operands in 16 bits, sums in 32.
          A warp of 32 owns $warpRows x $warpColumns of them, in fragments of 16 x 8 that its work items hold together:
          item 4 * g + q has columns 2 * q and 2 * q + 1 of the rows g and g + 8.

          A: $left.
          B: $right.
          Panels are $depth deep; local memory has $stages of each operand: while one is multiplied, the others are on their way.
          They lie depth innermost and $pitch elements apart, so that the eight lines of 16 bytes of one read are in banks of their own.
          """);

  private static final Template PRODUCT =
      Template.of(
          "product of halves",
          """
          $left
          $right
          float c[$down][$across][4];
          @unroll
          for (int i = 0; i < $down; i++) {
            @unroll
            for (int j = 0; j < $across; j++) c[i][j][0] = c[i][j][1] = c[i][j][2] = c[i][j][3] = 0;
          }
          $decide
          for (int ahead = 0; ahead < $ahead; ahead++) {
            if (ahead * $panel < $depth) {
              $copyFirst
            }
            $commit
          }
          int stage = 0;
          #pragma unroll 1
          for (int k0 = 0; k0 < $depth; k0 += $panel) {
            $wait
            @barrier;
            const int next = k0 + $ahead * $panel, free = stage == 0 ? $ahead : stage - 1;
            if (next < $depth) {
              $copyNext
            }
            $commit
            @unroll
            for (int d0 = 0; d0 < $panel; d0 += 16) {
              @local const ushort* pa = as + (stage * $rows + rowOfWarp) * $pitch + d0;
              @local const ushort* pb = bs + (stage * $columns + columnOfWarp) * $pitch + d0;
              $multiply
            }
            stage = stage == $ahead ? 0 : stage + 1;
          }
          const int g = lane / 4, q = lane % 4;
          $store
          """);

  /* A read of a fragment takes the addresses of its lines from the work items, eight for each of
  four parts of 8 x 8; the compiler sees no read of local memory in it, which "memory" tells. */
  private static final Template PTX =
      Template.of(
          "product of halves, tensor cores",
          """
          uint a[$down][4], b[$across][2];
          @unroll
          for (int i = 0; i < $down; i++) {
            const uint rows = @sharedAddress(pa + (i * 16 + lane % 16) * $pitch + lane / 16 * 8);
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                : "=r"(a[i][0]), "=r"(a[i][1]), "=r"(a[i][2]), "=r"(a[i][3]) : "r"(rows) : "memory");
          }
          @unroll
          for (int j = 0; j < $across; j += 2) {
            const uint rows = @sharedAddress(pb + (j * 8 + lane % 8 + lane / 16 * 8) * $pitch + lane / 8 % 2 * 8);
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                : "=r"(b[j][0]), "=r"(b[j][1]), "=r"(b[j + 1][0]), "=r"(b[j + 1][1]) : "r"(rows) : "memory");
          }
          @unroll
          for (int i = 0; i < $down; i++) {
            @unroll
            for (int j = 0; j < $across; j++) {
              asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.$numbers.$numbers.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                  : "+f"(c[i][j][0]), "+f"(c[i][j][1]), "+f"(c[i][j][2]), "+f"(c[i][j][3])
                  : "r"(a[i][0]), "r"(a[i][1]), "r"(a[i][2]), "r"(a[i][3]), "r"(b[j][0]), "r"(b[j][1]));
            }
          }
          """);

  private static final Template PORTABLE =
      Template.of(
          "product of halves, portable",
          """
          for (int i = 0; i < $down; i++) {
            for (int j = 0; j < $across; j++) {
              for (int part = 0; part < 4; part++) {
                @local const $stored* ra = (@local const $stored*)pa + (i * 16 + part / 2 * 8 + lane / 4) * $pitch;
                @local const $stored* rb = (@local const $stored*)pb + (j * 8 + lane % 4 * 2 + part % 2) * $pitch;
                for (int d = 0; d < 16; d++) c[i][j][part] = fma($a, $b, c[i][j][part]);
              }
            }
          }
          """);

  void write() {
    StagedPanel left = new StagedPanel(product.left(), tile);
    StagedPanel right = new StagedPanel(product.right(), tile);
    product.s().text().head(head());
    product
        .s()
        .text()
        .add(
            PRODUCT
                .with("left", left.declarations())
                .with("right", right.declarations())
                .with("down", down())
                .with("across", across())
                .with("decide", decide())
                .with("ahead", tile.ahead())
                .with("panel", tile.depth())
                .with("depth", product.depth())
                .with("copyFirst", copy(left, right, "ahead * " + tile.depth(), "ahead"))
                .with("commit", ptx("asm volatile(\"cp.async.commit_group;\" : : : \"memory\");"))
                .with("wait", ptx(waitFor(tile.ahead() - 1)))
                .with("copyNext", copy(left, right, "next", "free"))
                .with("rows", tile.rows())
                .with("columns", tile.columns())
                .with("pitch", tile.pitch())
                .with("multiply", multiply())
                .with("store", new PairStore(product, down(), across()).text()));
  }

  private int down() {
    return tile.warpRows() / TensorTile.FRAGMENT_ROWS;
  }

  private int across() {
    return tile.warpColumns() / TensorTile.FRAGMENT_COLUMNS;
  }

  private String head() {
    return HEAD.with("items", tile.items())
        .with("rows", tile.rows())
        .with("columns", tile.columns())
        .with("warpRows", tile.warpRows())
        .with("warpColumns", tile.warpColumns())
        .with("depth", tile.depth())
        .with("left", product.left().about())
        .with("right", product.right().about())
        .with("stages", tile.stages())
        .with("pitch", tile.pitch())
        .text();
  }

  /* What a source decides of its lines is behind a barrier. */
  private String decide() {
    String decided = product.left().source().decide();
    return decided.isEmpty() ? "" : Statements.of("@barrier;", decided);
  }

  private static String copy(StagedPanel left, StagedPanel right, String from, String stage) {
    return Statements.of(left.copy(from, stage), right.copy(from, stage));
  }

  private String ptx(String statement) {
    return tile.products() == TensorProducts.PTX ? statement : "";
  }

  /* Until all but the last few groups of copies have arrived. */
  private static String waitFor(int left) {
    return "asm volatile(\"cp.async.wait_group %d;\" : : : \"memory\");".formatted(left);
  }

  private Template.Filling multiply() {
    CType numbers = tile.numbers();
    if (tile.products() == TensorProducts.PTX) {
      return PTX.with("down", down())
          .with("across", across())
          .with("pitch", tile.pitch())
          .with("numbers", numbers == CType.F16 ? "f16" : "bf16");
    }
    return PORTABLE
        .with("down", down())
        .with("across", across())
        .with("pitch", tile.pitch())
        .with("stored", numbers.stored())
        .with("a", numbers.read("ra", "d"))
        .with("b", numbers.read("rb", "d"));
  }
}
