package io.miniinference.ops.node;

import io.miniinference.ir.Value;
import io.miniinference.ir.type.ShapeException;
import io.miniinference.layout.Affine;
import io.miniinference.onnx.OnnxGraph;
import io.miniinference.onnx.OnnxNode;
import io.miniinference.onnx.Problem;
import io.miniinference.onnx.Quote;
import io.miniinference.ops.draft.CountedAxes;
import io.miniinference.ops.draft.Draft;
import io.miniinference.ops.draft.Earlier;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.Structure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Applies the op table to the nodes of a graph, one after the other.
///
/// A node whose inputs could not be made is passed over in silence: what they lack was reported.
public final class NodeImporter {
  /// Operators that take lists and optionals.
  private static final Pattern LISTS =
      Pattern.compile("Identity|Loop|Sequence\\w*|ConcatFromSequence|Optional\\w*");

  /// How many tensors of lists count as a node that is looked at.
  private static final int TENSORS_PER_NODE = 64;

  private final OpTable table;
  private final ImportOptions options;
  private final Draft draft;
  private final Names names;
  private final ConstantReader constants;
  private final NodeResults results;
  private final ImportBudget effort;

  /// Whether these are the nodes of a body.
  private final boolean nested;

  public NodeImporter(
      OpTable table, ImportOptions options, Draft draft, Names names, ConstantReader constants) {
    this(table, options, draft, names, constants, new NodeResults(), new ImportBudget(), false);
  }

  private NodeImporter(
      OpTable table,
      ImportOptions options,
      Draft draft,
      Names names,
      ConstantReader constants,
      NodeResults results,
      ImportBudget effort,
      boolean nested) {
    this.table = table;
    this.options = options;
    this.draft = draft;
    this.names = names;
    this.constants = constants;
    this.results = results;
    this.effort = effort;
    this.nested = nested;
  }

  /// Imports the nodes of a body into a draft of its own, or into this one.
  NodeImporter inner(Draft body, Names inner) {
    return new NodeImporter(table, options, body, inner, constants, results, effort, true);
  }

  Draft draft() {
    return draft;
  }

  Names names() {
    return names;
  }

  /// What the nodes so far give, those in bodies included.
  public NodeResults results() {
    return results;
  }

  ConstantReader constants() {
    return constants;
  }

  /// A node's name, or `#k` by its place.
  public static String nodeName(OnnxNode node, int place) {
    return node.name().isEmpty() ? "#" + place : node.name();
  }

  /// A node's place in messages.
  public static String where(OnnxNode node, int place) {
    return "node " + Quote.of(nodeName(node, place)) + " (" + node.opType() + ")";
  }

  /// @param faults takes what is wrong
  /// @return what runs ahead of that
  public Earlier lower(OnnxGraph graph, Faults faults) {
    var earlier = new Earlier(graph);
    if (nested) {
      effort.look(() -> "body " + Quote.of(graph.name()));
    }
    for (int k = 0; k < graph.nodes().size(); k++) {
      boolean wasResolved = faults.unresolved().isEmpty();
      boolean hadEnded = faults.endsRun();
      int failed = faults.failed().size();
      earlier.add(lower(graph.nodes().get(k), k, faults));
      boolean hasFailed = faults.failed().size() > failed;
      if (hasFailed && !earlier.isLive(k)) {
        faults.failed().subList(failed, faults.failed().size()).clear(); // it does not run
      }
      boolean isFirst = wasResolved && !faults.unresolved().isEmpty();
      if (!hadEnded && (isFirst || faults.endsRun())) {
        earlier.end();
      }
    }
    return earlier;
  }

  /* The values that the node makes; if it is faulty, those of what runs in its bodies ahead of the
  fault. */
  private List<Value> lower(OnnxNode node, int place, Faults faults) {
    int before = draft.nodes().size();
    try {
      lowerCounted(node, place);
      draft.seal();
      return node.outputs().stream()
          .flatMap(name -> names.value(name).stream())
          .filter(value -> draft.structure(value).isEmpty())
          .toList();
    } catch (LoweringFault fault) {
      draft.rollBack();
      faults.add(where(node, place), nodeName(node, place), node.opType(), fault);
      if (fault.isOfCounts()) {
        draft.noteOfCounts(new Problem(where(node, place), fault.what()));
      }
    } catch (BodyFault fault) {
      draft.rollBack();
      faults.addAll(fault);
      return fault.ahead();
    } catch (IllegalStateException e) {
      draft.rollBack();
      faults.unresolved().add(new Problem(where(node, place), e.getMessage() + "; fix the batch"));
    } catch (ShapeException | IllegalArgumentException e) {
      draft.rollBack();
      faults.problems().add(where(node, place), String.valueOf(e.getMessage()));
    } catch (ArithmeticException e) {
      draft.rollBack();
      faults.problems().add(where(node, place), Affine.fault(e));
    }
    return draft.madeSince(before);
  }

