package io.miniinference.lower.steps;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.type.OpType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.layout.Movement;
import io.miniinference.lower.Consumer;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.Layout;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Packing;
import io.miniinference.lower.Target;
import io.miniinference.plan.Array;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Lowers a graph to steps over arrays.
///
/// Views become index functions over their operand's block; where the two do not compose the
/// operand is first brought into row-major order, once per value. Each other node becomes a step
/// whose inputs are in the layouts that the target asked for, with conversions where they are not
/// (once per value and layout). A Concat becomes one copy per operand into its part of the result;
/// the planner makes those copies needless where it can. Each body of a node is lowered like a
/// graph of its own ([ControlLowering]).
public final class Lowering {
  /// Most views of views before a copy.
  private static final int MOST_VIEWS = 32;

  private final Graph graph;
  private final Target<?> target;
  private final LoweringScope around;
  private final Blocks blocks;
  private final Map<Value, Array> arrays = new HashMap<>();
  private final Map<Converted, Array> conversions = new HashMap<>();
  private final GatheredOperands gatheredOperands;
  private final Map<Value, Node> gathered = new HashMap<>();
  private final Map<Value, List<Node>> consumers = new HashMap<>();
  private final StepWriter steps;

  private record Converted(Value value, Layout layout) {}

  /// @param around what is shared with the graph around a body, or new for a whole graph
  Lowering(Graph graph, Target<?> target, LoweringScope around) {
    this.graph = graph;
    this.target = target;
    this.around = around;
    blocks = around.blocks();
    steps = new StepWriter(graph, target, around);
    gatheredOperands = new GatheredOperands(graph, around.needs());
  }

  /// @param naiveSizes inputs and results of the graph before fusion, for the certificate
  public static LoweredProgram lower(
      Graph graph, Target<?> target, List<Program.NamedSize> naiveSizes) {
    return new Lowering(graph, target, LoweringScope.of(graph)).run(naiveSizes);
  }

  private LoweredProgram run(List<Program.NamedSize> naiveSizes) {
    List<Array> inputs = graph.inputs().stream().map(this::input).toList();
    nodes();
    List<Array> outputs = graph.outputs().stream().map(this::output).toList();
    List<LoweredStep> launched = around.steps().launched();
    StepKernels kernels = new StepKernels(target, inputs, launched);
    Program plan =
        blocks.program(graph.name(), inputs, steps.planned(), outputs, naiveSizes, kernels);
    return new LoweredProgram(graph, launched, plan, blocks.weights(), steps.part());
  }

  /// Lowers all nodes that a device is to compute.
  void nodes() {
    nodes(() -> {});
  }

  /// @param afterEach what is lowered between two nodes as soon as it can be
  void nodes(Runnable afterEach) {
    findConsumers();
    for (Node node : graph.nodes()) {
      if (around.needs().needs(node)) {
        node(node);
        afterEach.run();
      }
    }
  }

  /// The steps of this graph, as lowered so far.
  StepWriter steps() {
    return steps;
  }

  LoweringScope around() {
    return around;
  }

  Target<?> target() {
    return target;
  }

  /// Makes a value of this graph known as an array.
  void put(Value value, Array array) {
    arrays.put(value, array);
  }

  /// The name of a value in the plan.
  String name(Value value) {
    return around.prefix() + value.name();
  }

  private void findConsumers() {
    for (Node node : graph.nodes()) {
      for (Value input : node.inputs()) {
        consumers.computeIfAbsent(input, _ -> new ArrayList<>()).add(node);
      }
    }
  }

  private List<Node> readers(Value value) {
    return consumers.getOrDefault(value, List.of());
  }

  /* What will read a value, looking through views. */
  private List<Consumer> consumersOf(Value value) {
    return consumersOf(value, List.of());
  }

  private List<Consumer> consumersOf(Value value, List<Movement> views) {
    List<Consumer> found = new ArrayList<>();
    for (Node node : readers(value)) {
      if (node.op() instanceof Op.View view) {
        List<Movement> further = new ArrayList<>(views);
        further.add(view.map());
        found.addAll(consumersOf(node.output(), further));
      } else {
        found.add(new Consumer(node, views));
      }
    }
    return found;
  }

  private Array input(Value value) {
    Array array = rowMajor(value);
    arrays.put(value, array);
    return array;
  }

  /// A fresh block for a value, in row-major order.
  Array rowMajor(Value value) {
    return arena(value, IndexFunction.rowMajor(value.type().shape()));
  }

