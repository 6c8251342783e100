package io.miniinference.ops;

import io.miniinference.onnx.OnnxGraph;
import io.miniinference.onnx.OnnxNode;
import io.miniinference.onnx.Problems;
import io.miniinference.onnx.Quote;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// What can be said about a graph's nodes without knowing any type: operators, attributes, counts
/// of inputs, and who makes what.
final class StaticCheck {
  private static final int NAMES_SHOWN = 5;

  private final Names names;
  private final Problems problems;
  private final TreeMap<String, List<String>> unknown = new TreeMap<>();

  StaticCheck(Names names, Problems problems) {
    this.names = names;
    this.problems = problems;
  }

  void check(OnnxGraph graph) {
    List<OnnxNode> nodes = graph.nodes();
    for (int k = 0; k < nodes.size(); k++) {
      define(nodes.get(k), k);
    }
    Set<String> made = new HashSet<>();
    for (int k = 0; k < nodes.size(); k++) {
      checkOperator(nodes.get(k), k);
      checkInputs(nodes.get(k), k, made);
      made.addAll(nodes.get(k).outputs());
    }
    unknown.forEach(this::reportUnknown);
  }

  private void define(OnnxNode node, int place) {
    for (String output : node.outputs()) {
      if (!output.isEmpty()) {
        names.define(output, Importer.where(node, place));
      }
    }
  }

  private void checkOperator(OnnxNode node, int place) {
    Optional<OpRow> found = NodeImporter.row(node);
    String where = Importer.where(node, place);
    if (found.isEmpty()) {
      noteUnknown(node, place);
      return;
    }
    OpRow row = found.get();
    Attributes.unknown(node, row).forEach(what -> problems.add(where, what));
    int count = node.inputs().size();
    if (count < row.minInputs() || count > row.maxInputs()) {
      problems.add(where, "has %d inputs, takes %s".formatted(count, row.arity()));
    }
  }

  private void noteUnknown(OnnxNode node, int place) {
    String domain = node.domain();
    String op = domain.isEmpty() ? node.opType() : domain + "." + node.opType();
    unknown.computeIfAbsent(op, k -> new ArrayList<>()).add(Importer.nodeName(node, place));
    node.bodies().values().forEach(this::noteUnknownInside);
  }

  private void noteUnknownInside(OnnxGraph body) {
    for (int k = 0; k < body.nodes().size(); k++) {
      if (NodeImporter.row(body.nodes().get(k)).isEmpty()) {
        noteUnknown(body.nodes().get(k), k);
      }
    }
  }

  private void reportUnknown(String op, List<String> nodes) {
    String shown = String.join(", ", nodes.stream().limit(NAMES_SHOWN).map(Quote::of).toList());
    problems.add(
        "operator " + Quote.of(op),
        "is not supported, used by %d node%s: %s%s"
            .formatted(
                nodes.size(),
                nodes.size() == 1 ? "" : "s",
                shown,
                nodes.size() > NAMES_SHOWN ? ", …" : ""));
  }

  private void checkInputs(OnnxNode node, int place, Set<String> made) {
    for (String input : node.inputs()) {
      if (input.isEmpty()) {
        continue;
      }
      String definition = names.definition(input);
      if (!names.isDefined(input)) {
        problems.add(
            Importer.where(node, place),
            "reads %s, which nothing makes".formatted(Quote.of(input)));
      } else if (definition.startsWith("node ") && !made.contains(input)) {
        problems.add(
            Importer.where(node, place),
            "reads %s, which the later %s makes; nodes must be in order, without cycles"
                .formatted(Quote.of(input), definition));
      }
    }
  }
}
