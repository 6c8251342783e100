package io.miniinference.codegen.gpu;

import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.NonMaxSuppressionText;
import io.miniinference.codegen.Template;
import io.miniinference.device.Launch;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import java.util.List;

/// NonMaxSuppression on GPUs. A work-group has a class of an image. In each round its work items
/// find the next candidate together and hold it against a share each of the boxes chosen before: a
/// work item reads those places that it stored itself, so that none waits for the pool. There are
/// as many rounds as candidates that are looked at.
record NonMaxSuppressionRounds() implements GpuStrategy.Several {
  private static final int ITEMS = 256;

  private static final Template KERNEL =
      Template.of(
          "boxes of a class",
          """
          const long row = (long)first + @groupId(0);
          $open
          @shared ulong best[$items];
          @shared int hits[$items];
          for (long from = 0; from < $most; from += $items) {
            const long i = from + @localId;
            if (i < $most) $mine = -1;
          }
          ulong last = 0;
          long chosen = 0;
          while (last != $none && chosen < $most) {
            ulong next = $none;
            for (long from = 0; from < $boxes; from += $items) {
              const long e = from + @localId;
              if (e < $boxes) {
                const float score = $score;
                const ulong own = $isCandidate ? candidate_of(score, e) : $none;
                if (own > last && own < next) next = own;
              }
            }
            best[@localId] = next;
            @barrier;
            for (int apart = $items / 2; apart > 0; apart >>= 1) {
              if (@localId < apart && best[@localId + apart] < best[@localId]) best[@localId] = best[@localId + apart];
              @barrier;
            }
            last = best[0];
            int hit = 0;
            if (last != $none) {
              const long place = (long)(last & 0xfffffffful);
              const float4 box = $box;
              for (long from = 0; from < chosen; from += $items) {
                const long i = from + @localId;
                if (i < chosen) {
                  $test
                }
              }
            }
            hits[@localId] = hit;
            @barrier;
            for (int apart = $items / 2; apart > 0; apart >>= 1) {
              if (@localId < apart) hits[@localId] |= hits[@localId + apart];
              @barrier;
            }
            const int isChosen = last != $none && hits[0] == 0;
            if (isChosen && @localId == chosen % $items) $taken = (long)(last & 0xfffffffful);
            chosen += isChosen;
            @barrier;
          }
          """);

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return Algorithm.of("a candidate a round");
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step, int failures) {
    NonMaxSuppressionText boxes = new NonMaxSuppressionText(step, ITEMS);
    KernelText text = boxes.text();
    text.head("A work-group chooses the boxes of a class of an image.");
    text.add(
        KERNEL
            .with("open", boxes.open("row"))
            .with("items", ITEMS)
            .with("most", boxes.most())
            .with("mine", boxes.chosen("i"))
            .with("none", NonMaxSuppressionText.NONE)
            .with("boxes", boxes.boxes())
            .with("score", boxes.score("e"))
            .with("isCandidate", boxes.isCandidate("score"))
            .with("box", boxes.box("place"))
            .with("test", boxes.test("i", "hit = 1").text())
            .with("taken", boxes.chosen("chosen")));
    Launch.Extent items = new Launch.Extent(boxes.rows().times(ITEMS), ITEMS, ITEMS);
    return List.of(new KernelText.Written(text, new Launch.Groups(List.of(items))));
  }
}
