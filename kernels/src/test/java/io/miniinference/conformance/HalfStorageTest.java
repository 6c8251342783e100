package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.gpu.GpuTarget;
import io.miniinference.codegen.gpu.tile.TensorProducts;
import io.miniinference.device.TestCache;
import io.miniinference.device.choice.Devices;
import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Precision;
import io.miniinference.pass.NarrowFloats;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Graphs of 32-bit floats whose values between steps are stored in 16 bits, by the GPU writer's
/// kernels, those for tensor cores in the form that any device runs.
@Tag("opencl")
final class HalfStorageTest {
  private static final long POOL_BYTES = 64L << 20;

  private static GraphRunner runner(Precision precision) {
    return new GraphRunner(
        new Devices(TestCache.FOLDER).open(Devices.Choice.OPENCL),
        new GpuTarget(TensorProducts.PORTABLE, precision),
        POOL_BYTES);
  }

  private static double tolerance(Precision precision) {
    return precision == Precision.F16 ? 4e-3 : 3e-2;
  }

  private static void hold(Precision precision, List<Sheet> sheets) {
    ElementType stored = precision.storage().orElseThrow();
    List<String> wrong = new ArrayList<>();
    try (GraphRunner runner = runner(precision)) {
      for (Sheet sheet : sheets) {
        Graph narrow = NarrowFloats.of(sheet.graph(), stored);
        for (long n : sheet.batches()) {
          List<Tensor> inputs = sheet.inputs(n);
          List<Tensor> expected = Interpreter.run(sheet.graph(), inputs);
          List<Tensor> got = runner.run(narrow, inputs).outputs();
          for (int i = 0; i < got.size(); i++) {
            String where = "%s, %s, N = %d: ".formatted(sheet, sheet.cases().get(i).label(), n);
            Tolerance.difference(expected.get(i), got.get(i), tolerance(precision))
                .ifPresent(difference -> wrong.add(where + difference));
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16"})
  void productsAndConvolutionsOfTensorCores(Precision precision) {
    List<Sheet> sheets = TensorProductTest.sheets().toList();
    hold(precision, sheets);
    try (GraphRunner runner = runner(precision)) {
      for (Sheet sheet : sheets) {
        Graph narrow = NarrowFloats.of(sheet.graph(), precision.storage().orElseThrow());
        assertThat(runner.generate(narrow).code().source())
            .as(sheet.toString())
            .contains("operands in 16 bits");
      }
    }
  }

  @Test
  void convolutionsOfEveryKind() {
    hold(Precision.F16, WindowCases.convolutions().subList(0, 2));
  }

  @Test
  void transposedConvolutionsAndPools() {
    hold(Precision.F16, WindowCases.others().subList(0, 1));
  }

  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16"})
  void randomNetworks(Precision precision) {
    hold(precision, RandomGraphs.sheets(1));
  }
}
