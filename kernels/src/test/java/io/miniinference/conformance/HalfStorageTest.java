package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.gpu.GpuTarget;
import io.miniinference.codegen.gpu.tile.TensorProducts;
import io.miniinference.ir.Graph;
import io.miniinference.lower.Precision;
import io.miniinference.pass.narrow.NarrowFloats;
import io.miniinference.testing.device.UnoptimisedKernels;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Graphs of 32-bit floats whose values between steps are stored in 16 bits, by the GPU writer's
/// kernels, those for tensor cores in the form that any device runs.
@Tag("opencl")
@ExtendWith(UnoptimisedKernels.class)
final class HalfStorageTest {
  private static Rig rig(Precision precision) {
    return Writer.GPU.open(new GpuTarget(TensorProducts.PORTABLE, precision));
  }

  private static double tolerance(Precision precision) {
    return precision == Precision.F16 ? 4e-3 : 3e-2;
  }

  private static Graph narrow(Sheet sheet, Precision precision) {
    return NarrowFloats.of(sheet.graph(), precision.storage().orElseThrow());
  }

  private static void hold(Precision precision, List<Sheet> sheets) {
    List<String> wrong = new ArrayList<>();
    try (Rig rig = rig(precision)) {
      for (Sheet sheet : sheets) {
        Graph narrow = narrow(sheet, precision);
        wrong.addAll(sheet.differences(rig, narrow, _ -> tolerance(precision)));
      }
    }
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16"})
  void productsAndConvolutionsOfTensorCores(Precision precision) {
    List<Sheet> sheets = TensorProductTest.sheets().toList();
    hold(precision, sheets);
    try (Rig rig = rig(precision)) {
      for (Sheet sheet : sheets) {
        assertThat(rig.generate(narrow(sheet, precision)).code().source())
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
    hold(Precision.F16, PoolCases.sheets().subList(0, 1));
  }

  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16"})
  void randomNetworks(Precision precision) {
    hold(precision, RandomGraphs.sheets(1));
  }
}
