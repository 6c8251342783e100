package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;

/// The text of a product of matrices of TF32 numbers by tensor cores (`mma.sync.m16n8k8` of the PTX
/// ISA, 9.7.14), summed up in 32 bits. Panels are brought into local memory as those of
/// [TiledProduct] are, and rounded on the way where they are not yet; every work item reaches every
/// barrier.
///
/// @param product what is multiplied, and where it goes
/// @param tile how the work is shared out
record TensorProduct(TiledProduct product, TensorTile tile) {
  private static final Template HEAD =
      Template.of(
          "tensor product, head",
          """
          A work-group of $items work items owns $rows x $columns elements of C = A x B, operands rounded to TF32.
          A warp of 32 owns $warpRows x $warpColumns of them, in fragments of 16 x 8 that its work items hold together:
          item 4 * g + q has columns 2 * q and 2 * q + 1 of the rows g and g + 8.

                                   columnOfWarp
                             bs: +--------------+
                         $depth of B |   8  |   8   |  fragments of 8 x 8, read in pairs
                                 +--------------+
                  as: $depth of A
                   +-----+       +--------------+
          rowOf-   |  16 |       | c[0][0] | .. |
          Warp     |  16 |       | c[1][0] | .. |
                   +-----+       +--------------+

          A: $left.
          B: $right.
          Both panels are in local memory twice: while one is multiplied, the next is on its way in registers.
          They lie depth innermost and $pitch floats apart, so that the eight rows of 16 bytes of one read are in banks of their own.
          $slices
          """);

  private static final Template PRODUCT =
      Template.of(
          "tensor product",
          """
          $left
          $right
          float c[$down][$across][4];
          @unroll
          for (int i = 0; i < $down; i++) {
            @unroll
            for (int j = 0; j < $across; j++) c[i][j][0] = c[i][j][1] = c[i][j][2] = c[i][j][3] = 0;
          }
          $fetchFirst
          $storeFirst
          @barrier;
          $decide
          int buffer = 0;
          #pragma unroll 1
          for (int k0 = 0; k0 < $depth; k0 += $panel) {
            const int next = k0 + $panel;
            if (next < $depth) {
              $fetchNext
            }
            @unroll
            for (int k = 0; k < $depthOfSlice; k += 8) {
              @local const float* pa = as + (buffer * $rows + rowOfWarp) * $pitch + slice * $depthOfSlice + k;
              @local const float* pb = bs + (buffer * $columns + columnOfWarp) * $pitch + slice * $depthOfSlice + k;
              $multiply
            }
            buffer ^= 1;
            if (next < $depth) {
              $storeNext
            }
            @barrier;
          }
          $stores
          """);

  private static final Template STORES =
      Template.of(
          "tensor product, stores",
          """
          const int g = lane / 4, q = lane % 4;
          $store
          """);

  /* A read of a fragment takes the addresses of its rows from the work items, eight for each of four
  parts of 8 x 4; the compiler sees no read of local memory in it, which "memory" tells. */
  private static final Template PTX =
      Template.of(
          "tensor product, tensor cores",
          """
          uint a[$down][4], b[$across][2];
          @unroll
          for (int i = 0; i < $down; i++) {
            const uint rows = @sharedAddress(pa + (i * 16 + lane % 16) * $pitch + lane / 16 * 4);
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                : "=r"(a[i][0]), "=r"(a[i][1]), "=r"(a[i][2]), "=r"(a[i][3]) : "r"(rows) : "memory");
          }
          @unroll
          for (int j = 0; j < $across; j += 2) {
            const uint rows = @sharedAddress(pb + (j * 8 + lane % 8 + lane / 16 * 8) * $pitch + lane / 8 % 2 * 4);
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                : "=r"(b[j][0]), "=r"(b[j][1]), "=r"(b[j + 1][0]), "=r"(b[j + 1][1]) : "r"(rows) : "memory");
          }
          @unroll
          for (int i = 0; i < $down; i++) {
            @unroll
            for (int j = 0; j < $across; j++) {
              asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                  : "+f"(c[i][j][0]), "+f"(c[i][j][1]), "+f"(c[i][j][2]), "+f"(c[i][j][3])
                  : "r"(a[i][0]), "r"(a[i][1]), "r"(a[i][2]), "r"(a[i][3]), "r"(b[j][0]), "r"(b[j][1]));
            }
          }
          """);

