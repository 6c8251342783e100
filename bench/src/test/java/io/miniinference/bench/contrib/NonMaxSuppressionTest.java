package io.miniinference.bench.contrib;

import static io.miniinference.ir.ElementType.F32;
import static io.miniinference.ir.ElementType.I64;

import io.miniinference.ir.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Boxes that overlap no better one, and what follows from their number, as ONNX Runtime computes
/// it.
final class NonMaxSuppressionTest {
  private static PeerModel boxes(int most) {
    return PeerModel.opset(17)
        .input("boxes", F32, 2, 90, 4)
        .input("scores", F32, 2, 3, 90)
        .constant("most", PeerModel.whole(I64, new long[] {1}, most));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 5, 0.3, 1",
    "0, 100, 0.5, -3",
    "0, 7, 0.05, 1.9",
    "0, 3, 0.5, 2",
    "0, 0, 0.5, 0",
    "1, 5, 0.3, 1",
    "1, 100, 0.2, -3"
  })
  void boxesOfEachClassAreChosen(int centered, int most, float overlap, float score) {
    Peers.compare(
        boxes(most)
            .constant("overlap", Tensor.of(new float[] {overlap}))
            .constant("score", Tensor.of(new float[] {score}))
            .standard(
                "NonMaxSuppression",
                "boxes scores most overlap score",
                "chosen",
                "center_point_box",
                centered)
            .outputs("chosen"));
  }

  @ParameterizedTest
  @CsvSource({"'boxes scores most'", "'boxes scores'", "'boxes scores most overlap'"})
  void whatIsNotAskedForIsNotHeldAgainstABox(String inputs) {
    Peers.compare(
        boxes(4)
            .constant("overlap", Tensor.of(new float[] {0.4f}))
            .standard("NonMaxSuppression", inputs, "chosen")
            .outputs("chosen"));
  }

  @ParameterizedTest
  @CsvSource({"1.0", "1.99", "5"})
  void aDetectorGathersWhatWasChosen(float score) {
    Peers.compare(
        boxes(20)
            .constant("overlap", Tensor.of(new float[] {0.4f}))
            .constant("score", Tensor.of(new float[] {score}))
            .constant("zero", PeerModel.whole(I64, new long[] {1}, 0))
            .constant("one", PeerModel.whole(I64, new long[] {1}, 1))
            .constant("two", PeerModel.whole(I64, new long[] {1}, 2))
            .constant("three", PeerModel.whole(I64, new long[] {1}, 3))
            .constant("axis", PeerModel.whole(I64, new long[] {1}, 1))
            .constant("columns", PeerModel.whole(I64, new long[] {2}, 0, 2))
            .standard("NonMaxSuppression", "boxes scores most overlap score", "chosen")
            .standard("Gather", "chosen columns", "places", "axis", 1)
            .standard("GatherND", "boxes places", "corners")
            .standard("GatherND", "scores chosen", "found")
            .standard("Unsqueeze", "found axis", "column")
            .standard("Slice", "chosen one two axis", "class")
            .standard("Cast", "class", "label", "to", 1)
            .standard("Slice", "chosen zero one axis", "image")
            .standard("Cast", "image", "number", "to", 1)
            .standard("Concat", "number corners label column", "detections", "axis", 1)
            .outputs("detections"));
  }

  /// As PyTorch's older exporter writes `boxes[images, places]` of the first few.
  @ParameterizedTest
  @CsvSource({"3, 1.0", "1000, 1.0", "3, 5"})
  void theFirstFewAreLaidOutByTheirNumber(int first, float score) {
    Peers.compare(
        boxes(20)
            .constant("overlap", Tensor.of(new float[] {0.4f}))
            .constant("score", Tensor.of(new float[] {score}))
            .constant("zero", PeerModel.whole(I64, new long[] {1}, 0))
            .constant("two", PeerModel.whole(I64, new long[] {1}, 2))
            .constant("four", PeerModel.whole(I64, new long[] {1}, 4))
            .constant("first", PeerModel.whole(I64, new long[] {1}, first))
            .constant("boxesOfAnImage", PeerModel.whole(I64, new long[] {1}, 90))
            .constant("rows", PeerModel.whole(I64, new long[] {2}, -1, 4))
            .standard("NonMaxSuppression", "boxes scores most overlap score", "chosen")
            .standard("Slice", "chosen zero first zero", "some")
            .standard("Gather", "some zero", "image", "axis", 1)
            .standard("Gather", "some two", "place", "axis", 1)
            .standard("Mul", "image boxesOfAnImage", "before")
            .standard("Add", "before place", "number")
            .standard("Reshape", "boxes rows", "table")
            .standard("Shape", "number", "sizes")
            .standard("Gather", "sizes zero", "length")
            .standard("Concat", "length four", "shape", "axis", 0)
            .standard("Gather", "table number", "corners")
            .standard("Reshape", "corners shape", "y")
            .outputs("y"));
  }
}
