package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Lines;
import io.miniinference.device.Launch;
import io.miniinference.ir.Expr;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// The matrix product `[rows, K] × [K, columns]` with packed columns: a work item is a register
/// tile of rows × vectors (kernels.md §1).
///
/// ```
///            16·vectors columns
///          ┌──────────────────┐
///  rows    │ r0_0  r0_1 …     │  one float16 accumulator each; per k one packed row of weights
///  (tile)  │ r1_0  r1_1 …     │  is loaded once and multiplied with `rows` broadcast scalars
///          └──────────────────┘
/// ```
///
/// Rows beyond the last whole tile are computed one by one with K split four ways, which hides the
/// latency of `fma`.
final class PackedGemm {
  private static final int SPLIT = 4;
  private final LoweredStep step;
  private final CpuStrategy.PackedGemm tile;
  private final KernelText text = new KernelText();
  private final Affine rows;
  private final long depth;
  private final int columns;
  private final List<String> extras = new ArrayList<>();
  private final Lines left;
  private final Lines result;

  private PackedGemm(LoweredStep step, CpuStrategy.PackedGemm tile) {
    this.step = step;
    this.tile = tile;
    TensorType a = step.node().inputs().getFirst().type();
    TensorType out = step.node().output().type();
    Affine product = Affine.ONE;
    for (int i = 0; i < out.rank() - 1; i++) {
      product = product.times(out.dim(i));
    }
    this.rows = product;
    this.depth = a.dim(a.rank() - 1).asConstant();
    this.columns = (int) out.dim(out.rank() - 1).asConstant();
    this.left = Lines.of(step.inputs().getFirst().index()).orElseThrow();
    this.result = Lines.of(step.output().index()).orElseThrow();
  }

  /// Whether operand, result and what the epilogue adds to it lie in lines.
  static boolean canWrite(LoweredStep step, CpuStrategy.PackedGemm tile) {
    boolean added =
        IntStream.range(0, tile.epilogue().reads().size())
            .filter(i -> tile.epilogue().reads().get(i) == VectorEpilogue.Read.SAME)
            .allMatch(i -> Lines.of(step.inputs().get(2 + i).index()).isPresent());
    return added
        && Lines.of(step.inputs().getFirst().index()).isPresent()
        && Lines.of(step.output().index()).isPresent();
  }

  static KernelText.Written write(LoweredStep step, CpuStrategy.PackedGemm tile) {
    return new PackedGemm(step, tile).write();
  }

  private int lanes() {
    return tile.vectors() * VectorText.LANES;
  }

  private int blocks() {
    return Math.ceilDiv(columns, lanes());
  }

  private KernelText.Written write() {
    text.attributes("__attribute__((reqd_work_group_size(1,1,1)))");
    text.pointer("a", CType.F32, step.inputs().get(0), false);
    text.pointer("w", CType.F32, step.inputs().get(1), false);
    for (int i = 2; i < step.inputs().size(); i++) {
      extras.add(text.pointer("e" + i, CType.F32, step.inputs().get(i), false));
    }
    text.pointer("y", CType.F32, step.output(), true);
    text.line("const long rows = " + IndexText.affine(rows) + ";");
    text.line("const long item = (long)get_global_id(0) + first;");
    text.line("const long block = item % " + blocks() + ";");
    text.line("const long row = item / " + blocks() + " * " + tile.rows() + ";");
    text.line("if (row >= rows) return;");
    text.line("const long c0 = block * " + lanes() + ";");
    text.line("a += " + left.start("row") + ";");
    text.line("w += block * " + depth * lanes() + "L;");
    text.open("if (row + " + tile.rows() + " <= rows)");
    tile(tile.rows(), 1, "row");
    text.close();
    text.open("else");
    text.open("for (long r = row; r < rows; r++, a += " + IndexText.affine(left.stride()) + ")");
    tile(1, depth % SPLIT == 0 ? SPLIT : 1, "r");
    text.close();
    text.close();
    Launch.Items work = new Launch.Items(rows, tile.rows(), blocks(), grain());
    return new KernelText.Written(text, work);
  }

  private int grain() {
    return (int) Math.max(1, 40_000 / (depth * lanes() * tile.rows() / 32 + 1));
  }