  private static final Template PORTABLE =
      Template.of(
          "tensor product, portable",
          """
          for (int i = 0; i < $down; i++) {
            for (int j = 0; j < $across; j++) {
              for (int part = 0; part < 4; part++) {
                @local const float* ra = pa + (i * 16 + part / 2 * 8 + lane / 4) * $pitch;
                @local const float* rb = pb + (j * 8 + lane % 4 * 2 + part % 2) * $pitch;
                for (int d = 0; d < 8; d++) c[i][j][part] = fma(ra[d], rb[d], c[i][j][part]);
              }
            }
          }
          """);

  /* The panels are no longer needed: the sums of all slices but the first go through their memory,
  and the first slice adds them to its own, in order. No work item returns: all come to the end. */
  private static final Template SLICES =
      Template.of(
          "tensor product, slices",
          """
          @local float* sums = as;
          if (slice > 0) {
            @unroll
            for (int e = 0; e < $perItem; e++)
              sums[((slice - 1) * $perItem + e) * $items + t % $items] = c[e / 4 / $across][e / 4 % $across][e % 4];
          }
          @barrier;
          if (slice == 0) {
            @unroll
            for (int other = 0; other < $others; other++) {
              @unroll
              for (int e = 0; e < $perItem; e++)
                c[e / 4 / $across][e / 4 % $across][e % 4] += sums[(other * $perItem + e) * $items + t];
            }
            $stores
          }
          """);

  void write() {
    s().text().head(head());
    s().text()
        .add(
            PRODUCT
                .with("left", product.left().declarations())
                .with("right", product.right().declarations())
                .with("down", down())
                .with("across", across())
                .with("fetchFirst", fetch("0"))
                .with("storeFirst", store("0"))
                .with("decide", product.left().source().decide())
                .with("depth", product.depth())
                .with("panel", tile.depth())
                .with("fetchNext", fetch("next"))
                .with("depthOfSlice", tile.depth() / tile.slices())
                .with("rows", tile.rows())
                .with("columns", tile.columns())
                .with("pitch", pitch())
                .with("multiply", multiply())
                .with("storeNext", store("buffer"))
                .with("stores", tile.slices() > 1 ? slices() : stores()));
  }

  private StepText s() {
    return product.s();
  }

  private int down() {
    return tile.warpRows() / TensorTile.FRAGMENT_ROWS;
  }

  private int across() {
    return tile.warpColumns() / TensorTile.FRAGMENT_COLUMNS;
  }

  private int pitch() {
    return product.left().pitch();
  }

  private String head() {
    String slices =
        "The depth of a panel is parted among %d slices of the work-group, whose sums are added in the end.";
    return HEAD.with("items", tile.items())
        .with("rows", tile.rows())
        .with("columns", tile.columns())
        .with("warpRows", tile.warpRows())
        .with("warpColumns", tile.warpColumns())
        .with("depth", "%2d".formatted(tile.depth()))
        .with("left", product.left().about())
        .with("right", product.right().about())
        .with("pitch", pitch())
        .with("slices", tile.slices() > 1 ? slices.formatted(tile.slices()) : "")
        .text();
  }

  private String fetch(String from) {
    return product.left().fetch(from) + "\n" + product.right().fetch(from);
  }

  private String store(String buffer) {
    return product.left().store(buffer) + "\n" + product.right().store(buffer);
  }

  private Template.Filling multiply() {
    Template form = tile.products() == TensorProducts.PTX ? PTX : PORTABLE;
    return form.with("down", down()).with("across", across()).with("pitch", pitch());
  }

  private String stores() {
    return STORES.with("store", new PairStore(product, down(), across()).text()).text();
  }

  private String slices() {
    return SLICES
        .with("perItem", down() * across() * 4)
        .with("items", tile.sliceItems())
        .with("across", across())
        .with("others", tile.slices() - 1)
        .with("stores", stores())
        .text();
  }
}
