package io.miniinference.lower;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.OpType;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.plan.Array;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Lowers a graph to steps over arrays.
///
/// Views become index functions over their operand's block; where the two do not compose the
/// operand is first brought into row-major order, once per value. Each other node becomes a step
/// whose inputs are in the layouts that the code generator asked for, with conversions where they
/// are not (once per value and layout). A Concat becomes one copy per operand into its part of the
/// result.
public final class Lowering {
  private final Graph graph;
  private final CodeGenerator generator;
  private final FailurePoints failurePoints;
  private final Blocks blocks = new Blocks();
  private final Map<Value, Array> arrays = new HashMap<>();
  private final Map<Converted, Array> conversions = new HashMap<>();
  private final Map<Value, List<Node>> consumers = new HashMap<>();
  private final List<Step> planned = new ArrayList<>();
  private final List<LoweredStep> steps = new ArrayList<>();

  private record Converted(Value value, Layout layout) {}

  private Lowering(Graph graph, CodeGenerator generator) {
    this.graph = graph;
    this.generator = generator;
    failurePoints = new FailurePoints(graph);
  }

  /// @param naiveSizes inputs and results of the graph before fusion, for the certificate
  public static LoweredProgram lower(
      Graph graph, CodeGenerator generator, List<Program.NamedSize> naiveSizes) {
    return new Lowering(graph, generator).run(naiveSizes);
  }

  private LoweredProgram run(List<Program.NamedSize> naiveSizes) {
    findConsumers();
    List<Array> inputs = graph.inputs().stream().map(this::input).toList();
    graph.nodes().forEach(this::node);
    List<Array> outputs = graph.outputs().stream().map(this::output).toList();
    Program plan = blocks.program(graph.name(), inputs, planned, outputs, naiveSizes);
    return new LoweredProgram(graph, steps, plan, inputs, outputs, blocks.weights());
  }

  private void findConsumers() {
    for (Node node : graph.nodes()) {
      for (Value input : node.inputs()) {
        consumers.computeIfAbsent(input, _ -> new ArrayList<>()).add(node);
      }
    }
  }

  /* The nodes that will read a value, looking through views. */
  private List<Node> consumersOf(Value value) {
    List<Node> found = new ArrayList<>();
    for (Node node : consumers.getOrDefault(value, List.of())) {
      if (node.op() instanceof Op.View) {
        found.addAll(consumersOf(node.output()));
      } else {
        found.add(node);
      }
    }
    return found;
  }

  private Array input(Value value) {
    Array array = blocks.arena(value, IndexFunction.rowMajor(value.type().shape()));
    arrays.put(value, array);
    return array;
  }

  private void node(Node node) {
    switch (node.op()) {
      case Op.View view -> view(node, view);
      case Op.Concat concat when node.epilogue() == null -> concat(node, concat.axis());
      case Op.Concat _ -> withoutEpilogue(node, node.epilogue()).forEach(this::node);
      case Op.Scatter _ when node.epilogue() == null -> scatter(node);
      case Op.Scatter _ -> withoutEpilogue(node, node.epilogue()).forEach(this::node);
      case Op.Elementwise _,
          Op.Reduce _,
          Op.Gather _,
          Op.MatMul _,
          Op.Conv _,
          Op.ConvTranspose _,
          Op.WindowReduce _,
          Op.Softmax _,
          Op.Normalize _,
          Op.Scan _ ->
          compute(node);
      case Op.Control _ ->
          throw new IllegalArgumentException(
              "node '%s' (%s) is a branch or loop that depends on the request, which no device runs yet"
                  .formatted(node.name(), node.onnxOp()));
    }
  }

  private void view(Node node, Op.View view) {
    Value source = node.inputs().getFirst();
    Array array = arrayOf(source);
    IndexFunction index = Views.apply(array.index(), view.map()).orElse(null);
    if (index == null) {
      array = converted(source, Layout.ROW_MAJOR);
      index =
          Views.apply(array.index(), view.map())
              .orElseThrow(() -> new IllegalStateException("no view of a dense array: " + node));
    }
    Array result = array.view(node.output().name(), index);
    arrays.put(node.output(), result);
    plan(node, Step.Kind.VIEW, List.of(array), result, List.of(), null);
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
    List<CodeGenerator.Operand> operands = node.inputs().stream().map(this::operand).toList();
    Layout layout = generator.concatLayout(node, operands, consumersOf(node.output()));
    Array whole = blocks.arena(node.output(), layout.of(node.output().type().shape()));
    if (!parts(node, axis, whole)) {
      whole = blocks.arena(node.output(), IndexFunction.rowMajor(node.output().type().shape()));
    }
    arrays.put(node.output(), whole);
    Affine start = Affine.ZERO;
    for (int k = 0; k < node.inputs().size(); k++) {
      Value part = node.inputs().get(k);
      Affine extent = part.type().dim(axis);
      Array target = part(whole, part, axis, start, extent);
      if (target != null && !part.type().elements().isZero()) {
        // A name of its own: the part lives on under its own, maybe in another block.
        target = target.view(node.output().name() + "[" + k + "]", target.index());
        move(part, node.name() + "/" + k, node.onnxOp(), Step.Kind.COPY, arrayOf(part), target);
      }
      start = start.plus(extent);
    }
  }

