package io.miniinference.codegen.cpu.recurrent;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.recurrent.CellText;
import io.miniinference.codegen.recurrent.ElementLoop;
import io.miniinference.codegen.recurrent.LayerText;
import io.miniinference.codegen.recurrent.Phase;
import io.miniinference.ir.Op.Recurrent.Given;
import io.miniinference.ir.Op.Recurrent.Part;
import io.miniinference.ir.RecurrentCell.Kind;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The statements that take some rows of the batch, from `row` on, through all steps of a recurrent
/// layer, sixteen elements of the states in a vector. A row has the same bits however many rows go
/// together: each sum is in the order of `k`.
///
/// @param count rows that go together
record LaneLoop(LayerText layer, StateTile tile, int count) {
  private static final int LANES = VectorText.LANES;

  private static final Template KERNEL =
      Template.of(
          "rows through all steps",
          """
          @global float* s = states + row * $each;
          long length[$count];
          for (int r = 0; r < $count; r++) {
            length[r] = $length;
            @global float* own = s + r * $each;
            for (long j = 0; j < $each; j++) own[j] = 0;
            $begin
          }
          for (long step = 0; step < $steps; step++) {
            const long before = (step & 1) ? $pitch : 0;
            const long next = $pitch - before;
            $phases
          }
          $end
          """);

  private static final Template EACH =
      Template.of("elements of a state", "for (long j = 0; j < $hidden; j++) $statement");

  private static final Template LAST =
      Template.of(
          "states after the last step",
          """
          for (int r = 0; r < $count; r++) {
            @global const float* own = s + r * $each + (($steps & 1) ? $pitch : 0);
            @global const float* other = s + r * $each + $others;
            $copies
          }
          """);

  private static final Template PHASE =
      Template.of(
          "phase of a step",
          """
          for (long b = 0; b < $blocks; b += $units) {
            const long block = (step & 1) ? $final - b : b;
            float16 z[$sums];
            {
              @global const float* v = w + $start + block * $panel;
              @global const float* a = s + $from;
              $zeros
              for (long k = 0; k < $hidden; k++) {
                $weights
                $products
              }
              $stores
            }
            for (int i = 0; i < $sets; i++) {
              const int r = i / $units;
              const long at = (block + i % $units) * 16;
              if (at >= $hidden) continue;
              $left
              @global float* own = s + r * $each;
              const long t = $place;
              if (step < length[r]) {
                $made
                $cell
              }$otherwise
            }
          }
          """);

  private static final Template OTHERWISE =
      Template.of(
          "states behind the last step",
          """
           else {
            @store(16, @load(16, 0, own + before + at), 0, own + next + at);
            const float16 zero = @splat(16, 0.0f);
            $zero
          }\
          """);

  private long hidden() {
    return layer.hidden();
  }

  private Kind kind() {
    return tile.kind();
  }

  private LanePlaces places() {
    return new LanePlaces(layer, tile.pitch());
  }

  private long each() {
    return tile.pitch() * ElementLoop.arrays(kind());
  }

  /// The statements; `row`, `w` and `states` are declared.
  String text() {
    return KERNEL
        .with("each", each())
        .with("count", count)
        .with("length", layer.length("(row + r)"))
        .with("begin", begin())
        .with("steps", IndexText.affine(layer.steps()))
        .with("pitch", tile.pitch())
        .with("phases", tile.phases().stream().map(this::phase).collect(Collectors.joining("\n")))
        .with("end", end())
        .text();
  }

  private String elements(String statement) {
    return statement.isEmpty()
        ? ""
        : EACH.with("hidden", hidden()).with("statement", statement).text();
  }

  private String begin() {
    return Statements.of(begin(Given.HIDDEN, ""), begin(Given.CELL, 2 * tile.pitch() + " + "));
  }

  private String begin(Given given, String place) {
    String value = layer.initial(given, "(row + r)", "j");
    return layer.has(given) ? elements("own[" + place + "j] = " + value + ";") : "";
  }

  private String end() {
    String copies =
        Statements.of(
            elements(layer.store(Part.HIDDEN, "0", "(row + r)", "j", "own[j]")),
            elements(layer.store(Part.CELL, "0", "(row + r)", "j", "other[j]")));
    return copies.isEmpty()
        ? ""
        : LAST.with("count", count)
            .with("each", each())
            .with("steps", IndexText.affine(layer.steps()))
            .with("pitch", tile.pitch())
            .with("others", 2 * tile.pitch())
            .with("copies", copies)
            .text();
  }

  private String phase(Phase phase) {
    int units = tile.units(phase, count);
    int sums = count * units * phase.gates().size();
    long blocks = Math.ceilDiv(Math.ceilDiv(hidden(), LANES), units) * (long) units;
    return PHASE
        .with("blocks", blocks)
        .with("final", blocks - units)
        .with("units", units)
        .with("sums", sums)
        .with("start", tile.panels().start(phase, hidden()))
        .with("panel", StatePanels.block(phase, hidden()))
        .with("from", phase.ofKept() ? 3 * tile.pitch() : "before")
        .with("zeros", lines(sums, i -> "float16 c" + i + " = @splat(16, 0.0f);"))
        .with("hidden", hidden())
        .with("weights", weights(phase, units))
        .with("products", products(units * phase.gates().size()))
        .with("stores", lines(sums, i -> "z[%1$d] = c%1$d;".formatted(i)))
        .with("sets", count * units)
        .with(
            "left",
            places().isWhole() ? "" : "const int left = (int)min(16L, " + hidden() + " - at);")
        .with("each", each())
        .with("place", layer.place("length[r]"))
        .with("made", made(phase))
        .with("cell", new CellText(layer.op(), "float16", new LaneFunctions(), places()).of(phase))
        .with("otherwise", phase.isLast() ? otherwise() : "")
        .text();
  }

  private static String lines(int count, IntFunction<String> line) {
    return IntStream.range(0, count).mapToObj(line).collect(Collectors.joining("\n"));
  }

  private String weights(Phase phase, int units) {
    int gates = phase.gates().size();
    return lines(
        units * gates,
        i ->
            "const float16 w%d = @load(16, k * %d + %d, v + %d);"
                .formatted(i, gates, i % gates, i / gates * StatePanels.block(phase, hidden())));
  }

  private String products(int vectors) {
    return lines(
        count,
        r ->
            "{ const float16 x = @splat(16, a["
                + r * each()
                + " + k]);"
                + IntStream.range(0, vectors)
                    .mapToObj(v -> " c%1$d = fma(x, w%2$d, c%1$d);".formatted(r * vectors + v, v))
                    .collect(Collectors.joining())
                + " }");
  }

  private static String made(Phase phase) {
    int gates = phase.gates().size();
    return lines(
        gates,
        i -> "const float16 s%d = z[i * %d + %d];".formatted(phase.gates().get(i), gates, i));
  }

  private String otherwise() {
    return layer.has(Given.LENGTHS) ? OTHERWISE.with("zero", places().shown("zero")).text() : "";
  }
}
