package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.Tensor;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A detector that chooses among its boxes: what it answers is as long as there are boxes, in an
/// arena that has room for the most.
@OnEachDevice
final class DetectorTest extends SharedEngine {
  private static final int BOXES = 5;

  /// `[image, box, class, score, corners]` of what is chosen of five boxes, two classes.
  private static TestModel detector() {
    return TestModel.opset(17)
        .floats("boxes", "N,5,4")
        .floats("scores", "N,5,2")
        .constant("most", 4)
        .constant("zero", 0)
        .constant("one", 1)
        .constant("two", 2)
        .constant("ends", 0, 2)
        .reals("half", _ -> 0.5, 1)
        .node("Transpose", "scores", "classes", "perm=0,2,1")
        .node("NonMaxSuppression", "boxes classes most half half", "chosen")
        .node("GatherND", "classes chosen", "found")
        .node("Unsqueeze", "found one", "score")
        .node("Gather", "chosen ends", "places", "axis=1")
        .node("GatherND", "boxes places", "corners")
        .node("Cast", "chosen", "numbers", "to=1")
        .node("Concat", "numbers score corners", "detections", "axis=1")
        .output("detections")
        .output("chosen");
  }

  private record Found(long[] shape, float[] values) {}

  private static Found found(Model model, Tensor... inputs) {
    return model.infer(
        request(inputs),
        outputs -> {
          ResponseReader.Output first = outputs.getFirst();
          assertThat(outputs).hasSize(2);
          assertThat(outputs.get(1).shape()).containsExactly(first.shape()[0], 3);
          MemorySegment copy = MemorySegment.ofArray(first.data().toArray(ValueLayout.JAVA_BYTE));
          return new Found(first.shape().clone(), copy.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
        });
  }

  /* Boxes 0 and 1 overlap, all others are apart. */
  private static Tensor boxes(int images) {
    float[] corners = new float[images * BOXES * 4];
    for (int i = 0; i < images * BOXES; i++) {
      float at = i % BOXES == 1 ? 0.1f : 10 * (i % BOXES);
      corners[4 * i] = at;
      corners[4 * i + 1] = at;
      corners[4 * i + 2] = at + 2;
      corners[4 * i + 3] = at + 2;
    }
    return floats(shape(images, BOXES, 4), corners);
  }

  private static Tensor scores(int images, float... values) {
    return floats(shape(images, BOXES, 2), Arrays.copyOf(values, images * BOXES * 2));
  }

  @Test
  void thereAreAsManyRowsAsBoxes() {
    try (Model model = load(detector())) {
      Found found = found(model, boxes(1), scores(1, 0.6f, 0, 0.9f, 0.7f, 0, 0, 0, 0.8f, 0.55f, 0));
      assertThat(found.shape).containsExactly(4, 8);
      assertThat(found.values)
          .containsExactly(
              0, 0, 1, 0.9f, 0.1f, 0.1f, 2.1f, 2.1f, //
              0, 0, 4, 0.55f, 40, 40, 42, 42, //
              0, 1, 3, 0.8f, 30, 30, 32, 32, //
              0, 1, 1, 0.7f, 0.1f, 0.1f, 2.1f, 2.1f);
    }
  }

  @Test
  void ofAnyBatchAndOfNone() {
    try (Model model = load(detector())) {
      float[] second = new float[20];
      second[10] = 0.75f;
      assertThat(found(model, boxes(1), scores(1)).shape).containsExactly(0, 8);
      Found found = found(model, boxes(2), scores(2, second));
      assertThat(found.shape).containsExactly(1, 8);
      assertThat(found.values).containsExactly(1, 0, 0, 0.75f, 0, 0, 2, 2);
      float[] all = new float[7 * 10];
      Arrays.fill(all, 1);
      assertThat(found(model, boxes(7), scores(7, all)).shape).containsExactly(7 * 8, 8);
      assertThat(found(model, boxes(0), scores(0)).shape).containsExactly(0, 8);
      assertThat(found(model, boxes(1), scores(1)).shape).containsExactly(0, 8);
    }
  }

  @Test
  void theRequestsOfOthersAreNotAmongTheRows() {
    try (Model model = load(detector())) {
      assertThat(model.hasBatch()).isTrue();
      assertThat(model.isBatchable()).isFalse();
      assertThat(model.outputs()).hasToString("[f32[detections[0],8], i64[chosen[0],3]]");
      InferenceRequest request = request(boxes(1), scores(1));
      assertThatThrownBy(
              () -> RequestBatch.of(model, List.of(new RequestBatch.Member<>(request, _ -> 1))))
          .hasMessageContaining("takes one request at a time");
    }
  }

  /// As exports have the best hundred boxes and the scores of these.
  @Test
  void whatIsCutAlikeIsOfOneLength() {
    TestModel model =
        detector()
            .node("Slice", "numbers zero two zero", "best")
            .node("Slice", "score zero two zero", "beside")
            .node("Concat", "best beside", "few", "axis=1")
            .output("few");
    try (Model few = load(model)) {
      assertThat(few(few, scores(1, 0.6f, 0, 0.9f, 0.7f))).containsExactly(2, 4);
      assertThat(few(few, scores(1, 0.6f))).containsExactly(1, 4);
      assertThat(few(few, scores(1))).containsExactly(0, 4);
    }
  }

  private static long[] few(Model model, Tensor scores) {
    return model.infer(request(boxes(1), scores), all -> all.getLast().shape().clone());
  }

  /// The boxes of an image are as many as a request brings.
  @Test
  void ofAnyNumberOfBoxes() {
    TestModel open =
        TestModel.opset(17)
            .floats("boxes", "N,count,4")
            .floats("scores", "N,1,count")
            .constant("most", 100)
            .reals("half", _ -> 0.5, 1)
            .node("NonMaxSuppression", "boxes scores most half half", "chosen")
            .output("chosen");
    try (Model model = load(open)) {
      for (int count : new int[] {5, 1, 0, 3, 130, 4}) {
        float[] corners = new float[count * 4];
        float[] high = new float[count];
        for (int i = 0; i < count; i++) {
          corners[4 * i] = 3 * i;
          corners[4 * i + 2] = 3 * i + 1;
          corners[4 * i + 3] = 1;
          high[i] = i % 2 == 0 ? 0.25f : 1 + i;
        }
        long[] chosen =
            wholes(model, floats(shape(1, count, 4), corners), floats(shape(1, 1, count), high));
        assertThat(chosen).hasSize(3 * (count / 2));
        for (int i = 0; i < count / 2; i++) {
          assertThat(chosen[3 * i + 2]).isEqualTo(count / 2 * 2 - 1 - 2 * i);
        }
      }
    }
  }

  @Test
  void aBadIndexOfARealRowFailsTheRequest() {
    TestModel model =
        detector()
            .constant("far", 3)
            .node("Add", "chosen far", "a")
            .node("Gather", "boxes a", "b")
            .output("b");
    try (Model bad = load(model)) {
      long[] none = bad.infer(request(boxes(1), scores(1)), all -> all.getLast().shape());
      assertThat(none).containsExactly(0, 3, 5, 4);
      assertFails(
          "node 'make b' (Gather): index 3 is outside [-1, 0] on axis 0, position 0",
          bad,
          boxes(1),
          scores(1, 1));
    }
  }
}
