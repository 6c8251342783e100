package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.Accumulator;
import io.miniinference.codegen.Template;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Text of the windows of a row that lie inside it and begin one element after the other: sixteen
/// of them at a time, each tap of which is sixteen neighbours of the image.
///
/// They are loaded from there, and what is joined stays in a register: of a row that was just
/// stored, loads that lie across two stores wait for both.
///
/// @param begin the first window that lies inside the row
/// @param end the first one behind it that does not
record NearWindows(Window window, TensorType x, Accumulator accumulator, long begin, long end) {
  private static final int LANES = VectorText.LANES;

  /// Taps of a window in all beyond which rows are better joined first.
  private static final int MOST_TAPS = 64;

  private static final Template BOUNDS =
      Template.of(
          "taps inside an axis",
          """
          const long a$axis = i$axis * $stride - $pad;
          const int from$axis = a$axis < 0 ? (int)((-a$axis + $dilation - 1) / $dilation) : 0;
          const int until$axis = (int)min(${taps}L, ($extent - a$axis + $dilation - 1) / $dilation);
          """);

  private static final Template ROWS =
      Template.of(
          "rows of near windows",
          """
          for (int k$axis = from$axis; k$axis < until$axis; k$axis++) {
            const long p$axis = a$axis + k$axis * $dilation;
            $body
          }
          """);

  private static final Template WINDOWS =
      Template.of(
          "near windows",
          """
          {
            long j = $begin;
            for (; j + 16 <= $end; j += 16) {
              float16 acc = @splat(16, $start);
              $whole
              $store
            }
            $rest
          }
          """);

  private static final Template REST =
      Template.of(
          "near windows left",
          """
          const int count = (int)($end - j);
          float16 acc = @splat(16, $start);
          $some
          $store
          """);

  private static final Template TAP =
      Template.of("tap of sixteen windows", "{ const float16 b = $load; acc = $combined; }");

  private static final Template OVER_END =
      Template.of(
          "taps of a window over an end of a row",
          """
          for (int k = 0; k < $taps; k++) {
            const long p = $window - $pad + k * $dilation;
            if (p >= 0 && p < $width) $combine
          }
          """);

  /// Whether windows are better joined so than row by row.
  boolean suits() {
    int taps = window.kernel().stream().reduce(1, (a, b) -> a * b);
    return window.strides().getLast() == 1 && taps <= MOST_TAPS && end - begin >= LANES;
  }

  private int column() {
    return window.rank() - 1;
  }

  /// Statements that find which rows of a window are inside the image, and declare as `rows` how
  /// many.
  String bounds() {
    String rows =
        IntStream.range(2, column() + 2)
            .mapToObj(axis -> " * max(0, until%1$d - from%1$d)".formatted(axis))
            .collect(Collectors.joining());
    return IntStream.range(0, column()).mapToObj(this::bounds).collect(Collectors.joining("\n"))
        + "\nconst int rows = 1"
        + rows
        + ";";
  }

  private String bounds(int d) {
    return BOUNDS
        .with("axis", d + 2)
        .with("stride", window.strides().get(d))
        .with("pad", window.padsBegin().get(d))
        .with("dilation", window.dilations().get(d))
        .with("taps", window.kernel().get(d))
        .with("extent", x.dim(d + 2).constant())
        .text();
  }

  private String overRows(String body) {
    String text = body;
    for (int d = column() - 1; d >= 0; d--) {
      text =
          ROWS.with("axis", d + 2)
              .with("dilation", window.dilations().get(d))
              .with("body", text)
              .text();
    }
    return text;
  }

  /// Statements that store the windows inside the row.
  ///
  /// @param row text of the pointer to the first element of a row of the image
  /// @param store statements that store sixteen windows `acc` from number `j` on
  /// @param storeSome statements that store the first `count` of them
  String inside(String row, String store, String storeSome) {
    String whole = overRows(taken(at -> "@loadNear(" + row + " + " + at + ")"));
    String some = overRows(taken(at -> "load_float16(count, " + row + " + " + at + ")"));
    Template.Filling rest =
        REST.with("end", end)
            .with("start", accumulator.start())
            .with("some", some)
            .with("store", storeSome);
    return WINDOWS
        .with("begin", begin)
        .with("end", end)
        .with("start", accumulator.start())
        .with("whole", whole)
        .with("store", store)
        .with("rest", (end - begin) % LANES == 0 ? "" : rest)
        .text();
  }

  private String taken(UnaryOperator<String> load) {
    return IntStream.range(0, window.kernel().getLast())
        .mapToObj(k ->
            TAP.with("load", load.apply("j + " + (k * dilation() - window.padsBegin().getLast())))
                .with("combined", accumulator.ofVectors("acc", "b"))
                .text())
        .collect(Collectors.joining("\n"));
  }

  private int dilation() {
    return window.dilations().getLast();
  }

  /// Statements that take all taps of one window, of which some lie on padding, into `acc`.
  ///
  /// @param number text of the window's
  String overEnd(String row, String number) {
    return overRows(
        OVER_END
            .with("taps", window.kernel().getLast())
            .with("window", number)
            .with("pad", window.padsBegin().getLast())
            .with("dilation", dilation())
            .with("width", x.dim(x.rank() - 1).constant())
            .with("combine", accumulator.combine("acc", "(" + row + ")[p]"))
            .text());
  }
}
