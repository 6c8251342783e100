package io.miniinference.codegen.gpu;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.TiledProduct;
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
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A recurrent layer of 32-bit floats whose weights are many: a launch for each phase of a step, of
/// work-groups all over the device, one for a few elements of a few rows. The states are in
/// scratch, where the next launch finds them. One launch ahead of all steps puts the initial states
/// there.
///
/// The products of an element are added up in the same order whatever the rows of a work-group, so
/// that a row's bits do not depend on the batch that it is in.
record RecurrentSteps() implements GpuStrategy.Several {
  /// Elements of a work-group.
  private static final int ELEMENTS = 4;

  /// Work items that share the products of an element.
  private static final int SHARES = 32;

  private static final int ITEMS = ELEMENTS * SHARES;

  /// From one element's sums to the next, so that work items find theirs in banks of their own.
  private static final int PITCH = SHARES + 1;

  /// Rows of a work-group for which weights are read once.
  private static final int ROWS = 8;

  /// Fewest rows of a batch that have a work-group together.
  private static final int FEWEST_ROWS = 3;

  private static final Template BEGIN =
      Template.of(
          "initial states of a recurrent layer",
          """
          const long row = (long)first + @groupId(0);
          @global float* s = states + row * $each;
          for (long j = @localId; j < $hidden; j += $items) {
            $body
          }
          """);

  private static final Template KERNEL =
      Template.of(
          "steps of a recurrent layer by the whole device",
          """
          const long turn = (long)first + @groupId(0);
          const long first_element = (long)@groupId(1) * $elements;
          const long first_row = (long)@groupId(2) * $together;
          @shared float shares[$shares];
          @shared float sums[$sums];
          const long step = $step;
          const long before = (step & 1) ? $hidden : 0;
          const long next = $hidden - before;
          $products
          @barrier;
          if (@localId < $found) {
            float sum = 0;
            @unroll
            for (int i = 0; i < $share; i++) sum += shares[@localId * $pitch + i];
            sums[@localId] = sum;
          }
          @barrier;
          if (@localId < $own) {
            const long j = first_element + (long)@localId % $elements;
            const long row = first_row + (long)@localId / $elements;
            if (j < $hidden && row < $rows) {
              @global float* s = states + row * $each;
              $cells
            }
          }
          """);

  private static final Template BY_PHASE =
      Template.of(
          "phases of a step by turns",
          """
          if (turn & 1) {
            $second
          } else {
            $first
          }
          """);

  private static final Template PRODUCTS =
      Template.of(
          "share of the products of a phase",
          """
          {
            const long j = min(first_element + (long)@localId / $share, $hidden - 1L);
            $states
            $zeros
            for (long k = (long)@localId % $share * $width; k < $hidden; k += $stride) {
              $reads
              $products
            }
            $stores
          }
          """);

  private static final Template CELL =
      Template.of(
          "element of a step",
          """
          const long length = $length;
          const long t = $place;
          $sums
          if (step < length) {
            $cell
          }$otherwise
          $last
          """);

  private static final Template IF =
      Template.of(
          "stores at one step",
          """
          if ($condition) {
            $body
          }
          """);