  private Array arena(Value value, IndexFunction index) {
    return blocks.arena(new Value(name(value), value.type()), index);
  }

  private void node(Node node) {
    switch (node.op()) {
      case Op.View view when WrittenOver.isSo(node, readers(node.output())) -> filled(node, view);
      case Op.View view -> view(node, view);
      case Op.Concat concat when node.epilogue() == null -> concat(node, concat.axis());
      case Op.Concat _ -> withoutEpilogue(node, node.epilogue()).forEach(this::node);
      case Op.Scatter scatter when node.epilogue() == null -> scatter(node, scatter);
      case Op.Scatter _ -> withoutEpilogue(node, node.epilogue()).forEach(this::node);
      case Op.Gather _ when isGatheredByReader(node) -> gathered.put(node.output(), node);
      case Op.Elementwise _, Op.Reduce _, Op.Gather _, Op.Regular _ -> compute(node);
      case Op.Control control -> new ControlLowering(this, node).lower(control);
    }
  }

  private void view(Node node, Op.View view) {
    String name = name(node.output());
    Viewed viewed = viewed(node, view, name);
    if (Views.isSmallPart(viewed.result)) {
      apart(node, viewed(node, view, name + " (part)"));
    } else {
      arrays.put(node.output(), viewed.result);
      steps.name(node, List.of(viewed.source), viewed.result);
    }
  }

  private void apart(Node node, Viewed part) {
    Array result = rowMajor(node.output());
    arrays.put(node.output(), result);
    steps.name(node, List.of(part.source), part.result);
    steps.move(node.output(), node.name(), node.onnxOp(), part.result, result);
  }

  /* A view and the array of which it is one. */
  private record Viewed(Array source, Array result) {}

  private Viewed viewed(Node node, Op.View view, String name) {
    Value value = node.inputs().getFirst();
    Array source = near(value);
    Array result = source.view(name, view.map()).orElse(null);
    if (result == null) {
      source = converted(value, target.viewedLayout(node, consumersOf(node.output())));
      result =
          source
              .view(name, view.map())
              .orElseThrow(() -> new IllegalStateException("no view of a dense array: " + node));
    }
    return new Viewed(source, result);
  }

  /* Where a value lies, or a copy where very many views lead there: what follows the views of an
  array, here and in the planner, does so for each of its uses. */
  private Array near(Value value) {
    Array array = arrayOf(value);
    return array.views() < MOST_VIEWS
        ? array
        : conversions.computeIfAbsent(
            new Converted(value, Layout.ROW_MAJOR), key -> convert(value, array, key.layout()));
  }

  /* Made where the view is, so that updates can be built in their places. */
  private void filled(Node node, Op.View view) {
    Array repeated = viewed(node, view, name(node.output()) + " (repeated)").result;
    Array result = rowMajor(node.output());
    arrays.put(node.output(), result);
    steps.move(node.output(), node.name(), node.onnxOp(), Step.Kind.COMPUTE, repeated, result);
  }

  /* The operator by itself, then its epilogue as a node of its own. */
  private List<Node> withoutEpilogue(Node node, @Nullable Expr epilogue) {
    TensorType type = OpType.of(node.op(), node.operandValues().stream().map(Value::type).toList());
    Value plain = new Value(node.output().name() + " (plain)", type);
    Node first = Node.of(node.name(), node.onnxOp(), node.op(), node.operandValues(), plain);
    List<Value> inputs = new ArrayList<>(List.of(plain));
    inputs.addAll(node.epilogueValues());
    Op map = new Op.Elementwise(Objects.requireNonNull(epilogue), node.output().type());
    Node second = Node.of(node.name(), node.onnxOp(), map, inputs, node.output());
    consumers.put(plain, List.of(second));
    return List.of(first, second);
  }

  private void concat(Node node, int axis) {
    List<Target.Operand> operands = node.inputs().stream().map(this::operand).toList();
    Layout layout = target.concatLayout(node, operands, consumersOf(node.output()));
    Array whole = arena(node.output(), layout.of(node.output().type().shape()));
    if (!hasParts(node, axis, whole)) {
      whole = rowMajor(node.output());
    }
    arrays.put(node.output(), whole);
    List<Array> parts = new ArrayList<>();
    Affine start = Affine.ZERO;
    for (int k = 0; k < node.inputs().size(); k++) {
      Value part = node.inputs().get(k);
      // A name of its own: the part lives on under its own, maybe in another block.
      String name = name(node.output()) + "[" + k + "]";
      Affine extent = part.type().dim(axis);
      if (!part.type().elements().isZero()) {
        Array target = whole.view(name, part(whole, axis, start, extent)).orElseThrow();
        steps.move(part, node.name() + "/" + k, node.onnxOp(), arrayOf(part), target);
        parts.add(target);
      }
      start = start.plus(extent);
    }
    steps.name(node, parts, whole);
  }

