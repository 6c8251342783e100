package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.integers;
import static io.miniinference.ops.TestModel.reals;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.Graph;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.ops.node.ImportOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Operators that ONNX had on trial, beside what [`LooseFormsTest`] of the benchmarks computes.
class TrialOpsTest {
  private static Graph imported(long opset, String op, AttributeProto... attributes) {
    TestModel model =
        TestModel.opset(opset)
            .floats("x", "N", "3", "8", "9")
            .node(op, "x", "y", attributes)
            .output("y");
    return Importer.importModel(model.read(), ImportOptions.defaults());
  }

  private static void refused(String because, String op, AttributeProto... attributes) {
    assertThatThrownBy(() -> imported(8, op, attributes)).hasMessageContaining(because);
  }

  @Test
  void theBatchStaysOpen() {
    assertThat(imported(8, "Crop", integers("border", 1, 2, 3, 4)).outputs().getFirst().type())
        .hasToString("f32[N,3,2,5]");
    assertThat(imported(8, "ImageScaler", reals("bias", List.of(1f, 2f, 3f))).isBatchable())
        .isTrue();
  }

  @Test
  void theyAreNoOperatorsSinceOpsetTen() {
    assertThatThrownBy(() -> imported(10, "Scale"))
        .hasMessageContaining("is no operator of ONNX since opset 10");
  }

  @Test
  void badAttributesAreNamed() {
    refused(
        "has a bias of 2 numbers for the channels of f32[N,3,8,9]",
        "ImageScaler",
        reals("bias", List.of(1f, 2f)));
    refused(
        "has border [1, 2] and scale [], needs 4 sizes and 2", "Crop", integers("border", 1, 2));
    refused("has border [0, -1, 0, 0]", "Crop", integers("border", 0, -1, 0, 0));
    refused(
        "has border [0, 0, 0, 0] and scale [3]",
        "Crop",
        integers("border", 0, 0, 0, 0),
        integers("scale", 3));
    refused("negative size -2 on axis 2", "Crop", integers("border", 0, 5, 0, 5));
    refused("slice", "Crop", integers("border", 0, 5, 0, 0), integers("scale", 4, 4));
    refused("'gamma'", "Affine", attribute("gamma", 1));
  }
}