  /* What a node makes takes as long whether or not it is kept. */
  private void lowerCounted(OnnxNode node, int place) {
    int before = draft.nodes().size();
    int looked = effort.looked();
    effort.look(() -> where(node, place));
    try {
      lower(node, place);
    } finally {
      effort.reach(looked + draft.nodes().size() - before, () -> where(node, place));
    }
  }

  private void lower(OnnxNode node, int place) {
    Optional<OpRow> row = table.row(node);
    Optional<List<Optional<Value>>> inputs = inputs(node);
    if (row.isEmpty() || inputs.isEmpty() || node.inputs().size() < row.get().minInputs()) {
      return;
    }
    var emitter = new Emitter(draft, nodeName(node, place), node.opType());
    int outputs = node.outputs().size();
    while (outputs > 0 && node.outputs().get(outputs - 1).isEmpty()) {
      outputs--;
    }
    requireTensors(node, inputs.get());
    var bodies = new Bodies(node, this);
    var scope = new OpContext.Scope(node.opset(), outputs, options, constants, bodies);
    var context = new OpContext(emitter, inputs.get(), new Attributes(node, row.get()), scope);
    List<Value> results = row.get().rule().lower(context);
    requireCounted(row.get(), inputs.get(), results.subList(0, Math.min(outputs, results.size())));
    bind(node, place, outputs, results);
  }

  private void requireTensors(OnnxNode node, List<Optional<Value>> inputs) {
    boolean takesLists = LISTS.matcher(node.opType()).matches();
    for (int i = 0; i < inputs.size() && !takesLists; i++) {
      Optional<Structure> structure = inputs.get(i).flatMap(draft::structure);
      if (structure.isPresent()) {
        throw LoweringFault.of(
            "input %d %s is %s, and must be a tensor"
                .formatted(i, Quote.of(node.inputs().get(i)), structure.get().what()));
      }
    }
  }

  /* What follows from a counted value is counted, too, or it was taken for what it is not. */
  private void requireCounted(OpRow row, List<Optional<Value>> inputs, List<Value> results) {
    boolean counted =
        draft.facts().hasCounted()
            && inputs.stream().flatMap(Optional::stream).anyMatch(draft.facts()::isCounted);
    if (!counted) {
      return;
    }
    boolean known = row.joinsCounted() || results.stream().allMatch(draft.facts()::isCounted);
    if (!known) {
      throw CountedAxes.joins();
    }
  }

  /// The node's inputs, absent ones as empty; empty as a whole if one could not be made.
  private Optional<List<Optional<Value>>> inputs(OnnxNode node) {
    var values = new ArrayList<Optional<Value>>();
    for (String input : node.inputs()) {
      Optional<Value> value = names.value(input);
      if (value.isEmpty() && !input.isEmpty()) {
        return Optional.empty();
      }
      values.add(value);
    }
    return Optional.of(values);
  }

  private void bind(OnnxNode node, int place, int outputs, List<Value> values) {
    for (int i = 0; i < outputs; i++) {
      String name = node.outputs().get(i);
      if (name.isEmpty()) {
        continue;
      }
      if (i >= values.size()) {
        throw LoweringFault.of("output %d %s is not supported".formatted(i, Quote.of(name)));
      }
      noteResult(node, place, name, values.get(i));
      names.bind(name, draft.named(values.get(i), name, nested));
    }
  }

  /* A list is no result in memory, but took effort. */
  private void noteResult(OnnxNode node, int place, String name, Value value) {
    switch (draft.structure(value).orElse(null)) {
      case null -> results.note(node, name, value.type());
      case Structure.Sequence(List<Value> elements) ->
          effort.look(elements.size() / TENSORS_PER_NODE, () -> where(node, place));
      case Structure.Nothing _ -> {}
    }
  }
}
