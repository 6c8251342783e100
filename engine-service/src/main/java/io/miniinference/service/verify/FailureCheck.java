package io.miniinference.service.verify;

import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.Model;
import io.miniinference.signature.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Checks one `case_k`: the reports, the rows that must be whole, and that these have the same bits
/// as in a run without bad rows.
record FailureCheck(
    Model loaded, OnnxModel model, DataSet data, Map<String, Tensor> inputs, Expectation expected) {

  /// What is wrong first, if anything.
  Optional<String> run() {
    ModelRun run = ModelRun.of(loaded, inputs);
    List<String> reports = run.failures().stream().map(Expectation::describe).toList();
    if (!reports.equals(expected.failures())) {
      return Optional.of("reports " + reports + ", expected " + expected.failures());
    }
    Optional<String> file = againstFiles(run);
    return file.isPresent() || expected.exact() || run.failures().isEmpty()
        ? file
        : againstCleanRun(run);
  }

  private Optional<String> againstFiles(ModelRun run) {
    for (var output : data.outputs().entrySet()) {
      Optional<String> problem = againstFile(run, output.getKey());
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  private Optional<String> againstFile(ModelRun run, int position) {
    var value = data.outputs().get(position);
    Optional<Tensor> wanted = value == null ? Optional.empty() : Values.tensor(value);
    if (wanted.isEmpty()) {
      return Optional.of("output " + position + " cannot be compared: " + value);
    }
    int place = data.answered().get(position);
    Comparison comparison = comparison(place, wanted.get(), run.outputs().get(place));
    return expected.exact() ? comparison.bitForBit() : comparison.within(expected.tolerance());
  }

  private Comparison comparison(int place, Tensor wanted, Tensor actual) {
    List<Integer> ok = expected.rowsOk();
    return new Comparison(
        model.answered().get(place).getName(),
        wanted,
        actual,
        row -> ok == null || ok.contains((int) row));
  }

  private Optional<String> againstCleanRun(ModelRun run) {
    List<Integer> ok = expected.rowsOk();
    if (ok == null || ok.isEmpty()) {
      return Optional.empty();
    }
    ModelRun clean = ModelRun.of(loaded, repaired(run.failures(), ok.getFirst()));
    for (int place = 0; place < run.outputs().size(); place++) {
      Optional<String> problem =
          comparison(place, clean.outputs().get(place), run.outputs().get(place)).bitForBit();
      if (problem.isPresent()) {
        return problem.map(text -> text + " from a run without bad rows");
      }
    }
    return Optional.empty();
  }

  /// The inputs, each failing row replaced by a copy of a good one.
  private Map<String, Tensor> repaired(List<FailureReport> failures, int good) {
    Map<String, Tensor> repaired = new LinkedHashMap<>(inputs);
    loaded.inputs().stream()
        .filter(TensorSpec::isByRows)
        .forEach(input ->
            repaired.computeIfPresent(
                input.name(), (_, tensor) -> repaired(tensor, failures, good)));
    return repaired;
  }

  private static Tensor repaired(Tensor tensor, List<FailureReport> failures, int good) {
    var bytes = MemorySegment.ofArray(tensor.data().toArray(ValueLayout.JAVA_BYTE));
    long row = bytes.byteSize() / Math.max(1, tensor.shape()[0]);
    for (FailureReport failure : failures) {
      Integer bad = failure.row();
      if (bad != null) {
        MemorySegment.copy(bytes, good * row, bytes, bad * row, row);
      }
    }
    return new Tensor(tensor.element(), tensor.shape(), bytes, tensor.table());
  }
}
