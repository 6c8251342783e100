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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Pooling of planes whose channels are not lanes, such as a map of scores: what the rows of a
/// window have in one column is found once for all windows that lie over it, so that a window of
/// `h` × `w` taps takes `h + w` steps, and one of `d` × `h` × `w` taps `d · h + w`. Both passes are
/// loops over neighbours in a row, of which the driver's compiler makes vectors; the row lies with
/// its padding in an array of the work item's. Windows of few taps that begin one element after the
/// other are joined at once ([NearWindows]). How many taps a window has inside the image is counted
/// for those alone that reach over an end of the row.
public record RowPool(Op.WindowReduce op) implements OwnKernels {
  /// Of a row with its padding, which lies on the work item's stack.
  private static final long MOST_COLUMNS = 4096;

  /// Results of a window's taps below which a second worker costs more than it saves.
  private static final long GRAIN = 16_384;

  /// Most taps along a row that are written out.
  private static final int MOST_WRITTEN = 8;

  private static final String HEAD =
      """
      A work item owns a row of the result: it joins the rows of a window column by column, then the columns of each
      window. Padding holds what changes nothing, so that no tap is tested.
      """;

  private static final String NEAR_HEAD =
      """
      A work item owns a row of the result, and takes sixteen windows at once, each tap of which is sixteen neighbours
      of the image: what they hold stays in a register. Windows over an end of the row test their taps, one by one.
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
          $windows
          """);

  private static final Template PLACE =
      Template.of("row of a result", "const long i$axis = item % $extent; item /= $extent;");

  private static final Template LINE =
      Template.of(
          "row with its padding",
          """
          float line[$padded];
          for (int j = 0; j < $padded; j++) line[j] = $start;
          int rows = 0;
          $rows
          """);

  private static final Template ROW =
      Template.of(
          "row of a window",
          """
          for (long j = 0; j < $width; j++) $combine
          rows++;
          """);

  private static final Template JOINED =
      Template.of(
          "columns of all windows",
          """
          float joined[$columns];
          for (int j = 0; j < $columns; j++) joined[j] = line[j * $stride];
          for (int k = 1; k < $taps; k++)
            for (int j = 0; j < $columns; j++) $combine
          """);

  private static final Template WINDOWS =
      Template.of(
          "windows of a row",
          """
          for (long i$last = $from; i$last < $until; i$last$next) {
            float acc = $joined;
            $taps
            $divide
            const float result = acc;
            $store
          }
          """);

  private static final Template STORE =
      Template.of(
          "sixteen windows, stored",
          """
          const float16 raw = $divided;
          $statements
          $store;
          """);

  /* Taps of a window's row that are inside the image. */
  private static final Template INSIDE =
      Template.of(
          "taps inside a row",
          "max(0L, min(${taps}L, ($end - i$last * $stride) / $dilation) - max(0L, ($begin - i$last * $stride) / $dilation))");

  /// Whether a pool is one of floats over rows of known length, however its channels lie.
  public static boolean fits(Node node, Op.WindowReduce op) {
    TensorType x = node.inputs().getFirst().type();
    boolean known =
        x.shape().stream().skip(1).allMatch(RowPool::isKnown)
            && node.output().type().shape().stream().skip(1).allMatch(RowPool::isKnown);
    return x.element() == ElementType.F32
        && op.window().rank() <= 3
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
    private final NearWindows near;

    private Writer(LoweredStep step, Op.WindowReduce op) {
      s = new StepText(step, 1);
      window = op.window();
      x = step.node().inputs().getFirst().type();
      y = step.node().output().type();
      kind = op.kind();
      accumulator =
          Accumulator.of(
              kind == Op.PoolKind.MAX ? Op.ReduceKind.MAX : Op.ReduceKind.SUM, ElementType.F32);
      near = new NearWindows(window, x, accumulator, firstInside(), behindInside());
    }

    private int column() {
      return window.rank() - 1;
    }

    private int last() {
      return x.rank() - 1;
    }

    private long columns() {
      return y.dim(last()).constant();
    }

    private int stride() {
      return window.strides().get(column());
    }

    private int taps() {
      return window.kernel().get(column());
    }

    /* The first window that begins inside the row. */
    private long firstInside() {
      return Math.min(columns(), Math.ceilDiv(window.padsBegin().get(column()), stride()));
    }

    /* The first window behind it that ends outside. */
    private long behindInside() {
      long reach = (taps() - 1L) * window.dilations().get(column()) + 1;
      long last = x.dim(last()).constant() + window.padsBegin().get(column()) - reach;
      long behind = Math.floorDiv(last, (long) stride()) + 1;
      return Math.clamp(behind, firstInside(), columns());
    }

    private KernelText.Written write() {
      long channels = y.dim(1).constant();
      boolean isNear = isNear();
      s.text()
          .head(isNear ? NEAR_HEAD : HEAD)
          .add(
              KERNEL
                  .with("row", places())
                  .with("channels", channels)
                  .with("images", IndexText.affine(x.dim(0)))
                  .with("windows", isNear ? nearWindows() : joinedWindows()));
      long rows =
          IntStream.range(2, last())
              .mapToLong(axis -> y.dim(axis).constant())
              .reduce(1, (a, b) -> a * b);
      long taps = columns() * window.kernel().stream().mapToLong(k -> k).sum();
      Affine items = x.dim(0).times(channels * rows);
      return new KernelText.Written(
          s.text(), new Launch.Items(items, (int) Math.max(1, GRAIN / taps)));
    }

    private String places() {
      return IntStream.range(2, last())
          .map(axis -> last() + 1 - axis)
          .mapToObj(axis -> PLACE.with("axis", axis).with("extent", y.dim(axis).constant()).text())
          .collect(Collectors.joining("\n"));
    }

    private List<Coordinate> place(String row, Coordinate column) {
      Stream<String> rows = IntStream.range(2, last()).mapToObj(axis -> row + axis);
      Stream<Coordinate> ofRow = Stream.concat(Stream.of("i0", "i1"), rows).map(Coordinate::of);
      return Stream.concat(ofRow, Stream.of(column)).toList();
    }

    private boolean isNear() {
      Node node = s.step().node();
      boolean hasLanes =
          node.epilogue() == null
              || (VectorText.supports(node.epilogue()) && node.epilogueValues().isEmpty());
      return near.suits()
          && hasLanes
          && y.element() == ElementType.F32
          && LaneRow.areNeighbours(s.step().inputs().getFirst().index(), last())
          && LaneRow.areNeighbours(s.step().output().index(), last());
    }

    private String nearWindows() {
      String row =
          s.pointer(0)
              + " + "
              + IndexText.offset(s.step().inputs().getFirst().index(), place("p", Coordinate.ZERO));
      String to =
          s.output()
              + " + "
              + IndexText.offset(s.step().output().index(), place("i", Coordinate.of("j")));
      String inside =
          near.inside(
              row,
              stored("@store(16, $value, 0, " + to + ")"),
              stored("store_float16(count, $value, " + to + ")"));
      String ends = ends(accumulator.start(), near.overEnd(row, "i" + last()));
      return lines(near.bounds(), divides() ? whole() : "", inside, ends);
    }

    private String stored(String store) {
      VectorText.Written value =
          VectorText.epilogue(
              s.step().node().epilogue(),
              "raw",
              i -> {
                throw new IllegalStateException("the epilogue reads nothing");
              });
      return STORE
          .with("divided", divides() ? "acc / @splat(16, whole)" : "acc")
          .with("statements", value.statements())
          .with("store", store.replace("$value", value.value()))
          .text();
    }

    /* A few taps are written out. Those of windows next to each other are joined ahead, tap by tap:
    of what a window reads after the one before it, compilers make numbers that wait for each other,
    and no vectors. */
    private String joinedWindows() {
      String line =
          LINE.with("padded", padded(window, x, y))
              .with("start", accumulator.start())
              .with("rows", new WindowLoops(window, x).over(column(), row()))
              .text();
      boolean isAhead = stride() == 1 || taps() > MOST_WRITTEN;
      String ahead = isAhead ? ahead() : "";
      String joined = isAhead ? "joined[i" + last() + "]" : tap("i" + last(), "0");
      String taps = isAhead ? "" : written();
      if (!divides()) {
        return lines(line, ahead, windows(0, columns(), "++", joined, taps, ""));
      }
      boolean hasInside = near.begin() < near.end();
      String inside =
          hasInside ? windows(near.begin(), near.end(), "++", joined, taps, "acc /= whole;") : "";
      return lines(line, ahead, hasInside ? whole() : "", inside, ends(joined, taps));
    }

    private static String lines(String... parts) {
      return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining("\n"));
    }

    private String row() {
      String to = "line[" + window.padsBegin().get(column()) + " + j]";
      return ROW.with("width", x.dim(last()).constant())
          .with("combine", accumulator.combine(to, s.read(0, place("p", Coordinate.of("j")))))
          .text();
    }

    private String ahead() {
      return JOINED
          .with("columns", columns())
          .with("stride", stride())
          .with("taps", taps())
          .with("combine", accumulator.combine("joined[j]", tap("j", "k")))
          .text();
    }

    private String tap(String number, String tap) {
      return "line[%s * %d + %s * %d]"
          .formatted(number, stride(), tap, window.dilations().get(column()));
    }

    private String written() {
      return IntStream.range(1, taps())
          .mapToObj(k -> accumulator.combine("acc", tap("i" + last(), Integer.toString(k))))
          .collect(Collectors.joining("\n"));
    }

    /* The windows that reach over an end of the row. */
    private String ends(String joined, String taps) {
      long begin = near.begin();
      long end = near.end();
      if (end - begin == columns()) {
        return "";
      }
      String next =
          begin > 0 && begin < end
              ? " = i%1$d == %2$d ? %3$d : i%1$d + 1".formatted(last(), begin - 1, end)
              : "++";
      return windows(begin > 0 ? 0 : end, columns(), next, joined, taps, divide());
    }

    private String windows(
        long from, long until, String next, String joined, String taps, String divide) {
      List<Coordinate> at = place("i", Coordinate.of("i" + last()));
      return WINDOWS
          .with("last", last())
          .with("from", from)
          .with("until", until)
          .with("next", next)
          .with("joined", joined)
          .with("taps", taps)
          .with("divide", divide)
          .with("store", s.stored(s.epilogue("result", ElementType.F32, at), at))
          .text();
    }

    private boolean divides() {
      return kind == Op.PoolKind.AVERAGE || kind == Op.PoolKind.AVERAGE_WITH_PADDING;
    }

    /* Windows inside the row have as many taps along it as there are. */
    private String whole() {
      String rows =
          kind == Op.PoolKind.AVERAGE ? "rows" : new WindowLoops(window, x).paddedCount(column());
      return "const float whole = " + rows + " * " + taps() + ";";
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