  private void tile(int count, int split, String row) {
    for (int r = 0; r < count; r++) {
      for (int v = 0; v < tile.vectors(); v++) {
        for (int q = 0; q < split; q++) {
          text.line("float16 " + acc(r, v, q) + " = 0;");
        }
      }
    }
    text.open("for (long k = 0; k < " + depth + "; k += " + split + ")");
    for (int q = 0; q < split; q++) {
      text.open("");
      for (int v = 0; v < tile.vectors(); v++) {
        text.line(
            "const float16 w"
                + v
                + " = vload16("
                + v
                + ", w + (k + "
                + q
                + ") * "
                + lanes()
                + ");");
      }
      for (int r = 0; r < count; r++) {
        multiply(r, q);
      }
      text.close();
    }
    text.close();
    for (int r = 0; r < count; r++) {
      for (int v = 0; v < tile.vectors(); v++) {
        store(r, v, split, "(" + row + " + " + r + ")");
      }
    }
  }

  private void multiply(int r, int q) {
    StringBuilder line = new StringBuilder();
    line.append("{ const float16 s = (float16)(a[")
        .append(IndexText.affine(left.stride().times(r)));
    line.append(" + k + ").append(q).append("]);");
    for (int v = 0; v < tile.vectors(); v++) {
      String acc = acc(r, v, q);
      line.append(' ').append(acc).append(" = fma(s, w").append(v).append(", ").append(acc);
      line.append(");");
    }
    text.line(line.append(" }").toString());
  }

  private static String acc(int r, int v, int q) {
    return "c" + r + "_" + v + "_" + q;
  }

  private void store(int r, int v, int split, String row) {
    StringBuilder sum = new StringBuilder(acc(r, v, 0));
    for (int q = 1; q < split; q++) {
      sum.append(" + ").append(acc(r, v, q));
    }
    int whole = columns % lanes() == 0 ? columns : columns / lanes() * lanes();
    int from = v * VectorText.LANES;
    text.open("");
    text.line("const long c = c0 + " + from + ", at = " + result.start(row) + " + c;");
    for (int i = 0; i < extras.size(); i++) {
      if (tile.epilogue().reads().get(i) == VectorEpilogue.Read.SAME && !liesLikeResult(i)) {
        text.line("const long at" + i + " = " + linesOf(i).start(row) + " + c;");
      }
    }
    text.line("const float16 raw = " + sum + ";");
    if (columns % VectorText.LANES == 0) {
      text.open("if (c < " + columns + ")");
      text.line("vstore16(" + epilogue(true) + ", 0, y + at);");
      text.close();
    } else if (whole > 0) {
      text.open("if (c + 16 <= " + columns + ")");
      text.line("vstore16(" + epilogue(true) + ", 0, y + at);");
      text.close();
      text.open("else if (c < " + columns + ")");
      partial();
      text.close();
    } else {
      text.open("if (c < " + columns + ")");
      partial();
      text.close();
    }
    text.close();
  }

  /* The last lanes one by one: a whole vector would reach into the next row. */
  private void partial() {
    text.line("const int left = min(16, (int)(" + columns + " - c));");
    for (int i = 0; i < tile.epilogue().reads().size(); i++) {
      if (tile.epilogue().reads().get(i) == VectorEpilogue.Read.SAME) {
        text.line("float t" + i + "[16] = {0};");
        text.line(
            "for (int j = 0; j < left; j++) t"
                + i
                + "[j] = "
                + extras.get(i)
                + "["
                + same(i)
                + " + j];");
      }
    }
    text.line("float z[16];");
    text.line("vstore16(" + epilogue(false) + ", 0, z);");
    text.line("for (int j = 0; j < left; j++) y[at + j] = z[j];");
  }

  private Lines linesOf(int extra) {
    return Lines.of(step.inputs().get(2 + extra).index()).orElseThrow();
  }

  private boolean liesLikeResult(int extra) {
    return linesOf(extra).equals(result);
  }

  private String same(int extra) {
    return liesLikeResult(extra) ? "at" : "at" + extra;
  }

  private String epilogue(boolean whole) {
    Expr expr = step.node().epilogue();
    if (expr == null) {
      return "raw";
    }
    return new VectorText(i -> i == 0 ? "raw" : extra(i - 1, whole)).of(expr).orElseThrow();
  }

  private String extra(int i, boolean whole) {
    if (tile.epilogue().reads().get(i) == VectorEpilogue.Read.LANES) {
      return "vload16(0, " + extras.get(i) + " + c)";
    }
    return whole ? "vload16(0, " + extras.get(i) + " + " + same(i) + ")" : "vload16(0, t" + i + ")";
  }
}
