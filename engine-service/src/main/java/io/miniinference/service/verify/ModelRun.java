package io.miniinference.service.verify;

import io.miniinference.ir.Tensor;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.Problem;
import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.runtime.ResponseReader;
import io.miniinference.signature.TensorSpec;
import io.miniinference.strings.StringTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// One run of a model: its outputs, and the failures of rows or of the run as a whole.
///
/// @param outputs in the model's order; rows that failed hold anything
/// @param failures in order of execution, empty if the run was clean
public record ModelRun(List<Tensor> outputs, List<FailureReport> failures) {
  public ModelRun {
    outputs = List.copyOf(outputs);
    failures = List.copyOf(failures);
  }

  /// Runs a model.
  ///
  /// @param inputs by name
  /// @throws io.miniinference.runtime.InvalidRequestException if shapes do not fit
  public static ModelRun of(Model model, Map<String, Tensor> inputs) {
    List<Tensor> given = new ArrayList<>();
    StringTable strings = model.signature().strings();
    for (TensorSpec input : model.inputs()) {
      given.add(tensor(model, input, inputs).codedIn(strings));
    }
    var request =
        new InferenceRequest(
                given.stream().map(Tensor::shape).toList(),
                (i, staging) -> staging.copyFrom(given.get(i).data()))
            .withStrings(strings);
    var collector = new Collector(model, strings);
    try {
      return new ModelRun(model.infer(request, collector), List.of());
    } catch (RequestFailedException e) {
      return new ModelRun(collector.partial, e.failures());
    }
  }

  private static Tensor tensor(Model model, TensorSpec input, Map<String, Tensor> inputs) {
    Tensor tensor = inputs.get(input.name());
    if (tensor == null) {
      throw new ModelException(
          model.name(), Problem.of("input '" + input.name() + "' is not in the data set"));
    }
    if (tensor.element() != input.element() || tensor.isOfStrings() != input.isOfStrings()) {
      throw new ModelException(
          model.name(),
          Problem.of(
              "input '%s' is %s, the data set has %s".formatted(input.name(), input, tensor)));
    }
    return tensor;
  }

  /// The rows of axis 0 that did not fail; null without a batch axis.
  ///
  /// @param batch rows in all, negative without a batch axis
  @Nullable List<Integer> rowsOk(int batch) {
    if (batch < 0) {
      return null;
    }
    if (failures.stream().anyMatch(failure -> failure.row() == null)) {
      return List.of();
    }
    List<Integer> failed = failures.stream().map(FailureReport::row).toList();
    return IntStream.range(0, batch).boxed().filter(row -> !failed.contains(row)).toList();
  }

  /// Copies the outputs out of staging, those of failed requests too.
  private static final class Collector implements ResponseReader<List<Tensor>> {
    private final Model model;
    private final StringTable strings;
    private List<Tensor> partial = List.of();

    Collector(Model model, StringTable strings) {
      this.model = model;
      this.strings = strings;
    }

    @Override
    public List<Tensor> read(List<Output> outputs) {
      List<Tensor> copies = new ArrayList<>();
      for (int i = 0; i < outputs.size(); i++) {
        Output output = outputs.get(i);
        TensorSpec spec = model.outputs().get(i);
        StringTable table = spec.isOfStrings() ? strings : null;
        copies.add(Values.copy(new Tensor(spec.element(), output.shape(), output.data(), table)));
      }
      return copies;
    }

    @Override
    public void failed(List<Output> outputs, List<FailureReport> failures) {
      partial = read(outputs);
    }
  }
}
