package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.GatheredLines;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Lines;
import io.miniinference.codegen.StepText;
import io.miniinference.device.Launch;
import io.miniinference.ir.Expr;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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
  private final StepText s;
  private final KernelText text;
  private final Affine rows;
  private final long depth;
  private final int columns;
  private final List<String> extras = new ArrayList<>();
  private final @Nullable Lines left;
  private final @Nullable GatheredLines gathered;
  private final Lines result;

  private PackedGemm(LoweredStep step, CpuStrategy.PackedGemm tile, int failures) {
    this.step = step;
    this.s = new StepText(step, 1);
    this.text = s.text();
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
    boolean isGathered = step.gathered() != null;
    this.gathered = isGathered ? GatheredLines.of(s, failures) : null;
    this.left = isGathered ? null : Lines.of(step.inputs().getFirst().index()).orElseThrow();
    this.result = Lines.of(step.output().index()).orElseThrow();
  }

  /// Whether operand, result and what the epilogue adds to it lie in lines.
  static boolean canWrite(LoweredStep step, CpuStrategy.PackedGemm tile) {
    boolean added =
        IntStream.range(0, tile.epilogue().reads().size())
            .filter(i -> tile.epilogue().reads().get(i) == VectorEpilogue.Read.SAME)
            .allMatch(i -> Lines.of(step.inputs().get(2 + i).index()).isPresent());
    boolean left =
        step.gathered() == null
            ? Lines.of(step.inputs().getFirst().index()).isPresent()
            : GatheredLines.canWrite(step);
    return added && left && Lines.of(step.output().index()).isPresent();
  }

  /// @param failures block id of the failure slots
  static KernelText.Written write(LoweredStep step, CpuStrategy.PackedGemm tile, int failures) {
    return new PackedGemm(step, tile, failures).write();
  }

  private int lanes() {
    return tile.vectors() * VectorText.LANES;
  }

  private int blocks() {
    return Math.ceilDiv(columns, lanes());
  }

  private KernelText.Written write() {
    for (int i = 2; i < step.node().inputs().size(); i++) {
      extras.add(s.pointer(i));
    }
    text.line("const long rows = " + IndexText.affine(rows) + ";");
    text.line("const long item = (long)get_global_id(0) + first;");
    text.line("const long block = item % " + blocks() + ";");
    text.line("const long row = item / " + blocks() + " * " + tile.rows() + ";");
    text.line("if (row >= rows) return;");
    text.line("const long c0 = block * " + lanes() + ";");
    text.line("global const float* w = x1 + block * " + depth * lanes() + "L;");
    text.open("if (row + " + tile.rows() + " <= rows)");
    tile(tile.rows(), 1, "row");
    text.close();
    text.open("else");
    text.open("for (long r = row; r < rows; r++)");
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
    openLines(count, row);
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

  /* Declares pointers `a0`, `a1`, … to the rows of the tile, or `a` to the first of them. */
  private void openLines(int count, String row) {
    if (gathered != null) {
      gatherLines(gathered, count, row);
    } else if (left != null) {
      text.line("global const float* a = x0 + " + left.start(row) + ";");
    }
  }

  /* A row whose index is bad is read where there is something, and is zero when it is stored: the
  product has no condition inside. */
  private void gatherLines(GatheredLines lines, int count, String row) {
    List<Coordinate> line = GatheredLines.line(step.node().inputs().getFirst().type().shape(), "m");
    String start = lines.start(line);
    boolean isAsked = lines.tuple().mayNameNone();
    text.line("global const float* at_row[" + count + "];");
    text.line("int is_row[" + count + "];");
    text.open("for (int j = 0; j < " + count + "; j++)");
    text.line("const long m = " + row + " + j;");
    lines.tuple().check(GatheredLines.first(line));
    text.line(
        "at_row[j] = x0 + ("
            + (isAsked ? "ok ? " + start + " : " + lines.anywhere() : start)
            + ");");
    text.line("is_row[j] = " + (isAsked ? "ok" : "1") + ";");
    text.close();
    for (int r = 0; r < count; r++) {
      text.line("global const float* a" + r + " = at_row[" + r + "];");
    }
  }

  /* Text of the element of a row of the tile at depth `k + q`. */
  private String element(int r, int q) {
    if (gathered != null) {
      return "a" + r + "[(k + " + q + ") * " + gathered.stride() + "]";
    }
    Affine line = Objects.requireNonNull(left, "lines").stride().times(r);
    return "a[" + IndexText.affine(line) + " + k + " + q + "]";
  }

  private void multiply(int r, int q) {
    StringBuilder line = new StringBuilder();
    line.append("{ const float16 s = (float16)(").append(element(r, q)).append(");");
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
    boolean isAsked = gathered != null && gathered.tuple().mayNameNone();
    String product = isAsked ? "is_row[" + r + "] ? " + sum + " : (float16)(0)" : sum.toString();
    text.line("const float16 raw = " + product + ";");
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
