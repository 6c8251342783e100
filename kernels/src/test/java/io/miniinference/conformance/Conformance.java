package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What every writer's kernels compute: what the plain interpreter computes.
abstract class Conformance extends WriterTest {
  /// Programs of random networks that are worth their build time.
  abstract int randomPrograms();

  /// Whether a sheet is worth its build time for this writer.
  boolean runs(String sheet) {
    return true;
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
  void firstElementsOfRows() {
    hold(TopKCases.sheets());
  }

  @Test
  void matrixProducts() {
    hold(ProductCases.sheets());
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
    hold(WindowCases.others());
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
        compare(sheet, wrong);
      }
    }
    assertThat(wrong).isEmpty();
  }

  private void compare(Sheet sheet, List<String> wrong) {
    Graph graph = sheet.graph();
    List<List<Tensor>> sets = sheet.batches().stream().map(sheet::inputs).toList();
    List<List<Tensor>> got = rig().run(graph, sets);
    for (int s = 0; s < sets.size(); s++) {
      List<Tensor> expected = Interpreter.run(graph, sets.get(s));
      for (int i = 0; i < expected.size(); i++) {
        Sheet.Case one = sheet.cases().get(i);
        String where = "%s, %s, N = %d: ".formatted(sheet, one.label(), sheet.batches().get(s));
        Tolerance.difference(expected.get(i), got.get(s).get(i), one.tolerance())
            .ifPresent(difference -> wrong.add(where + difference));
      }
    }
  }
}