  private static final Template HEAD =
      Template.of(
          "steps of a recurrent layer by the whole device, head",
          """
          A phase of a step. A work-group makes $elements elements of $rows rows: $shares work items share the products of an
          element, neighbours with neighbours of the states and the weights.
          """);

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return Algorithm.of("recurrent layer, a launch a step");
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    Affine rows = RowLoop.rows(step);
    if (rows.isConstant()) {
      int together = rows.constant() < FEWEST_ROWS ? 1 : ROWS;
      return List.of(begin(step), new Text(step, together).written(Launch.Batches.ALL));
    }
    long from = Math.ceilDiv(FEWEST_ROWS, Math.max(1, rows.perBatch()));
    return List.of(
        begin(step),
        new Text(step, 1).written(new Launch.Batches(0, from)),
        new Text(step, ROWS).written(new Launch.Batches(from, Long.MAX_VALUE)));
  }

  private static KernelText.Written begin(LoweredStep step) {
    Text text = new Text(step, 1);
    var rows = new Launch.Extent(RowLoop.rows(step).times(ITEMS), ITEMS, ITEMS);
    return new KernelText.Written(text.initial(), new Launch.Groups(List.of(rows)));
  }

  private static String lines(int count, IntFunction<String> line) {
    return IntStream.range(0, count).mapToObj(line).collect(Collectors.joining("\n"));
  }

  /* The kernel for work-groups of so many rows. */
  private static final class Text {
    private final LayerText layer;
    private final ElementPlaces places;
    private final Kind kind;
    private final int rows;
    private final long hidden;
    private final int width;

    Text(LoweredStep step, int rows) {
      layer = new LayerText(step, ITEMS);
      layer.text().entries("states", "float", step.scratch().getFirst().id());
      hidden = layer.hidden();
      places = new ElementPlaces(layer, hidden, false);
      kind = layer.op().cell().kind();
      this.rows = rows;
      IndexFunction weights = step.inputs().get(Op.Recurrent.WEIGHTS).index();
      width = hidden % 4 == 0 && TiledProduct.isVector(weights, 1) ? 4 : 1;
    }

    KernelText.Written written(Launch.Batches batches) {
      Affine turns = layer.steps().times(phases().size());
      List<Launch.Extent> extents =
          List.of(
              new Launch.Extent(turns.times(ITEMS), ITEMS, ITEMS),
              new Launch.Extent(Affine.of(hidden), ELEMENTS, 1),
              new Launch.Extent(layer.rows(), rows, 1));
      return new KernelText.Written(text(), new Launch.Groups(extents, batches, true));
    }

    private List<Phase> phases() {
      return Phase.of(kind);
    }

    private int sums() {
      return ELEMENTS
          * rows
          * phases().stream().mapToInt(p -> p.gates().size()).max().orElseThrow();
    }

    private KernelText text() {
      return layer
          .text()
          .head(HEAD.with("elements", ELEMENTS).with("rows", rows).with("shares", SHARES).text())
          .add(
              KERNEL
                  .with("elements", ELEMENTS)
                  .with("together", rows)
                  .with("shares", sums() * PITCH)
                  .with("sums", sums())
                  .with("step", phases().size() == 1 ? "turn" : "turn / 2")
                  .with("hidden", hidden)
                  .with("products", byPhase(this::products))
                  .with("found", found())
                  .with("share", SHARES)
                  .with("pitch", PITCH)
                  .with("own", ELEMENTS * rows)
                  .with("rows", IndexText.affine(layer.rows()))
                  .with("each", each())
                  .with("cells", byPhase(this::cell)));
    }

    KernelText initial() {
      return layer
          .text()
          .head("A work-group puts the initial states of a row where the first step finds them.")
          .add(
              BEGIN
                  .with("each", each())
                  .with("hidden", hidden)
                  .with("items", ITEMS)
                  .with("body", begin()));
    }

    private long each() {
      return ElementLoop.arrays(kind) * hidden;
    }

    private int sums(Phase phase) {
      return ELEMENTS * rows * phase.gates().size();
    }

    private String found() {
      List<Integer> found = phases().stream().map(this::sums).toList();
      return found.size() == 1
          ? String.valueOf(found.getFirst())
          : "((turn & 1) ? %d : %d)".formatted(found.get(1), found.get(0));
    }

    private String begin() {
      return Statements.of(
          places.keep(layer.initial(Given.HIDDEN, "row", "j"), 0),
          kind.hasCellState() ? places.keep(layer.initial(Given.CELL, "row", "j"), 2) : "",
          results(IndexText.affine(layer.steps()) + " == 0", "s[j]"));
    }

    /* The last states, where they are asked for. */
    private String results(String condition, String hiddenState) {
      String stores =
          Statements.of(
              layer.store(Part.HIDDEN, "0", "row", "j", hiddenState),
              layer.store(Part.CELL, "0", "row", "j", places.held(2)));
      return stores.isEmpty() ? "" : IF.with("condition", condition).with("body", stores).text();
    }

    private String byPhase(Function<Phase, String> text) {
      List<String> texts = phases().stream().map(text).toList();
      return texts.size() == 1
          ? texts.getFirst()
          : BY_PHASE.with("first", texts.get(0)).with("second", texts.get(1)).text();
    }

    private String products(Phase phase) {
      int gates = phase.gates().size();
      return PRODUCTS
          .with("share", SHARES)
          .with("hidden", hidden)
          .with("states", lines(rows, row -> states(phase, row)))
          .with("zeros", lines(gates * rows, sum -> "float s" + sum + " = 0;"))
          .with("width", width)
          .with("stride", SHARES * width)
          .with("reads", lines(rows, this::read))
          .with("products", lines(gates, place -> products(phase.gates().get(place), place)))
          .with("stores", lines(gates * rows, sum -> store(sum, gates)))
          .text();
    }

    private String states(Phase phase, int row) {
      String from = phase.ofKept() ? String.valueOf(3 * hidden) : "before";
      return "@global const float* h%d = states + min(first_row + %d, %s - 1L) * %d + %s;"
          .formatted(row, row, IndexText.affine(layer.rows()), each(), from);
    }

    private String read(int row) {
      return width == 4
          ? "const float4 a%d = %s;".formatted(row, layer.type().readFour("h" + row, "k"))
          : "const float a%d = h%d[k];".formatted(row, row);
    }

    /* Of one gate, for all rows. */
    private String products(int gate, int place) {
      String weight = layer.weight(places.row(gate), "k");
      if (width == 1) {
        return Statements.of(
            "const float w%d = %s;".formatted(place, weight),
            lines(rows, row -> add(place * rows + row, "a" + row, "w" + place)));
      }
      return Statements.of(
          "const float4 w%d = %s;".formatted(place, layer.four(places.row(gate), "k")),
          lines(rows, row -> four(place, row)));
    }

    private String four(int place, int row) {
      List<String> adds = new ArrayList<>();
      for (char part : "xyzw".toCharArray()) {
        adds.add(add(place * rows + row, "a" + row + "." + part, "w" + place + "." + part));
      }
      return String.join("\n", adds);
    }

    private static String add(int sum, String state, String weight) {
      return "s%1$d = fma(%2$s, %3$s, s%1$d);".formatted(sum, state, weight);
    }

    private String store(int sum, int gates) {
      return "shares[(@localId / %1$d * %2$d + %3$d) * %4$d + @localId %% %1$d] = s%3$d;"
          .formatted(SHARES, gates * rows, sum, PITCH);
    }

    private String cell(Phase phase) {
      String last = IndexText.affine(layer.steps()) + " - 1L == step";
      return CELL.with("length", layer.length("row"))
          .with("place", layer.place("length"))
          .with("sums", lines(phase.gates().size(), place -> sum(phase, place)))
          .with("cell", CellText.ofElements(layer, places).of(phase))
          .with("otherwise", phase.isLast() ? places.behindTheLastStep() : "")
          .with("last", phase.isLast() ? results(last, "s[next + j]") : "")
          .text();
    }

    private String sum(Phase phase, int place) {
      return "const float s%d = sums[@localId %% %2$d * %3$d + %4$d + @localId / %2$d];"
          .formatted(phase.gates().get(place), ELEMENTS, phase.gates().size() * rows, place * rows);
    }
  }
}
