package io.miniinference.codegen.gpu;

import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.NonMaxSuppressionText;
import io.miniinference.codegen.RankedEntry;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.sort.RowEntries;
import io.miniinference.codegen.gpu.sort.SortedTiles;
import io.miniinference.device.Launch;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.TensorType;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;

/// NonMaxSuppression on GPUs. The candidates of each class of an image are sorted first. A
/// work-group then has a class, and goes over its candidates in blocks, a work item a candidate:
/// those that overlap a box chosen from earlier blocks drop out at once, and of the others the
/// first is chosen, in turn, and drops those that it overlaps. A block takes as many turns as boxes
/// are chosen from it. A work item reads those places of the result that it stored itself, so that
/// none waits for the pool.
///
/// ```
/// sorted | . . . . . . . . | x . x . . x . . | . . . . . . . . |     x: chosen
///          earlier blocks    a block
/// ```
///
/// @param candidates sorted rows of them
record SortedSuppression(SortedTiles candidates) implements GpuStrategy.Several {
  private static final RankedEntry ENTRY = RankedEntry.of(ElementType.F32);
  private static final int ITEMS = 256;

  private static final Template CLEAR =
      Template.of(
          "places of a class",
          """
          const long row = (long)first + @groupId(0);
          $open
          for (long from = 0; from < $places; from += $items) {
            const long i = from + @localId;
            if (i < $places) $mine = -1;
          }
          """);

  private static final Template CHOOSE =
      Template.of(
          "boxes of a class",
          """
          $open
          @shared float4 others[$items];
          @shared uint places[$items];
          @shared uint dropped[$words];
          long chosen = 0;
          for (long begin = 0; begin < $boxes && chosen < $places && ${entry}_before(sorted[row * $stride + begin], $none); begin += $items) {
            const long own = begin + @localId;
            const $entry next = own < $boxes ? sorted[row * $stride + own] : $none;
            const long place = ${entry}_place(next);
            int stays = ${entry}_before(next, $none);
            float4 box = box_between(0, 0, 0, 0);
            if (stays) box = $boxOfPlace;
            for (long from = 0; from < chosen; from += $items) {
              const long i = from + @localId;
              if (i < chosen) {
                const long taken = $mine;
                others[@localId] = $boxOfTaken;
              }
              @barrier;
              const int count = (int)(chosen - from < $items ? chosen - from : $items);
              for (int k = 0; k < count && stays; k++) stays = !overlaps_by(box, others[k], most);
              @barrier;
            }
            if (@localId < $words) dropped[@localId] = 0;
            others[@localId] = box;
            places[@localId] = (uint)place;
            @barrier;
            if (!stays) @atomicOr(&dropped[@localId / 32], 1u << @localId % 32);
            @barrier;
            int turn = 0;
            $find
            while (turn < $items && chosen < $places) {
              if (@localId == chosen % $items) $store = (long)places[turn];
              chosen++;
              @barrier;
              if (stays && @localId > turn && overlaps_by(box, others[turn], most)) {
                stays = 0;
                @atomicOr(&dropped[@localId / 32], 1u << @localId % 32);
              }
              turn++;
              @barrier;
              $find
            }
            @barrier;
          }
          """);

  private static final Template LOAD =
      Template.of(
          "candidate",
          """
          $least
          const float score = $score;
          if ($isCandidate) next = candidate_of(score, $place);
          """);

  private static final Template FIND =
      Template.of(
          "first that is not dropped",
          """
          while (turn < $items && dropped[turn / 32] >> turn % 32 & 1) {
            turn += turn % 32 == 0 && dropped[turn / 32] == ~0u ? 32 : 1;
          }
          """);

  /// @param plain how operands and result lie
  static KernelChoice<GpuStrategy> choice(Node node, KernelChoice<GpuStrategy> plain) {
    TensorType scores = node.inputs().getFirst().type();
    long boxes = NonMaxSuppressionText.boxes(scores);
    SortedTiles tiles = SortedTiles.of(NonMaxSuppressionText.rows(scores), boxes, boxes, true);
    return new KernelChoice<>(
        new SortedSuppression(tiles),
        plain.inputs(),
        plain.packings(),
        plain.output(),
        false,
        tiles.scratch(ENTRY.bytes()));
  }

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return Algorithm.of("candidates sorted, then a block of them at a time");
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    List<KernelText.Written> kernels =
        new ArrayList<>(candidates.kernels(items -> new Candidates(step, items)));
    kernels.add(choose(step));
    return kernels;
  }

  private KernelText.Written choose(LoweredStep step) {
    NonMaxSuppressionText boxes = new NonMaxSuppressionText(step, ITEMS).declareBoxes();
    KernelText text = boxes.text();
    text.head("A work-group chooses the boxes of a class of an image.");
    text.add(
        CLEAR
            .with("open", boxes.open("row"))
            .with("items", ITEMS)
            .with("places", boxes.places())
            .with("mine", boxes.chosen("i")));
    if (boxes.boxes() > 0) {
      text.entries("sorted", ENTRY.type(), step.scratch().get(candidates.lastScratch()).id());
      text.add(chosen(boxes));
    }
    Launch.Extent items = new Launch.Extent(boxes.rows().times(ITEMS), ITEMS, ITEMS);
    return new KernelText.Written(text, new Launch.Groups(List.of(items)));
  }

  private Template.Filling chosen(NonMaxSuppressionText boxes) {
    return CHOOSE
        .with("open", boxes.most())
        .with("items", ITEMS)
        .with("words", ITEMS / Integer.SIZE)
        .with("places", boxes.places())
        .with("mine", boxes.chosen("i"))
        .with("boxes", boxes.boxes())
        .with("stride", candidates.lastStride())
        .with("entry", ENTRY.type())
        .with("none", ENTRY.none())
        .with("boxOfPlace", boxes.box("place"))
        .with("boxOfTaken", boxes.box("taken"))
        .with("find", FIND.with("items", ITEMS).text())
        .with("store", boxes.chosen("chosen"));
  }

  /// Candidates made of scores.
  private static final class Candidates implements RowEntries {
    private final LoweredStep step;
    private final NonMaxSuppressionText boxes;

    Candidates(LoweredStep step, int items) {
      this.step = step;
      boxes = new NonMaxSuppressionText(step, items);
    }

    @Override
    public KernelText text() {
      return boxes.text();
    }

    @Override
    public RankedEntry entry() {
      return ENTRY;
    }

    @Override
    public void declareOperand() {
      boxes.declareScores();
    }

    @Override
    public String coordinates(String row) {
      return boxes.open(row);
    }

    @Override
    public String load(String place) {
      return LOAD.with("least", boxes.least())
          .with("score", boxes.score(place))
          .with("isCandidate", boxes.isCandidate("score"))
          .with("place", place)
          .text();
    }

    @Override
    public void declareScratch(String name, int scratch) {
      text().entries(name, ENTRY.type(), step.scratch().get(scratch).id());
    }
  }
}
