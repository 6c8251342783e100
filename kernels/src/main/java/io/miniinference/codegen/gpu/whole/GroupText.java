package io.miniinference.codegen.gpu.whole;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.MemoryOrder;
import io.miniinference.device.Launch;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import java.util.List;
import java.util.Optional;

/// The kernel of a whole network for work-groups of so many rows.
///
/// @param step the network, with its inputs and outputs in the pool
record GroupText(Inside inside, WholeNetwork.Size size, LoweredStep step) {
  private static final Template HEAD =
      Template.of(
          "whole network, head",
          """
          A work-group of $items takes $rows of the batch through the whole network: it brings their inputs into local
          memory, keeps there what is between its steps, in places that are planned as an arena is, and stores their outputs.
          Between two steps all work items meet. Work items that are neighbours have neighbouring channels, and so read one
          pixel, and weights that lie side by side.
          """);

  private static final Template GROUP =
      Template.of(
          "whole network",
          """
          const int t = @localId;
          const long row = ((long)first + @groupId(0)) * $rows;
          const int rows = n - row < $rows ? (int)(n - row) : $rows;
          @shared float memory[$floats] @aligned;
          @local uchar* lane = (@local uchar*)memory;
          """);

  private static final Template MARGINS =
      Template.of(
          "zeros of an image",
          """
          for (int item = t; item < (int)($bytes / 4); item += $items) ((@local float*)(lane + $offset))[item] = 0;
          @barrier;
          """);

  private static final Template STAGE =
      Template.of(
          "stage of a whole network",
          """
          { // $title
            const int n = rows;
            $zeros
            $statements
          }
          """);

  private static final Template BRING =
      Template.of("input of a whole network", "$to = from[row * $elements + item];");

  private static final Template TAKE =
      Template.of("output of a whole network", "to[row * $elements + item] = $from;");

  KernelText.Written written(Launch.Batches batches) {
    KernelText text = new KernelText().group(Stage.ITEMS);
    String rows = size.rows() == 1 ? "a row" : size.rows() + " rows";
    text.head(HEAD.with("items", Stage.ITEMS + " work items").with("rows", rows).text());
    text.add(
        GROUP
            .with("rows", size.rows())
            .with("floats", Math.ceilDiv(size.placement().plannedBytes(), (long) Float.BYTES)));
    for (int i = 0; i < inside.inputs().size(); i++) {
      add(text, "an input", inside.inputs().get(i), bring(text, i));
      text.line("@barrier;");
    }
    for (Stage stage : inside.stages()) {
      KernelText part = text.part(this::place);
      stage.write(part, size.placement());
      add(text, stage.title(), stage.step().output(), part);
      text.line("@barrier;");
    }
    for (int i = 0; i < inside.outputs().size(); i++) {
      text.add(stage("an output", "", take(text, i)));
    }
    Launch.Extent groups = new Launch.Extent(Affine.N, size.rows(), Stage.ITEMS);
    return new KernelText.Written(text, new Launch.Groups(List.of(groups)).at(batches));
  }

  private void add(KernelText text, String title, Array result, KernelText part) {
    text.add(stage(title, zeros(result.block()), part));
  }

  private static Template.Filling stage(String title, String zeros, KernelText part) {
    return STAGE
        .with("title", title.replaceAll("[^A-Za-z0-9, ]", "_"))
        .with("zeros", zeros)
        .with("statements", part.statements().indent(-2).strip());
  }

  /* What is in local memory. */
  private Optional<KernelText.Place> place(Array array) {
    return size.placement().isPlaced(array.block())
        ? Optional.of(new KernelText.Place("@local", "lane + " + offset(array.block())))
        : Optional.empty();
  }

  private long offset(Block block) {
    return size.placement().offsetBytes(block);
  }

  private String zeros(Block block) {
    return inside.hasMargins(block)
        ? MARGINS
            .with("bytes", IndexText.affine(block.sizeBytes()))
            .with("items", Stage.ITEMS)
            .with("offset", offset(block))
            .text()
        : "";
  }

  private KernelText bring(KernelText text, int input) {
    Array to = inside.inputs().get(input);
    CType type = type(step.node().inputs().get(input));
    KernelText part = text.part(this::place);
    pool(text, part, "from", "const " + type.stored(), step.inputs().get(input));
    part.pointer("y", type, to, true);
    return part.line(
        Places.inOrder(
            to.index().shape(), BRING.with("to", element("y", to)).with("elements", each(to))));
  }

  private KernelText take(KernelText text, int output) {
    Array from = inside.outputs().get(output);
    CType type = type(step.node().outputs().get(output));
    KernelText part = text.part(this::place);
    pool(text, part, "to", type.stored(), step.outputs().get(output));
    part.pointer("x", type, from, false);
    return part.line(
        Places.inOrder(
            from.index().shape(),
            TAKE.with("from", element("x", from)).with("elements", each(from))));
  }

  private static void pool(
      KernelText text, KernelText part, String name, String type, Array array) {
    part.line("@global %s* %s = (@global %s*)(%s);".formatted(type, name, type, text.block(array)));
  }

  private static CType type(Value value) {
    return CType.of(value.type().element());
  }

  private static String element(String pointer, Array array) {
    return pointer
        + "["
        + IndexText.offset(array.index(), MemoryOrder.coordinates(array.index().shape()))
        + "]";
  }

  /* Elements of a row. */
  private static long each(Array array) {
    return array.index().elements().perBatch();
  }
}
