package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.Accumulator;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.OwnKernels;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.WindowLoops;
import io.miniinference.device.Launch;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import java.util.List;
import java.util.stream.Stream;

/// Pooling of planes whose channels are not lanes, such as a map of scores: what the rows of a
/// window have in one column is found once for all windows that lie over it, so that a window of
/// `h` × `w` taps takes `h + w` steps. Both passes are loops over neighbours in a row, of which the
/// driver's compiler makes vectors; the row lies with its padding in an array of the work item's.
public record RowPool(Op.WindowReduce op) implements OwnKernels {
  /// Of a row with its padding, which lies on the work item's stack.
  private static final long MOST_COLUMNS = 4096;

  /// Results of a window's taps below which a second worker costs more than it saves.
  private static final long GRAIN = 16_384;

  private static final String HEAD =
      """
      A work item owns a row of the result: it joins the rows of a window column by column, then the columns of each
      window. Padding holds what changes nothing, so that no tap is tested.
      """;

  private static final Template KERNEL =
      Template.of(
          "pool of rows",
          """
          long item = (long)@globalId + first;
          $row
          const long i1 = item % $channels; item /= $channels;
          if (item >= $images) return;
          const long i0 = item;
          float line[$padded];
          for (int j = 0; j < $padded; j++) line[j] = $start;
          int rows = 0;
          $rows
          for (long i$last = 0; i$last < $columns; i$last++) {
            float acc = line[i$last * $stride];
            for (int k = 1; k < $taps; k++) $combine
            $divide
            const float result = acc;
            $store
          }
          """);

  private static final Template ROWS =
      Template.of(
          "rows of a window",
          """
          for (int k = 0; k < $taps; k++) {
            const long p2 = i2 * $stride - $pad + k * $dilation;
            if (p2 < 0 || p2 >= $height) continue;
            $row
          }
          """);

  private static final Template ROW =
      Template.of(
          "row of a window",
          """
          for (long j = 0; j < $width; j++) $combine
          rows++;
          """);

  /* Taps of a window's row that are inside the image. */
  private static final Template INSIDE =
      Template.of(
          "taps inside a row",
          "max(0L, min(${taps}L, ($end - i$last * $stride) / $dilation) - max(0L, ($begin - i$last * $stride) / $dilation))");

  /// Whether a pool is one of floats over rows of known length, however its channels lie.
  public static boolean fits(Node node, Op.WindowReduce op) {
    TensorType x = node.inputs().getFirst().type();
    int rank = op.window().rank();
    boolean known =
        x.shape().stream().skip(1).allMatch(RowPool::isKnown)
            && node.output().type().shape().stream().skip(1).allMatch(RowPool::isKnown);
    return x.element() == ElementType.F32
        && rank <= 2
        && known
        && padded(op.window(), x, node.output().type()) <= MOST_COLUMNS;
  }

  private static boolean isKnown(Affine size) {
    return size.isConstant() && !size.isOpen() && size.constant() > 0;
  }

  /* Columns that windows reach, from the first one's begin to the last one's end, and all of the input. */
  private static long padded(Window w, TensorType x, TensorType y) {
    int d = w.rank() - 1;
    long last = (y.dim(y.rank() - 1).constant() - 1) * w.strides().get(d);
    long end = last + (w.kernel().get(d) - 1L) * w.dilations().get(d) + 1;
    return Math.max(end, w.padsBegin().get(d) + x.dim(x.rank() - 1).constant());
  }

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return Algorithm.of("pool, rows of neighbours");
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step) {
    return List.of(new Writer(step, op).write());
  }

  private static final class Writer {
    private final StepText s;
    private final Window window;
    private final TensorType x;
    private final TensorType y;
    private final Op.PoolKind kind;
    private final Accumulator accumulator;

    private Writer(LoweredStep step, Op.WindowReduce op) {
      s = new StepText(step, 1);
      window = op.window();
      x = step.node().inputs().getFirst().type();
      y = step.node().output().type();
      kind = op.kind();
      accumulator =
          Accumulator.of(
              kind == Op.PoolKind.MAX ? Op.ReduceKind.MAX : Op.ReduceKind.SUM, ElementType.F32);
    }

    private boolean hasRows() {
      return window.rank() > 1;
    }

    private int column() {
      return window.rank() - 1;
    }

    private int last() {
      return x.rank() - 1;
    }

    private KernelText.Written write() {
      long columns = y.dim(last()).constant();
      long rows = hasRows() ? y.dim(2).constant() : 1;
      long channels = y.dim(1).constant();
      List<Coordinate> at = place("i2", "i" + last());
      s.text()
          .head(HEAD)
          .add(
              KERNEL
                  .with(
                      "row",
                      hasRows()
                          ? "const long i2 = item %% %d; item /= %d;".formatted(rows, rows)
                          : "")
                  .with("channels", channels)
                  .with("images", IndexText.affine(x.dim(0)))
                  .with("padded", padded(window, x, y))
                  .with("start", accumulator.start())
                  .with("rows", hasRows() ? rows() : row())
                  .with("last", last())
                  .with("columns", columns)
                  .with("stride", window.strides().get(column()))
                  .with("taps", window.kernel().get(column()))
                  .with("combine", accumulator.combine("acc", tap()))
                  .with("divide", divide())
                  .with("store", s.stored(s.epilogue("result", ElementType.F32, at), at)));
      long taps = columns * window.kernel().stream().mapToLong(k -> k).sum();
      Affine items = x.dim(0).times(channels * rows);
      return new KernelText.Written(
          s.text(), new Launch.Items(items, (int) Math.max(1, GRAIN / taps)));
    }

    private List<Coordinate> place(String row, String column) {
      List<String> spatial = hasRows() ? List.of(row, column) : List.of(column);
      return Stream.concat(Stream.of("i0", "i1"), spatial.stream()).map(Coordinate::of).toList();
    }

    private String tap() {
      return "line[i%d * %d + k * %d]"
          .formatted(last(), window.strides().get(column()), window.dilations().get(column()));
    }

    private String rows() {
      return ROWS.with("taps", window.kernel().getFirst())
          .with("stride", window.strides().getFirst())
          .with("pad", window.padsBegin().getFirst())
          .with("dilation", window.dilations().getFirst())
          .with("height", x.dim(2).constant())
          .with("row", row())
          .text();
    }

    private String row() {
      String to = "line[" + window.padsBegin().get(column()) + " + j]";
      return ROW.with("width", x.dim(last()).constant())
          .with("combine", accumulator.combine(to, s.read(0, place("p2", "j"))))
          .text();
    }

    private String divide() {
      return switch (kind) {
        case MAX, SUM -> "";
        case AVERAGE -> "acc /= rows * " + inside() + ";";
        case AVERAGE_WITH_PADDING -> "acc /= " + new WindowLoops(window, x).paddedCount() + ";";
      };
    }

    private String inside() {
      int dilation = window.dilations().get(column());
      int pad = window.padsBegin().get(column());
      return INSIDE
          .with("taps", window.kernel().get(column()))
          .with("end", x.dim(last()).constant() + pad + dilation - 1)
          .with("begin", pad + dilation - 1)
          .with("last", last())
          .with("stride", window.strides().get(column()))
          .with("dilation", dilation)
          .text();
    }
  }
}
