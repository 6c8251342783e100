package io.miniinference.bench.contrib;

import static io.miniinference.ir.ElementType.F32;
import static io.miniinference.ir.ElementType.I64;
import static io.miniinference.ir.ElementType.U8;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Forms that files have and the standard's own cases have not, as ONNX Runtime computes them.
final class LooseFormsTest {
  @ParameterizedTest
  @CsvSource({"not_larger, 3, 4", "not_larger, 2, 9", "not_smaller, 5, 4", "not_smaller, 2, 8"})
  void aResizeThatKeepsTheAspectTakesOneScaleThoughASizeIsKept(String policy, long h, long w) {
    Peers.compare(
        PeerModel.opset(19)
            .input("x", F32, 1, 1, 2, 4)
            .constant("sizes", PeerModel.whole(I64, new long[] {2}, h, w))
            .standard(
                "Resize",
                "x - - sizes",
                "y",
                "axes",
                new long[] {2, 3},
                "keep_aspect_ratio_policy",
                policy)
            .outputs("y"));
  }

  /// PyTorch's exporter writes them ahead of opset 18.
  @ParameterizedTest
  @CsvSource({"max", "min"})
  void extremesAreScatteredInOpset16(String reduction) {
    Peers.compare(
        PeerModel.opset(16)
            .input("x", F32, 4, 5)
            .constant("i", PeerModel.whole(I64, new long[] {2, 5}, 0, 1, 2, 3, 0, 0, 2, 2, 1, 3))
            .input("u", F32, 2, 5)
            .standard("ScatterElements", "x i u", "y", "reduction", reduction)
            .outputs("y"));
  }

  /// Each neighbour of a place beyond the border is the one on it, and not the place itself.
  @ParameterizedTest
  @CsvSource({"border, 1", "border, 0", "reflection, 1", "zeros, 0"})
  void aCubicIsSampledBeyondTheBorder(String padding, int corners) {
    Peers.compare(
        PeerModel.opset(16)
            .input("x", F32, 2, 3, 5, 6)
            .input("grid", F32, 2, 4, 7, 2)
            .standard(
                "GridSample",
                "x grid",
                "y",
                "mode",
                "bicubic",
                "padding_mode",
                padding,
                "align_corners",
                corners)
            .outputs("y"));
  }

  @Test
  void nodesMayStandAheadOfWhatTheyRead() {
    Peers.compare(
        PeerModel.opset(17)
            .input("x", F32, 2, 3)
            .standard("Add", "a c", "y")
            .standard("Relu", "x", "a")
            .standard("Neg", "x", "c")
            .outputs("y"));
  }

  @ParameterizedTest
  @CsvSource({"'4', '4 3'", "'4', '2 4 3'", "'2 4', '4'", "'4', '4'"})
  void integersOfVectorsAreMultiplied(String a, String b) {
    Peers.compare(
        PeerModel.opset(17)
            .input("a", U8, shape(a))
            .input("b", U8, shape(b))
            .constant("za", PeerModel.whole(U8, new long[] {1}, 3))
            .constant("zb", PeerModel.whole(U8, new long[0], 5))
            .standard("MatMulInteger", "a b za zb", "y")
            .outputs("y"));
  }

  private static long[] shape(String text) {
    String[] sizes = text.split(" ", -1);
    long[] shape = new long[sizes.length];
    for (int i = 0; i < shape.length; i++) {
      shape[i] = Long.parseLong(sizes[i]);
    }
    return shape;
  }

  /// Exports of recurrent networks have the steps first, and leave their number open.
  @ParameterizedTest
  @CsvSource({"1, LSTM, 4", "7, LSTM, 4", "5, GRU, 3", "2, RNN, 1"})
  void theFirstAxisMayBeSteps(int steps, String op, int gates) {
    byte[] model =
        PeerModel.opset(14)
            .open("x", F32, "steps", "1", "6")
            .constant("w", F32, 1, 5L * gates, 6)
            .constant("r", F32, 1, 5L * gates, 5)
            .standard(op, "x w r", "y h", "hidden_size", 5)
            .outputs("y h")
            .bytes();
    Tensor x = PeerModel.opset(14).input("x", F32, steps, 1, 6).request().get("x");

    Map<String, Tensor> request = Map.of("x", x);
    Peers.hold(Peers.answers(model, request), Peers.onnxRuntime(model, request), 0);
  }

  @Test
  void operatorsOfOpsetSixThatSevenHasTooAreTaken() {
    Peers.compare(
        PeerModel.opset(6)
            .input("x", F32, 1, 2, 4, 4)
            .constant("scale", F32, 2)
            .constant("bias", F32, 2)
            .standard("InstanceNormalization", "x scale bias", "n")
            .standard("Pad", "n", "p", "pads", new long[] {0, 0, 1, 1, 0, 0, 0, 1})
            .standard("Elu", "p", "e")
            .standard("Clip", "e", "c", "min", -0.5f, "max", 0.5f)
            .standard("Split", "c", "s t", "axis", 1)
            .standard("Max", "s t", "m")
            .standard("Cast", "m", "y", "to", ElementType.F64.onnx())
            .outputs("y"));
  }

  @Test
  void operatorsThatWereOnTrialAreTakenWhereTheyWereOperators() {
    Peers.compare(
        PeerModel.opset(9)
            .input("x", F32, 2, 3, 6, 5)
            .standard("Crop", "x", "a", "border", new long[] {1, 0, 0, 2})
            .standard(
                "Crop", "a", "b", "border", new long[] {0, 1, 1, 0}, "scale", new long[] {2, 3})
            .standard("ImageScaler", "b", "c", "scale", 0.5f, "bias", new float[] {1, -2, 3})
            .standard("Affine", "c", "d", "alpha", 2f, "beta", -0.25f)
            .standard("ScaledTanh", "d", "e", "alpha", 1.5f, "beta", 0.7f)
            .standard("ParametricSoftplus", "e", "f", "alpha", 3f, "beta", -2f)
            .standard("ThresholdedRelu", "f", "g", "alpha", 0.5f)
            .standard("Scale", "g", "y", "scale", 0.1f)
            .outputs("y"));
  }

  @ParameterizedTest
  @CsvSource({"7, 1, '3'", "8, 1, '3'", "7, 0, '3 4 5'", "8, 0, '3 4 5'"})
  void normalisationByBatchesOnceToldWhetherItIsByChannel(int opset, int spatial, String row) {
    Peers.compare(
        PeerModel.opset(opset)
            .input("x", F32, 2, 3, 4, 5)
            .constant("scale", F32, shape(row))
            .constant("bias", F32, shape(row))
            .constant("mean", F32, shape(row))
            .input("v", F32, shape(row))
            .scale("least", 0.5)
            .standard("Abs", "v", "size")
            .standard("Add", "size least", "variance")
            .standard(
                "BatchNormalization",
                "x scale bias mean variance",
                "y",
                "spatial",
                spatial,
                "epsilon",
                0.01f)
            .outputs("y"));
  }
}
