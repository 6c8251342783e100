package io.miniinference.service.verify;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.Problem;
import io.miniinference.onnx.tensor.OnnxTensor;
import io.miniinference.onnx.tensor.OnnxValue;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.signature.TensorSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Checks one model of a suite on an engine: every data set on a load of its own shapes, or all
/// failure cases in order on one load.
final class ModelCheck {
  private static final Pattern UNKNOWN_OPERATOR = Pattern.compile("operator '(.*)'");

  private final Engine engine;
  private final TestModel test;
  private final OnnxModel model;

  private ModelCheck(Engine engine, TestModel test) {
    this.engine = engine;
    this.test = test;
    this.model = test.read();
  }

  /// Runs the checks. Whatever a model does, this returns a verdict.
  static Verdict of(Engine engine, TestModel test) {
    try {
      return new ModelCheck(engine, test)
          .run()
          .map(problem -> new Verdict(test.name(), oneLine(problem), List.of()))
          .orElseGet(() -> Verdict.passed(test.name()));
    } catch (ModelException e) {
      return new Verdict(test.name(), oneLine(subject(e, test) + problems(e)), missing(e));
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      return new Verdict(test.name(), oneLine(e.toString()), List.of());
    }
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }

  /* The file of a data set, where it is not the model that is wrong. */
  private static String subject(ModelException e, TestModel test) {
    return e.subject().equals(test.name()) ? "" : e.subject() + ": ";
  }

  private static String problems(ModelException e) {
    return e.problems().stream().map(Problem::toString).collect(Collectors.joining("; "));
  }

  private static List<String> missing(ModelException e) {
    return e.problems().stream()
        .map(problem -> UNKNOWN_OPERATOR.matcher(problem.where()))
        .filter(Matcher::matches)
        .map(matcher -> matcher.group(1))
        .toList();
  }

  /// What is wrong first, if anything.
  private Optional<String> run() {
    List<Path> cases = test.cases();
    if (!cases.isEmpty()) {
      return runCases(cases);
    }
    List<Path> sets = test.dataSets();
    if (sets.isEmpty()) {
      return Optional.of(
          "has neither test_data_set_0 nor case_0: write what it is held to beside it, input_0.pb and output_0.pb, as docs/pytorch.md shows");
    }
    Tolerance tolerance = tolerance().at(engine.precision());
    return sets.stream().flatMap(set -> runSet(set, tolerance).stream()).findFirst();
  }

  private Tolerance tolerance() {
    Path file = test.folder().resolve("expected.json");
    if (!Files.isRegularFile(file)) {
      return test.tolerance();
    }
    var json = JsonFile.read(file);
    if (json.path("exact_outputs").asBoolean(false)) {
      return Tolerance.EXACT;
    }
    return Tolerance.parse(json.path("tolerance").asString("")).orElse(test.tolerance());
  }

  private Optional<String> runSet(Path folder, Tolerance tolerance) {
    DataSet data = DataSet.read(folder, model);
    if (data.outputs().isEmpty()) {
      return at(data, Optional.of("has no output_0.pb to compare with"));
    }
    Map<String, Tensor> inputs = inputs(data);
    try (Model loaded = engine.load(model, LoadOptions.defaults().forData(inputs))) {
      ModelRun run = ModelRun.of(loaded, inputs);
      if (!run.failures().isEmpty()) {
        return at(data, Optional.of(run.failures().getFirst().message()));
      }
      return at(data, types(data, loaded).or(() -> differences(data, run, tolerance)));
    }
  }

  /* Elements of 8 bits and fewer are compared by their codes, which tell nothing of the type. */
  private Optional<String> types(DataSet data, Model loaded) {
    for (int position : data.outputs().keySet()) {
      TensorSpec output = loaded.outputs().get(data.answered().get(position));
      boolean isOther =
          data.outputs().get(position) instanceof OnnxTensor expected
              && !output.coded().equals(CodedType.ofOnnx(expected.type().number()));
      if (isOther) {
        return Optional.of("output '%s' is of type %s".formatted(output.name(), output));
      }
    }
    return Optional.empty();
  }

  private Map<String, Tensor> inputs(DataSet data) {
    Map<String, Tensor> inputs = new LinkedHashMap<>();
    data.inputs()
        .forEach((name, value) -> Values.tensor(value).ifPresent(t -> inputs.put(name, t)));
    return inputs;
  }

  private static Optional<String> at(DataSet data, Optional<String> problem) {
    return problem.map(text -> data.name() + ": " + text);
  }

  private Optional<String> differences(DataSet data, ModelRun run, Tolerance tolerance) {
    for (Map.Entry<Integer, OnnxValue> output : data.outputs().entrySet()) {
      int place = data.answered().get(output.getKey());
      Optional<String> problem = difference(place, output.getValue(), run, tolerance);
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  private Optional<String> difference(
      int place, OnnxValue value, ModelRun run, Tolerance tolerance) {
    String name = model.answered().get(place).getName();
    Optional<Tensor> expected = Values.tensor(value);
    if (expected.isEmpty()) {
      return Optional.of("output '" + name + "' is expected as " + value);
    }
    if (place >= run.outputs().size()) {
      return Optional.of("output '" + name + "' is missing");
    }
    return Comparison.of(name, expected.get(), run.outputs().get(place)).within(tolerance);
  }

  private Optional<String> runCases(List<Path> cases) {
    int rows = 1;
    for (Path folder : cases) {
      rows = Math.max(rows, JsonFile.read(folder.resolve("expected.json")).path("batch").asInt(1));
    }
    try (Model loaded = engine.load(model, LoadOptions.defaults().withMaxBatch(rows))) {
      return cases.stream().flatMap(folder -> runCase(folder, loaded).stream()).findFirst();
    }
  }

  private Optional<String> runCase(Path folder, Model loaded) {
    DataSet data = DataSet.read(folder, model);
    Expectation expected = Expectation.of(JsonFile.read(folder.resolve("expected.json")));
    return at(data, new FailureCheck(loaded, model, data, inputs(data), expected).run());
  }
}
