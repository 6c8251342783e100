package io.miniinference.ops;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxGraph;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.Problem;
import io.miniinference.onnx.Problems;
import io.miniinference.onnx.Quote;
import io.miniinference.onnx.inline.FunctionInliner;
import io.miniinference.onnx.tensor.TensorReader;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import io.miniinference.ops.draft.Draft;
import io.miniinference.ops.draft.Earlier;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.GivenInputs;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.Pruning;
import io.miniinference.ops.node.ConstantReader;
import io.miniinference.ops.node.Faults;
import io.miniinference.ops.node.ImportBudget;
import io.miniinference.ops.node.ImportOptions;
import io.miniinference.ops.node.Names;
import io.miniinference.ops.node.NodeImporter;
import io.miniinference.signature.Codes;
import io.miniinference.signature.Cuts;
import io.miniinference.strings.StringTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The second stage: ONNX messages to core IR.
///
/// All that is wrong with a model is reported at once, in one [ModelException]
/// ([NeedsSpecialisation] if sizes are all that is missing).
public final class Importer {
  private final OnnxModel model;
  private final ImportOptions options;
  private final Problems problems;
  private final Faults faults;
  private final Draft draft = new Draft();
  private final Names names;
  private final ConstantReader constants;

  private Importer(OnnxModel model, ImportOptions options) {
    this.model = model;
    this.options = options;
    this.problems = model.problems();
    this.faults = Faults.in(problems);
    this.names = new Names(problems);
    this.constants =
        new ConstantReader(
            TensorReader.of(model, options.limits()),
            options.constants(),
            options.constants().dictionary(() -> ModelStrings.of(model)),
            options.maxFoldedBytes());
  }

  /// The model in core IR.
  ///
  /// @throws NeedsSpecialisation if the model is sound, but sizes besides the batch must be given
  /// @throws NegativeSizeException if it is sound, but the sizes or input values given make a size
  ///   negative
  /// @throws io.miniinference.onnx.ModelException with all problems, if the model cannot be
  ///   imported
  public static Graph importModel(OnnxModel model, ImportOptions options) {
    return importWithValues(model, options).graph();
  }

  /// The model in core IR, for the input values given ([ImportOptions#inputValues]).
  ///
  /// Sizes that follow from data are planned at their largest; where what follows cannot do with
  /// that, they must follow from values that requests give.
  public static Imported importWithValues(OnnxModel model, ImportOptions options) {
    var importer = new Importer(model, options);
    try {
      return importer.run();
    } catch (NeedsSpecialisation missing) {
      throw missing;
    } catch (ModelException refused) {
      if (!importer.draft.areOfCounts(refused.problems())) {
        throw refused;
      }
      return withoutCounts(model, options, refused);
    }
  }

  private static Imported withoutCounts(
      OnnxModel model, ImportOptions options, ModelException refused) {
    try {
      return new Importer(model, options.withCountedSizes(false)).run();
    } catch (NeedsSpecialisation missing) {
      throw missing.because(refused);
    } catch (ModelException _) {
      throw refused;
    }
  }

  /// A graph and what is known of its file.
  ///
  /// @param graph whose outputs are the model's, and behind them counts that say how much of those
  ///   there is
  /// @param cuts which of them are cut
  /// @param codes which inputs and outputs are codes in it
  /// @param results what the file's nodes give, those in bodies included, before anything was
  ///   folded or left out, less weights (what follows from constants alone and is no output); under
  ///   the file's names
  /// @param specialisedOn the inputs whose given values the graph is built for: with other values
  ///   there it would have other shapes
  public record Imported(
      Graph graph, Cuts cuts, Codes codes, List<Value> results, Set<String> specialisedOn) {
    public Imported {
      results = List.copyOf(results);
      specialisedOn = Set.copyOf(specialisedOn);
    }
  }

  private Imported run() {
    OnnxGraph graph = withoutCalls();
    reserveNames(graph);
    List<Value> inputs = inputs(graph);
    initializers(graph);
    check(graph);
    var nodes = new NodeImporter(Operators.TABLE, options, draft, names, constants);
    Earlier earlier = lower(nodes, graph);
    CountedOutputs outputs = CountedOutputs.of(outputs(graph), draft);
    throwIfAny(() -> earlier.graph(inputs, draft));
    Graph pruned = Pruning.graph(model.name(), inputs, outputs.values(), draft);
    return new Imported(
        pruned,
        outputs.cuts(),
        codes(inputs, outputs.values()),
        nodes.results().of(graph),
        draft.facts().consulted());
  }

  private OnnxGraph withoutCalls() {
    Optional<OnnxGraph> known = options.constants().withoutCalls();
    if (known.isPresent()) {
      return known.get();
    }
    OnnxGraph graph = FunctionInliner.inline(model, options.limits(), problems);
    if (problems.isEmpty()) {
      options.constants().noteWithoutCalls(graph);
    }
    return graph;
  }

  /* What has to do with no shape is checked with the first. */
  private void check(OnnxGraph graph) {
    if (!options.constants().isChecked()) {
      new StaticCheck(Operators.TABLE, names, problems).check(graph);
      if (problems.isEmpty()) {
        options.constants().noteChecked();
      }
    }
  }

  private Codes codes(List<Value> inputs, List<Value> outputs) {
    Map<String, CodedType> types = new HashMap<>();
    Stream.concat(inputs.stream(), outputs.stream())
        .forEach(
            value -> draft.facts().coded(value).ifPresent(type -> types.put(value.name(), type)));
    return new Codes(types, constants.dictionary());
  }

