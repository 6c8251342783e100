package io.miniinference.codegen.gpu;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.recurrent.CellText;
import io.miniinference.codegen.recurrent.ElementLoop;
import io.miniinference.codegen.recurrent.ElementPlaces;
import io.miniinference.codegen.recurrent.LayerText;
import io.miniinference.codegen.recurrent.Phase;
import io.miniinference.codegen.recurrent.RowLoop;
import io.miniinference.device.Launch;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.Recurrent.Given;
import io.miniinference.ir.Op.Recurrent.Part;
import io.miniinference.ir.RecurrentCell.Kind;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Packing;
import java.util.Collection;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A recurrent layer of 32-bit floats whose weights are known and few. A work-group takes a row of
/// the batch through all steps. A work item multiplies, for one element and all of its gates, a
/// part of the states; its weights are in registers as far as these go, for all steps, and the
/// others come from a cache, four at a time. The sums of the parts meet in local memory.
///
/// @param gates of the cell
/// @param hidden elements of a state
/// @param parts of the states
record HeldRows(int gates, int hidden, int parts) implements GpuStrategy.Several {
  /// That a GPU has in a work-group at least.
  private static final int MOST_ITEMS = 256;

  private static final int WARP = 32;
  private static final int LANES = 4;

  /// Weights in registers, of which a work item of 256 has 255: fewer where a long loop over others
  /// takes some, too.
  private static final int MOST_HELD = 192;

  private static final int HELD_BESIDE_MANY = 160;
  private static final int FEW_OTHERS = 64;

  private static final Template KERNEL =
      Template.of(
          "row of a recurrent layer, its weights held",
          """
          const long row = (long)first + @groupId(0);
          @shared float s[$states] @aligned;
          @shared float found[$found];
          const int item = min((int)@localId, $last);
          const int from = item / $hidden * $depth;
          const long length = $length;
          $held
          for (int i = @localId; i < $states; i += $items) s[i] = 0;
          @barrier;
          $begin
          @barrier;
          for (long step = 0; step < $steps; step++) {
            const int runs = step < length;
            const long t = $place;
            const int before = (step & 1) ? $pitch : 0;
            const int next = $pitch - before;
            $inputs
            $phases
          }
          const int last = ($steps & 1) ? $pitch : 0;
          $end
          """);

  private static final Template OWN =
      Template.of(
          "element of a row, if a work item has one",
          """
          if (@localId < $hidden) {
            const int j = @localId;
            $body
          }
          """);

  private static final Template IF_RUNS =
      Template.of(
          "what is done up to the last step",
          """
          if (runs) {
            $body
          }$otherwise
          """);

  private static final Template PHASE =
      Template.of(
          "phase of a step, weights held",
          """
          if (runs) {
            $sums
            $known
            $others
            $stores
          }
          @barrier;
          $cell
          @barrier;
          """);

  private static final Template FOUR =
      Template.of(
          "four products of each gate",
          """
          {
            const float4 a = *(@local const float4*)(s + $array + from + $place);
            $products
          }
          """);

  private static final Template OTHERS =
      Template.of(
          "products with weights that are not held",
          """
          @unrollBy4
          for (int q = $first; q < $quads; q++) {
            $weights
            $four
          }
          """);

  private static final String HEAD =
      """
      A work-group takes a row of the batch through all steps. A work item multiplies a part of the states with the
      weights of one element, w: [quad][gate][part, element][4], most of which it keeps in registers for all steps;
      the sums meet in local memory, where a work item makes each element of the next states.
      """;

  /// Whether a work-group has a work item for each element of a state.
  static boolean canHold(long hidden) {
    return 0 < hidden && hidden <= MOST_ITEMS;
  }

  static HeldRows of(Op.Recurrent op, long hidden) {
    int parts = 1;
    while (2 * parts * hidden <= MOST_ITEMS && 2L * parts * LANES <= hidden) {
      parts *= 2;
    }
    return new HeldRows(op.cell().kind().gates(), (int) hidden, parts);
  }

  Packing packing() {
    return new GpuPacking.Quads(gates, parts, quads());
  }

  private int quads() {
    return Math.ceilDiv(Math.ceilDiv(hidden, parts), LANES);
  }

  /* From one array of the states to the next. */
  private int pitch() {
    return parts * quads() * LANES;
  }

  private int items() {
    return Math.ceilDiv(parts * hidden, WARP) * WARP;
  }

