package io.miniinference.codegen;

import io.miniinference.device.Launch;
import io.miniinference.lower.LoweredStep;

/// The kernel of a NonMaxSuppression in which a work item has a class of an image. It goes over the
/// scores for the next best few, in a heap of its own, the worst on top, and then looks at those in
/// order; where few scores are above the one asked for, it goes over them once.
public final class NonMaxSuppressionBlocks {
  /// Candidates of a block: more cost more to keep in order than going over the scores again.
  private static final int BLOCK = 64;

  private static final Template KERNEL =
      Template.of(
          "boxes of a class",
          """
          const long item = (long)@globalId + first;
          if (item >= $items) return;
          $open
          ulong best[$block];
          ulong last = 0;
          long chosen = 0;
          int count = $block;
          while (chosen < $places && count == $block) {
            count = 0;
            for (long e = 0; e < $boxes; e++) {
              const float score = $score;
              if (!($isCandidate)) continue;
              const ulong next = candidate_of(score, e);
              if (next <= last) continue;
              if (count < $block) {
                int at = count++;
                for (; at > 0 && best[(at - 1) / 2] < next; at = (at - 1) / 2) best[at] = best[(at - 1) / 2];
                best[at] = next;
              } else if (next < best[0]) {
                $replace
              }
            }
            for (int size = count - 1; size > 0; size--) {
              const ulong next = best[size];
              best[size] = best[0];
              $sink
            }
            for (int c = 0; c < count && chosen < $places; c++) {
              const long place = (long)(best[c] & 0xfffffffful);
              const float4 box = $box;
              int apart = 1;
              for (long i = 0; i < chosen && apart; i++) {
                $test
              }
              if (apart) {
                $chosen = place;
                chosen++;
              }
            }
            last = count > 0 ? best[count - 1] : last;
          }
          for (; chosen < $places; chosen++) $chosen = -1;
          """);

  private static final Template SINK =
      Template.of(
          "sink into a heap of candidates",
          """
          int at = 0;
          for (int child = 1; child < $size; child = 2 * at + 1) {
            if (child + 1 < $size && best[child] < best[child + 1]) child++;
            if (next >= best[child]) break;
            best[at] = best[child];
            at = child;
          }
          best[at] = next;
          """);

  private NonMaxSuppressionBlocks() {}

  /// How it is computed, for those who look at a plan.
  public static String algorithm() {
    return "the best candidates, " + BLOCK + " at a time";
  }

  /// The kernel of a step.
  public static KernelText.Written write(LoweredStep step) {
    NonMaxSuppressionText boxes = new NonMaxSuppressionText(step, 1).declareScores().declareBoxes();
    KernelText text = boxes.text();
    text.head("A work item chooses the boxes of a class of an image.");
    text.add(
        KERNEL
            .with("items", IndexText.affine(boxes.rows()))
            .with("open", Statements.of(boxes.open("item"), boxes.most(), boxes.least()))
            .with("block", BLOCK)
            .with("places", boxes.places())
            .with("boxes", boxes.boxes())
            .with("score", boxes.score("e"))
            .with("isCandidate", boxes.isCandidate("score"))
            .with("replace", SINK.with("size", BLOCK).text())
            .with("sink", SINK.with("size", "size").text())
            .with("box", boxes.box("place"))
            .with("test", boxes.test("i", "apart = 0").text())
            .with("chosen", boxes.chosen("chosen")));
    return new KernelText.Written(text, new Launch.Items(boxes.rows(), 1));
  }
}
