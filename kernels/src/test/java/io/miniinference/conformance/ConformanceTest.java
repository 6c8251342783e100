package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What every writer's kernels compute: what the plain interpreter computes.
@OnEachDevice
final class ConformanceTest extends WriterTest {
  /// Sheets of kernels that PoCL takes seconds to build, and that differ from others in numbers
  /// only.
  private static final Set<String> NOT_FOR_GPUS =
      Set.of(
          "functions in runs",
          "channels of convolutions",
          "widths of convolutions",
          "types of windows",
          "convolutions of three axes",
          "convolutions with groups",
          "deep pointwise convolutions",
          "convolutions of views",
          "16 blocked channels",
          "33 blocked channels",
          "24 channels between convolutions",
          "reductions of bf16",
          "reductions of i8",
          "reductions of u8",
          "reductions of i64",
          "lines of bf16",
          "products of bf16",
          "products of u8",
          "concatenations of f64");

  /// Programs of random networks that are worth their build time.
  private int randomPrograms() {
    return switch (tested) {
      case JVM -> 30;
      case CPU -> 3;
      case GPU -> 1;
    };
  }

  private boolean runs(String sheet) {
    return tested != TestedDevice.GPU || !NOT_FOR_GPUS.contains(sheet);
  }

  @Test
  void elementwiseFunctionsOfEveryType() {
    hold(ElementwiseCases.sheets());
  }

  @Test
  void floatsInRunsOfAnyShape() {
    hold(ElementwiseCases.runs());
  }

  @Test
  void castsBetweenAllTypes() {
    hold(List.of(ElementwiseCases.casts()));
  }

  @Test
  void broadcastsIndicesAndGuardedReads() {
    hold(MovementCases.expressions());
  }

  @Test
  void viewsConcatenationsAndGathers() {
    hold(MovementCases.movements());
  }

  @Test
  void reductionsOfEveryKindAndType() {
    hold(ReductionCases.reductions());
  }

  @Test
  void softmaxNormalizationsAndScans() {
    hold(ReductionCases.lines());
  }

  @Test
  void boxesThatOverlapNoBetterOne() {
    hold(NonMaxSuppressionCases.sheets());
  }

  @Test
  void recurrentLayers() {
    hold(RecurrentCases.sheets());
  }

  @Test
  void firstElementsOfRows() {
    hold(TopKCases.sheets());
  }

  @Test
  void treeEnsembles() {
    hold(TreeEnsembleCases.sheets());
  }

  @Test
  void matrixProducts() {
    hold(ProductCases.sheets());
    hold(ByteWeightCases.sheets());
  }

  @Test
  void productsOfBytes() {
    hold(ByteProductCases.sheets());
  }

  @Test
  void convolutions() {
    hold(WindowCases.convolutions());
  }

  @Test
  void functionsAsEpilogues() {
    hold(EpilogueCases.sheets());
  }

  @Test
  void transposedConvolutionsAndPools() {
    hold(PoolCases.sheets());
  }

  @Test
  void blockedLayoutsFeedingEverything() {
    hold(LayoutCases.sheets());
  }

  @Test
  void randomGraphs() {
    hold(RandomGraphs.sheets(randomPrograms()));
  }

  private void hold(List<Sheet> sheets) {
    List<String> wrong = new ArrayList<>();
    for (Sheet sheet : sheets) {
      if (runs(sheet.toString())) {
        wrong.addAll(sheet.differences(rig(), sheet.graph(), Sheet.Case::tolerance));
      }
    }
    assertThat(wrong).isEmpty();
  }
}