  /* Whether each operand's part of the result is an index function. */
  private static boolean hasParts(Node node, int axis, Array whole) {
    Affine start = Affine.ZERO;
    for (Value part : node.inputs()) {
      Affine extent = part.type().dim(axis);
      if (part(whole, axis, start, extent).of(whole.index()).isEmpty()) {
        return false;
      }
      start = start.plus(extent);
    }
    return true;
  }

  private static Movement part(Array whole, int axis, Affine start, Affine extent) {
    return Movement.part(whole.index().shape(), axis, start, extent);
  }

  /* Whether the one kernel that reads what a Gather makes does the Gather on its way. */
  private boolean isGatheredByReader(Node gather) {
    IndexFunction data = operand(gather.inputs().getFirst()).index();
    return gatheredOperands
        .readerOf(gather, readers(gather.output()))
        .filter(reader -> target.gathers(gather, data, reader.node(), reader.operand()))
        .isPresent();
  }

  private void compute(Node node) {
    KernelChoice<?> choice = choose(node);
    List<Array> inputs = new ArrayList<>();
    List<Boolean> packed = new ArrayList<>();
    LoweredStep.Gathered gather = null;
    for (int i = 0; i < node.inputs().size(); i++) {
      Node source = gathered.get(node.inputs().get(i));
      packed.add(choice.packings().get(i) != null);
      if (source == null) {
        inputs.add(placed(node, i, choice));
      } else {
        gather = new LoweredStep.Gathered(i, source);
        inputs.add(arrayOf(source.inputs().getFirst()));
      }
    }
    if (gather != null) {
      gather.node().inputs().stream().skip(1).map(this::arrayOf).forEach(inputs::add);
    }
    List<Array> outputs = outputs(node, choice);
    steps.step(
        node, Step.Kind.COMPUTE, new StepWriter.Inputs(inputs, packed, gather), outputs, choice);
  }

  private KernelChoice<?> choose(Node node) {
    List<Target.Operand> operands = node.inputs().stream().map(this::operand).toList();
    List<Consumer> readers =
        node.outputs().stream().flatMap(output -> consumersOf(output).stream()).toList();
    return target.choose(node, operands, readers);
  }

  private List<Array> outputs(Node node, KernelChoice<?> choice) {
    return node.outputs().stream().map(output -> output(output, choice)).toList();
  }

  private Array output(Value value, KernelChoice<?> choice) {
    Array output = arena(value, choice.output().of(value.type().shape()));
    arrays.put(value, output);
    return output;
  }

  private void scatter(Node node, Op.Scatter op) {
    Tensor indices = graph.constants().get(node.inputs().get(1));
    Optional<Movement> part =
        indices == null || isBrought(node.inputs().get(2))
            ? Optional.empty()
            : WrittenPart.of(node, op, indices);
    if (part.isEmpty()) {
      scatterByIndex(node);
    } else {
      scatterInto(node, part.get());
    }
  }

  /* Updates that the request itself brings cannot be put where the data comes to lie no earlier. */
  private boolean isBrought(Value updates) {
    return around.prefix().isEmpty() && graph.inputs().contains(updates);
  }

  /* A copy of the data, then one of the updates over a part of it. */
  private void scatterInto(Node node, Movement part) {
    Value data = node.inputs().get(0);
    Value updates = node.inputs().get(2);
    Array from = arrayOf(data);
    Array update = arrayOf(updates);
    Array whole = rowMajor(node.output());
    arrays.put(node.output(), whole);
    String name = name(node.output()) + "[updates]";
    Array place =
        whole
            .view(name, part)
            .flatMap(p -> p.view(name, new Movement.Reshape(updates.type().shape())))
            .orElseThrow(() -> new IllegalStateException("no part of a dense array: " + node));
    Array before = before(node, whole);
    steps.move(data, node.name() + "/data", node.onnxOp(), from, before);
    steps.move(updates, node.name() + "/updates", node.onnxOp(), update, place);
    steps.name(node, List.of(before, place), whole);
  }

