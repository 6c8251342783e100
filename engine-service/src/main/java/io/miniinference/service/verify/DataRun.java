package io.miniinference.service.verify;

import io.miniinference.ir.Tensor;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.tensor.TensorWriter;
import io.miniinference.onnx.wire.ValueInfoProto;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.signature.TensorSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// Data sets as inputs of a model, and outputs and failures as files.
public final class DataRun {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private DataRun() {}

  /// The inputs of a data set by name.
  ///
  /// @throws IllegalArgumentException if the folder has none, and the model has
  public static Map<String, Tensor> inputs(OnnxModel model, Path data) {
    Map<String, Tensor> inputs = new LinkedHashMap<>();
    if (!inputNames(model).isEmpty() && !Files.exists(data.resolve("input_0.pb"))) {
      throw new IllegalArgumentException(
          "the folder '%s' has no input_0.pb: give a data set, such as MODEL/test_data_set_0"
              .formatted(data));
    }
    DataSet.read(data, model)
        .inputs()
        .forEach((name, value) ->
            inputs.put(
                name,
                Values.tensor(value)
                    .orElseThrow(() ->
                        new IllegalArgumentException(
                            "input '" + name + "' is of a kind that cannot be run: " + value))));
    return inputs;
  }

  /// The names of a model's inputs, less those that only name an initializer.
  public static List<String> inputNames(OnnxModel model) {
    return model.requested().stream().map(ValueInfoProto::getName).toList();
  }

  /// Loads a model for a data set. It keeps the batch open where that is possible, since failures
  /// are told by row.
  public static <T> T withModel(
      Engine engine, OnnxModel model, Map<String, Tensor> inputs, Function<Model, T> use) {
    long rows = inputs.values().stream().mapToLong(DataRun::rows).max().orElse(1);
    LoadOptions open = LoadOptions.defaults().withMaxBatch((int) Math.clamp(rows, 1, 1 << 20));
    try (Model loaded = engine.load(model, open)) {
      return use.apply(loaded);
    } catch (ModelException e) {
      try (Model fixed = engine.load(model, LoadOptions.defaults().forData(inputs))) {
        return use.apply(fixed);
      }
    }
  }

  private static long rows(Tensor tensor) {
    return tensor.shape().length == 0 ? 1 : tensor.shape()[0];
  }

  /// Writes the outputs of a run as `output_i.pb`, and its failures as `report.json`.
  ///
  /// @return the report, one line
  public static String write(Model loaded, Map<String, Tensor> inputs, ModelRun run, Path out) {
    String report = report(run, loaded.hasBatch() ? batch(loaded, inputs) : -1);
    try {
      Files.createDirectories(out);
      for (int i = 0; i < run.outputs().size(); i++) {
        String name = loaded.outputs().get(i).name();
        TensorWriter.writeFile(
            Values.file(name, run.outputs().get(i)), out.resolve("output_" + i + ".pb"));
      }
      Files.writeString(out.resolve("report.json"), report + "\n");
      return report;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot write to the folder '%s': %s".formatted(out, WriteProblem.of(e)), e);
    }
  }

  /// The batch size of the inputs; −1 without a batch axis.
  private static int batch(Model model, Map<String, Tensor> inputs) {
    return model.inputs().stream()
        .filter(TensorSpec::isByRows)
        .mapToInt(input -> (int) Objects.requireNonNull(inputs.get(input.name())).shape()[0])
        .findFirst()
        .orElse(-1);
  }

  private static String report(ModelRun run, int batch) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("failures", run.failures().stream().map(DataRun::failure).toList());
    report.put("rowsOk", run.rowsOk(batch));
    return MAPPER.writeValueAsString(report);
  }

  private static Map<String, Object> failure(FailureReport failure) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("node", failure.node());
    json.put("op", failure.op());
    json.put("axis", failure.axis());
    json.put("index", failure.index());
    json.put("bound", bound(failure));
    json.put("linear", failure.linear());
    json.put("row", failure.row());
    json.put("iteration", failure.iteration());
    json.put("kind", failure.kind());
    return json;
  }

  private static @Nullable List<Long> bound(FailureReport failure) {
    return failure.index() == null ? null : new ArrayList<>(List.of(failure.low(), failure.high()));
  }
}
