package io.miniinference.service.cli;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.Model;
import io.miniinference.service.tensors.TensorText;
import io.miniinference.service.tensors.TopScores;
import io.miniinference.service.verify.ModelRun;
import io.miniinference.signature.TensorSpec;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// One run of a model as it is shown.
///
/// @param device that ran it
/// @param inputs by name
/// @param origin where an input's content is from
/// @param nanos that the run took, once the model was loaded
/// @param top how to choose the largest scores; null to show the outputs
record RunReport(
    String device,
    Model model,
    Map<String, Tensor> inputs,
    UnaryOperator<String> origin,
    ModelRun run,
    long nanos,
    @Nullable TopScores top) {
  private static final double NANOS_PER_MILLI = 1e6;

  /// Lines for people. Failures are the caller's to tell.
  void print(PrintWriter out) {
    out.printf(Locale.ROOT, "device  %s%n", device);
    inputs.forEach((name, tensor) ->
        out.printf(Locale.ROOT, "input   %s  %s  %s%n", name, tensor, origin.apply(name)));
    out.printf(Locale.ROOT, "ran in  %.3f ms%s%n", nanos / NANOS_PER_MILLI, included());
    for (int i = 0; i < run.outputs().size(); i++) {
      print(name(i), run.outputs().get(i), out);
    }
    out.flush();
  }

  /* A model of open sizes is planned and built when its first request comes. */
  private String included() {
    return model.specialisations().isPresent() ? ", planned and built for these shapes" : "";
  }

  private String name(int output) {
    TensorSpec spec = model.outputs().get(output);
    return spec.name();
  }

  private void print(String name, Tensor output, PrintWriter out) {
    out.printf(Locale.ROOT, "output  %s  %s%n", name, output);
    if (top != null && TopScores.isAbout(output)) {
      top.of(output).forEach(score -> print(score, output, out));
    } else {
      out.println("  " + TensorText.of(output));
    }
  }

  private static void print(TopScores.Score score, Tensor output, PrintWriter out) {
    boolean hasRows = output.elements() > output.shape()[output.shape().length - 1];
    out.printf(
        Locale.ROOT,
        "  %s%6d  %-12.6g %s%n",
        hasRows ? "row " + score.row() + "  " : "",
        score.index(),
        score.value(),
        score.label());
  }

  /// The same as one line of JSON, with all elements.
  String json() {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("model", model.name());
    root.put("device", device);
    root.put("milliseconds", nanos / NANOS_PER_MILLI);
    root.put("inputs", inputs.entrySet().stream().map(this::input).toList());
    root.put("outputs", outputs());
    root.put("failures", run.failures().stream().map(FailureReport::message).toList());
    return JsonMapper.builder().build().writeValueAsString(root);
  }

  private Map<String, Object> input(Map.Entry<String, Tensor> input) {
    Map<String, Object> json = typed(input.getKey(), input.getValue());
    json.put("from", origin.apply(input.getKey()));
    return json;
  }

  private List<Map<String, Object>> outputs() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (int i = 0; i < run.outputs().size(); i++) {
      Tensor output = run.outputs().get(i);
      Map<String, Object> json = typed(name(i), output);
      if (top != null && TopScores.isAbout(output)) {
        json.put("top", top.of(output));
      } else {
        json.put("data", TensorText.values(output));
      }
      all.add(json);
    }
    return all;
  }

  private static Map<String, Object> typed(String name, Tensor tensor) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", name);
    json.put(
        "datatype", tensor.isOfStrings() ? CodedType.STRING.v2Name() : tensor.element().v2Name());
    json.put("shape", tensor.shape());
    return json;
  }
}