  private int held() {
    int each = LANES * gates;
    boolean areMost = quads() * each <= MOST_HELD + FEW_OTHERS;
    return Math.min(quads(), (areMost ? MOST_HELD : HELD_BESIDE_MANY) / each);
  }

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return Algorithm.of(
        "recurrent layer, a row by a work-group of " + items() + " that holds its weights");
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    var rows = new Launch.Extent(RowLoop.rows(step).times(items()), items(), items());
    return List.of(
        new KernelText.Written(
            new Text(new LayerText(step, items())).text(), new Launch.Groups(List.of(rows))));
  }

  private static String lines(IntStream numbers, IntFunction<String> line) {
    return numbers.mapToObj(line).collect(Collectors.joining("\n"));
  }

  private static String lines(Collection<Integer> numbers, IntFunction<String> line) {
    return lines(numbers.stream().mapToInt(i -> i), line);
  }

  private final class Text {
    private final LayerText layer;
    private final ElementPlaces places;
    private final Kind kind;

    Text(LayerText layer) {
      this.layer = layer;
      places = new ElementPlaces(layer, pitch(), true);
      kind = layer.op().cell().kind();
    }

    KernelText text() {
      return layer
          .text()
          .head(HEAD)
          .add(
              KERNEL
                  .with("states", ElementLoop.arrays(kind) * pitch())
                  .with("found", gates * parts * hidden)
                  .with("last", parts * hidden - 1)
                  .with("hidden", hidden)
                  .with("depth", quads() * LANES)
                  .with("pitch", pitch())
                  .with("items", items())
                  .with("length", layer.length("row"))
                  .with("held", lines(IntStream.range(0, held()), this::weights))
                  .with("begin", OWN.with("hidden", hidden).with("body", begin()))
                  .with("steps", IndexText.affine(layer.steps()))
                  .with("place", layer.place("length"))
                  .with("inputs", inputs())
                  .with("phases", phases())
                  .with("end", OWN.with("hidden", hidden).with("body", end())));
    }

    private String weights(int quad) {
      return weights("w" + quad + "_", String.valueOf(quad));
    }

    private String weights(String name, String quad) {
      return lines(
          IntStream.range(0, gates),
          gate ->
              "const float4 %s%d = %s;"
                  .formatted(name, gate, layer.type().readFour("w", place(quad, gate))));
    }

    private String place(String quad, int gate) {
      return "((%s * %d + %d) * %d + item) * %d"
          .formatted(quad, gates, gate, parts * hidden, LANES);
    }

    private String begin() {
      return Statements.of(
          places.keep(layer.initial(Given.HIDDEN, "row", "j"), 0),
          kind.hasCellState() ? places.keep(layer.initial(Given.CELL, "row", "j"), 2) : "");
    }

    /* They are on their way while the states are multiplied. */
    private String inputs() {
      String declared = lines(IntStream.range(0, gates), gate -> "float in%d = 0;".formatted(gate));
      String read =
          lines(IntStream.range(0, gates), gate -> "in%d = %s;".formatted(gate, places.read(gate)));
      String own = OWN.with("hidden", hidden).with("body", read).text();
      return Statements.of(declared, IF_RUNS.with("body", own).with("otherwise", "").text());
    }

    private String phases() {
      return Phase.of(kind).stream().map(this::phase).collect(Collectors.joining("\n"));
    }

    private String phase(Phase phase) {
      return PHASE
          .with("sums", lines(phase.gates(), gate -> "float s%d = 0;".formatted(gate)))
          .with("known", lines(IntStream.range(0, held()), quad -> known(phase, quad)))
          .with("others", others(phase))
          .with("stores", lines(phase.gates(), HeldRows.this::store))
          .with("cell", OWN.with("hidden", hidden).with("body", cell(phase)))
          .text();
    }

    private String known(Phase phase, int quad) {
      return four(phase, "w" + quad + "_", String.valueOf(quad * LANES));
    }

    private String four(Phase phase, String weights, String place) {
      return FOUR.with("array", phase.ofKept() ? String.valueOf(3 * pitch()) : "before")
          .with("place", place)
          .with("products", lines(phase.gates(), gate -> products(gate, weights + gate)))
          .text();
    }

    private String others(Phase phase) {
      return held() == quads()
          ? ""
          : OTHERS
              .with("first", held())
              .with("quads", quads())
              .with("weights", ofPhase(phase))
              .with("four", four(phase, "v", "q * " + LANES))
              .text();
    }

    private String ofPhase(Phase phase) {
      return lines(
          phase.gates(),
          gate ->
              "const float4 v%d = %s;"
                  .formatted(gate, layer.type().readFour("w", place("q", gate))));
    }

    private String cell(Phase phase) {
      return Statements.of(
          IF_RUNS
              .with(
                  "body",
                  Statements.of(
                      lines(phase.gates(), HeldRows.this::sum),
                      CellText.ofElements(layer, places).of(phase)))
              .with("otherwise", phase.isLast() ? places.behindTheLastStep() : "")
              .text());
    }

    private String end() {
      return Statements.of(
          layer.store(Part.HIDDEN, "0", "row", "j", "s[last + j]"),
          layer.store(Part.CELL, "0", "row", "j", places.held(2)));
    }
  }

  private static String products(int gate, String weights) {
    return lines(
        IntStream.range(0, LANES),
        lane ->
            "s%1$d = fma(a.%2$c, %3$s.%2$c, s%1$d);".formatted(gate, "xyzw".charAt(lane), weights));
  }

  private String store(int gate) {
    return "if (@localId < %d) found[%d + item] = s%d;"
        .formatted(parts * hidden, gate * parts * hidden, gate);
  }

  private String sum(int gate) {
    String sums =
        IntStream.range(0, parts)
            .mapToObj(part -> "found[%d + j]".formatted((gate * parts + part) * hidden))
            .collect(Collectors.joining(" + "));
    return "const float s%d = %s;".formatted(gate, sums);
  }
}
