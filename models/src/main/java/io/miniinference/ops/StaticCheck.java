package io.miniinference.ops;

import io.miniinference.onnx.OnnxGraph;
import io.miniinference.onnx.OnnxNode;
import io.miniinference.onnx.Problems;
import io.miniinference.onnx.Quote;
import io.miniinference.ops.node.Attributes;
import io.miniinference.ops.node.Names;
import io.miniinference.ops.node.NodeImporter;
import io.miniinference.ops.node.OpRow;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// What can be said about a graph's nodes without knowing any type: operators, attributes, counts
/// of inputs, and who makes what.
final class StaticCheck {
  private static final int NAMES_SHOWN = 5;

  private final OpTable table;
  private final Names names;
  private final Problems problems;
  private final TreeMap<String, List<String>> unknown = new TreeMap<>();

  StaticCheck(OpTable table, Names names, Problems problems) {
    this.table = table;
    this.names = names;
    this.problems = problems;
  }

  /// @param graph whose inputs and initializers are defined
  void check(OnnxGraph graph) {
    check(graph, names);
    unknown.forEach(this::reportUnknown);
  }

  private void check(OnnxGraph graph, Names scope) {
    List<OnnxNode> nodes = graph.nodes();
    for (int k = 0; k < nodes.size(); k++) {
      define(nodes.get(k), k, scope);
    }
    graph.inputs().forEach(input -> scope.make(input.getName()));
    graph.initializers().forEach(tensor -> scope.make(tensor.getName()));
    graph.sparseInitializers().forEach(tensor -> scope.make(tensor.getValues().getName()));
    for (int k = 0; k < nodes.size(); k++) {
      OnnxNode node = nodes.get(k);
      checkOperator(node, k);
      checkInputs(node, k, scope);
      node.bodies().values().forEach(body -> checkBody(body, scope.inner()));
      node.outputs().forEach(scope::make);
    }
  }

  private void checkBody(OnnxGraph body, Names scope) {
    body.inputs().forEach(input -> scope.define(input.getName(), "input"));
    body.initializers().forEach(tensor -> scope.define(tensor.getName(), "initializer"));
    body.sparseInitializers()
        .forEach(tensor -> scope.define(tensor.getValues().getName(), "initializer"));
    check(body, scope);
    for (var output : body.outputs()) {
      if (!scope.isVisible(output.getName())) {
        problems.add(
            "output %s of a body".formatted(Quote.of(output.getName())), "is made by no node");
      }
    }
  }

  private static void define(OnnxNode node, int place, Names scope) {
    for (String output : node.outputs()) {
      if (!output.isEmpty()) {
        scope.defineResult(output, NodeImporter.where(node, place));
      }
    }
  }

  private void checkOperator(OnnxNode node, int place) {
    Optional<OpRow> found = table.row(node);
    if (found.isEmpty()) {
      noteUnknown(node, place);
      return;
    }
    OpRow row = found.get();
    Attributes.unknown(node, row)
        .forEach(what -> problems.add(NodeImporter.where(node, place), what));
    int count = node.inputs().size();
    if (count < row.minInputs() || count > row.maxInputs()) {
      problems.add(
          NodeImporter.where(node, place), "has %d inputs, takes %s".formatted(count, row.arity()));
    }
  }

  private void noteUnknown(OnnxNode node, int place) {
    String domain = node.domain();
    String op = domain.isEmpty() ? node.opType() : domain + "." + node.opType();
    unknown.computeIfAbsent(op, k -> new ArrayList<>()).add(NodeImporter.nodeName(node, place));
  }

  private void reportUnknown(String op, List<String> nodes) {
    String shown = String.join(", ", nodes.stream().limit(NAMES_SHOWN).map(Quote::of).toList());
    problems.add(
        "operator " + Quote.of(op),
        "is not supported, used by %d node%s: %s%s%s"
            .formatted(
                nodes.size(),
                nodes.size() == 1 ? "" : "s",
                shown,
                nodes.size() > NAMES_SHOWN ? ", …" : "",
                Remedies.of(op).map("; "::concat).orElse("")));
  }

  private void checkInputs(OnnxNode node, int place, Names scope) {
    for (String input : node.inputs()) {
      if (input.isEmpty()) {
        continue;
      }
      if (!scope.isDefined(input)) {
        problems.add(
            NodeImporter.where(node, place),
            "reads %s, which nothing makes".formatted(Quote.of(input)));
      } else if (!scope.isVisible(input)) {
        problems.add(
            NodeImporter.where(node, place),
            "reads %s, which the later %s makes: there is a cycle of nodes"
                .formatted(Quote.of(input), scope.definition(input)));
      }
    }
  }
}