  /* Whether each operand's part of the result is an index function. */
  private boolean parts(Node node, int axis, Array whole) {
    Affine start = Affine.ZERO;
    for (Value part : node.inputs()) {
      Affine extent = part.type().dim(axis);
      if (part(whole, part, axis, start, extent) == null) {
        return false;
      }
      start = start.plus(extent);
    }
    return true;
  }

  private static @Nullable Array part(
      Array whole, Value part, int axis, Affine start, Affine extent) {
    return whole
        .index()
        .slice(axis, start, 1, extent)
        .map(index -> whole.view(part.name(), index))
        .orElse(null);
  }

  private void compute(Node node) {
    Choice choice = choose(node);
    List<Array> inputs = new ArrayList<>();
    List<Boolean> packed = new ArrayList<>();
    for (int i = 0; i < node.inputs().size(); i++) {
      packed.add(choice.packings().get(i) != null);
      inputs.add(placed(node, i, choice));
    }
    Array output = output(node, choice);
    step(node, Step.Kind.COMPUTE, inputs, packed, output, choice);
  }

  private Choice choose(Node node) {
    List<CodeGenerator.Operand> operands = node.inputs().stream().map(this::operand).toList();
    return generator.choose(node, operands, consumersOf(node.output()));
  }

  private Array output(Node node, Choice choice) {
    Array output = blocks.arena(node.output(), choice.output().of(node.output().type().shape()));
    arrays.put(node.output(), output);
    return output;
  }

  /* A copy of the data to where the result will be, then a step that puts the updates into it. */
  private void scatter(Node node) {
    Choice choice = choose(node);
    Array indices = placed(node, 1, choice);
    Array updates = placed(node, 2, choice);
    Value data = node.inputs().getFirst();
    Array from = arrayOf(data);
    Array output = output(node, choice);
    Array before = output.view(node.output().name() + "[data]", output.index());
    move(data, node.name() + "/data", node.onnxOp(), Step.Kind.COPY, from, before);
    List<Array> inputs = List.of(before, indices, updates);
    step(node, Step.Kind.COMPUTE, inputs, List.of(false, false, false), output, choice);
  }

  private Array placed(Node node, int input, Choice choice) {
    Value value = node.inputs().get(input);
    Layout layout = choice.inputs().get(input);
    Packing packing = choice.packings().get(input);
    Tensor constant = graph.constants().get(value);
    if (constant != null && packing != null) {
      return blocks.weight(value, constant, packing);
    }
    return layout == null ? arrayOf(value) : converted(value, layout);
  }

  private CodeGenerator.Operand operand(Value value) {
    Tensor constant = graph.constants().get(value);
    return new CodeGenerator.Operand(
        constant == null ? arrayOf(value).index() : IndexFunction.rowMajor(value.type().shape()),
        constant);
  }

  private Array arrayOf(Value value) {
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
    Array target = blocks.arena(copy, layout.of(value.type().shape()));
    move(value, copy.name(), "Convert", Step.Kind.CONVERT, source, target);
    return target;
  }

  /* A step that moves a value from one array to another. */
  private void move(
      Value value, String name, String op, Step.Kind kind, Array source, Array target) {
    Expr identity = new Expr.Arg(0);
    Node node =
        Node.of(
            name,
            op,
            new Op.Elementwise(identity, value.type()),
            List.of(value),
            new Value(target.name(), value.type()));
    CodeGenerator.Operand from = new CodeGenerator.Operand(source.index(), null);
    Choice choice = generator.choose(node, List.of(from), List.of());
    step(node, kind, List.of(source), List.of(false), target, choice);
  }

  private void step(
      Node node,
      Step.Kind kind,
      List<Array> inputs,
      List<Boolean> packed,
      Array output,
      Choice choice) {
    var scratch =
        choice.scratchBytes().isZero()
            ? null
            : blocks.scratch(node.name() + " scratch", choice.scratchBytes());
    int number = planned.size();
    FailurePoint failure = failurePoints.of(number, node);
    steps.add(
        new LoweredStep(
            number, node, kind, inputs, packed, output, choice.strategy(), scratch, failure));
    List<Step.InPlace> inPlace = InPlacePairs.of(node, failure, inputs, output, choice);
    plan(node, kind, inputs, output, inPlace, scratch);
  }

  private void plan(
      Node node,
      Step.Kind kind,
      List<Array> reads,
      Array write,
      List<Step.InPlace> inPlace,
      io.miniinference.plan.@Nullable Block scratch) {
    planned.add(
        new Step(
            planned.size(),
            node.name(),
            node.onnxOp(),
            kind,
            reads,
            List.of(write),
            scratch == null ? List.of() : List.of(scratch),
            inPlace,
            List.of()));
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
    move(value, copy.name(), "Output", Step.Kind.COPY, array, target);
    return target;
  }
}