  /* The result's memory while it holds the data. */
  private Array before(Node node, Array output) {
    return output.view(name(node.output()) + "[data]", output.index());
  }

  /* A copy of the data to where the result will be, then a step that puts the updates into it. */
  private void scatterByIndex(Node node) {
    KernelChoice<?> choice = choose(node);
    Array indices = placed(node, 1, choice);
    Array updates = placed(node, 2, choice);
    Value data = node.inputs().getFirst();
    Array from = arrayOf(data);
    Array output = output(node.output(), choice);
    Array before = before(node, output);
    steps.move(data, node.name() + "/data", node.onnxOp(), from, before);
    StepWriter.Inputs inputs = StepWriter.Inputs.plain(List.of(before, indices, updates));
    steps.step(node, Step.Kind.COMPUTE, inputs, List.of(output), choice);
  }

  private Array placed(Node node, int input, KernelChoice<?> choice) {
    Value value = node.inputs().get(input);
    Layout layout = choice.inputs().get(input);
    Packing packing = choice.packings().get(input);
    Tensor constant = graph.constants().get(value);
    if (constant != null && packing != null) {
      return blocks.weight(value, constant, packing);
    }
    return layout == null ? arrayOf(value) : converted(value, layout);
  }

  private Target.Operand operand(Value value) {
    Tensor constant = graph.constants().get(value);
    boolean isPlaced = constant == null && !gathered.containsKey(value);
    return new Target.Operand(
        isPlaced ? arrayOf(value).index() : IndexFunction.rowMajor(value.type().shape()), constant);
  }

  /// Whether it is known where a value lies.
  boolean isMade(Value value) {
    return arrays.containsKey(value) || graph.constants().containsKey(value);
  }

  /// A value that is known at load, or null.
  @Nullable Tensor constant(Value value) {
    return graph.constants().get(value);
  }

  /// Where a value lies.
  Array arrayOf(Value value) {
    Array array = arrays.get(value);
    if (array != null) {
      return array;
    }
    Tensor constant = graph.constants().get(value);
    if (constant == null) {
      throw new IllegalStateException("nothing produces '" + value.name() + "'");
    }
    return blocks.weight(value, constant, new Packing.Plain());
  }

  private Array converted(Value value, Layout layout) {
    Array array = arrayOf(value);
    if (layout.fits(array.index())) {
      return array;
    }
    return conversions.computeIfAbsent(
        new Converted(value, layout), key -> convert(value, array, key.layout()));
  }

  private Array convert(Value value, Array source, Layout layout) {
    Value copy = new Value(value.name() + " (" + layout + ")", value.type());
    Array target = arena(copy, layout.of(value.type().shape()));
    if (layout.equals(Layout.ROW_MAJOR) && isTurnedByGraph(source)) {
      steps.move(value, copy.name(), "Copy", source, target);
    } else {
      steps.move(value, copy.name(), "Convert", Step.Kind.CONVERT, source, target);
    }
    return target;
  }

  /* Whether the value is out of order only because the graph's views made it so, and not because the
  device wanted it in a layout of its own. */
  private static boolean isTurnedByGraph(Array array) {
    Array whole = array;
    for (Array.Origin o = whole.origin(); o != null; o = whole.origin()) {
      whole = o.source();
    }
    return Layout.ROW_MAJOR.fits(whole.index());
  }

  /// A value in row-major order: where it lies, or a copy.
  Array dense(Value value) {
    return converted(value, Layout.ROW_MAJOR);
  }

  /// The name `array` for a result of a node.
  void alias(Node node, Array array, Value result) {
    Array named = array.view(name(result), array.index());
    arrays.put(result, named);
    steps.name(node, List.of(array), named);
  }

  /* Outputs are dense, row-major and in the arena, whatever they were computed as. */
  private Array output(Value value) {
    Array array = arrayOf(value);
    boolean dense = Layout.ROW_MAJOR.fits(array.index()) && array.index().offset().isConstant();
    if (dense && array.block().isPlanned()) {
      return array;
    }
    Value copy = new Value(value.name() + " (output)", value.type());
    Array target = blocks.arena(copy, IndexFunction.rowMajor(value.type().shape()));
    steps.move(value, copy.name(), "Output", array, target);
    return target;
  }
}
