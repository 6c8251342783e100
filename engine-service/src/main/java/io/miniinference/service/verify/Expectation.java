package io.miniinference.service.verify;

import io.miniinference.runtime.FailureReport;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What an `expected.json` of a failure case demands of one run.
///
/// @param failures the reports as [#describe] writes them, in order
/// @param rowsOk rows that must be whole; null without a batch axis
/// @param exact whether whole rows equal the files bit for bit
record Expectation(
    List<String> failures, @Nullable List<Integer> rowsOk, boolean exact, Tolerance tolerance) {

  static Expectation of(JsonNode json) {
    List<String> failures = new ArrayList<>();
    json.path("failures").forEach(report -> failures.add(describe(report)));
    boolean exact = !json.path("compare").asString("exact").equals("close");
    Tolerance tolerance =
        Tolerance.parse(json.path("tolerance").asString("")).orElse(Tolerance.EXACT);
    return new Expectation(failures, rows(json.path("rows_ok")), exact, tolerance);
  }

  private static @Nullable List<Integer> rows(JsonNode json) {
    if (!json.isArray()) {
      return null;
    }
    List<Integer> rows = new ArrayList<>();
    json.forEach(row -> rows.add(row.intValue()));
    return rows;
  }

  private static String describe(JsonNode report) {
    JsonNode bound = report.path("bound");
    return describe(
        report.path("kind").asString(""),
        report.path("node").asString(""),
        report.path("op").asString(""),
        List.of(
            text(report.path("axis")),
            text(report.path("index")),
            bound.isArray() ? text(bound.path(0)) + ".." + text(bound.path(1)) : "null",
            text(report.path("linear")),
            text(report.path("row")),
            text(report.path("iteration"))));
  }

  private static String text(JsonNode json) {
    return json.isNumber() ? json.bigIntegerValue().toString() : "null";
  }

  /// A report as it is compared and shown.
  static String describe(FailureReport report) {
    boolean index = report.index() != null;
    return describe(
        report.kind(),
        report.node(),
        report.op(),
        List.of(
            String.valueOf(report.axis()),
            String.valueOf(report.index()),
            index ? report.low() + ".." + report.high() : "null",
            String.valueOf(report.linear()),
            String.valueOf(report.row()),
            String.valueOf(report.iteration())));
  }

  private static String describe(String kind, String node, String op, List<String> places) {
    return "%s at '%s' (%s): axis %s, index %s of %s, linear %s, row %s, iteration %s"
        .formatted(
            kind,
            node,
            op,
            places.get(0),
            places.get(1),
            places.get(2),
            places.get(3),
            places.get(4),
            places.get(5));
  }
}
