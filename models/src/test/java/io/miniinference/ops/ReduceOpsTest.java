package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.ImportOptions;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReduceOpsTest {
  /// Of 5, 12.2, 2.8, 13.7, 8.5 and 25 what is ahead of the point.
  @ParameterizedTest
  @CsvSource({
    "ReduceL2, 3, 4, 5",
    "ReduceL2, 7, 10, 12",
    "ReduceLogSum, 8, 9, 2",
    "ReduceLogSumExp, 13, 13, 13",
    "ReduceMean, 7, 10, 8",
    "ReduceSumSquare, 3, 4, 25"
  })
  void integersGiveIntegers(String op, long first, long second, long result) {
    TestModel model =
        TestModel.opset(18)
            .input("x", DataType.INT32, "2")
            .node(op, "x", "y", attribute("keepdims", 0))
            .output("y");
    Importer.Imported imported = Importer.importWithValues(model.read(), ImportOptions.defaults());
    var x = SmallTensors.of(ElementType.I32, new long[] {2}, first, second);
    assertThat(SmallTensors.integers(Interpreter.run(imported.graph(), List.of(x)).getFirst()))
        .containsExactly(result);
  }
}