  private Earlier lower(NodeImporter nodes, OnnxGraph graph) {
    try {
      return nodes.lower(graph, faults);
    } catch (ImportBudget.Spent e) {
      throw new ModelException(model.name(), model.opset(), List.of(e.problem()));
    }
  }

  /* `earlier`: what may fail ahead of the first node without sizes. Sizes that requests will bring
  are none of the problems of a model that cannot be imported with them either. */
  private void throwIfAny(Supplier<Optional<Graph>> earlier) {
    if (problems.isEmpty() && !faults.negatives().isEmpty() && options.isSpecific()) {
      Faults.Negative first = faults.negatives().getFirst();
      throw new NegativeSizeException(
          model.name(), model.opset(), first.problem(), first.size(), earlier.get());
    }
    faults.negatives().forEach(negative -> problems.add(negative.problem()));
    faults.unresolved().addAll(faults.failed());
    if (problems.isEmpty() && !faults.unresolved().isEmpty()) {
      Optional<Graph> ahead = options.isSpecific() ? earlier.get() : Optional.empty();
      throw new NeedsSpecialisation(model.name(), model.opset(), faults.unresolved(), ahead);
    }
    problems.throwIfAny();
  }

  private void reserveNames(OnnxGraph graph) {
    graph.inputs().forEach(input -> draft.reserve(input.getName()));
    graph.initializers().forEach(tensor -> draft.reserve(tensor.getName()));
    graph.sparseInitializers().forEach(tensor -> draft.reserve(tensor.getValues().getName()));
    graph.nodes().forEach(node -> node.outputs().forEach(draft::reserve));
  }

  /// What a request gives: the graph's inputs less those that only name an initializer.
  private List<Value> inputs(OnnxGraph graph) {
    Set<String> initialized = new HashSet<>();
    graph.initializers().forEach(tensor -> initialized.add(tensor.getName()));
    graph.sparseInitializers().forEach(tensor -> initialized.add(tensor.getValues().getName()));
    List<ValueInfoProto> declared = new ArrayList<>();
    for (ValueInfoProto input : graph.inputs()) {
      if (!initialized.contains(input.getName()) && names.define(input.getName(), "input")) {
        declared.add(input);
      }
    }
    Map<String, TensorType> types =
        new InputTypes(options, problems, faults.unresolved()).resolve(declared);
    var values = new ArrayList<Value>();
    types.forEach((name, type) -> {
      values.add(new Value(name, type));
      names.bind(name, values.getLast());
    });
    codes(declared);
    draft.facts().give(GivenInputs.of(values, given()));
    return values;
  }

  private void codes(List<ValueInfoProto> inputs) {
    for (ValueInfoProto input : inputs) {
      Optional<CodedType> type = CodedType.ofOnnx(input.getType().getTensorType().getElemType());
      names.value(input.getName()).ifPresent(v -> type.ifPresent(it -> draft.facts().code(v, it)));
    }
  }

  /* Strings by codes of one table: whatever their codes are in the request, the same are equal. */
  private Map<String, Tensor> given() {
    StringTable table = new StringTable(constants.dictionary());
    Map<String, Tensor> given = new HashMap<>();
    options.inputValues().forEach((name, tensor) -> given.put(name, tensor.codedIn(table)));
    return given;
  }

  private void initializers(OnnxGraph graph) {
    graph.initializers().forEach(proto -> initializer(proto, () -> constants.read(proto)));
    graph
        .sparseInitializers()
        .forEach(proto -> initializer(proto.getValues(), () -> constants.read(proto)));
  }

  /* `proto` has the name and the type. */
  private void initializer(TensorProto proto, Supplier<Tensor> tensor) {
    names.define(proto.getName(), "initializer");
    try {
      Value value = draft.initializer(proto.getName(), tensor.get());
      ConstantReader.coded(proto).ifPresent(type -> draft.facts().code(value, type));
      names.bind(proto.getName(), value);
    } catch (LoweringFault fault) {
      problems.add("initializer " + Quote.of(proto.getName()), fault.what());
    }
  }

  private List<Value> outputs(OnnxGraph graph) {
    var outputs = new ArrayList<Value>();
    Set<String> seen = new LinkedHashSet<>();
    for (ValueInfoProto output : graph.outputs()) {
      String name = output.getName();
      if (!seen.add(name)) {
        continue; // requests ask for outputs by name
      }
      if (!options.constants().isChecked() && !names.isDefined(name)) {
        problems.add("output " + Quote.of(name), "is made by no node");
      }
      if (isStructure(output)) {
        problems.add("output " + Quote.of(name), Remedies.ofList(output.getType()));
      } else {
        names
            .value(name)
            .ifPresent(value -> {
              outputs.add(named(value, name));
            });
      }
    }
    if (graph.outputs().isEmpty()) {
      problems.add(Problem.of("has no outputs"));
    }
    return outputs;
  }

  /* As the import has it, whatever the file declares: a ZipMap is declared a list of maps, and its
  value is a tensor. */
  private boolean isStructure(ValueInfoProto output) {
    return names
        .value(output.getName())
        .map(value -> draft.structure(value).isPresent())
        .orElseGet(() -> Remedies.isList(output.getType()));
  }

  /// The value under the output's name: a view, if it has another name in the graph.
  private Value named(Value value, String name) {
    if (value.name().equals(name)) {
      return value;
    }
    return new Emitter(draft, name, "Identity").alias(value, name);
  }
}
