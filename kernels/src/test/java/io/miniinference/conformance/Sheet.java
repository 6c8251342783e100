package io.miniinference.conformance;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.build.GraphBuilder;
import io.miniinference.ir.build.Lowering;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// Many cases in one graph: each case is an output with a label of its own.
final class Sheet {
  private static final boolean ALL = "all".equals(System.getProperty("mie.combinations"));
  private static final Map<String, List<Tensor>> EXPECTED = new ConcurrentHashMap<>();

  private final String name;
  private final long seed;
  private final GraphBuilder graph;
  private final Random random;
  private final List<LongFunction<Tensor>> inputs = new ArrayList<>();
  private final List<Value> outputs = new ArrayList<>();
  private final List<Case> cases = new ArrayList<>();
  private List<Long> batches = List.of(3L, 0L, 7L, 1L);
  private int oneIn = 1;
  private int asked;
  private int values;

  Sheet(String name, long seed) {
    this.name = name;
    this.seed = seed;
    this.graph = new GraphBuilder(name);
    this.random = new Random(seed);
  }

  /// Runs the graph with these batch sizes, one after the other on one load.
  Sheet batches(Long... sizes) {
    batches = List.of(sizes);
    return this;
  }

  List<Long> batches() {
    return batches;
  }

  Random random() {
    return random;
  }

  /// Whether a combination of choices, each told by its place among its alternatives, is one of
  /// those that are tried: one in several, spread evenly over the alternatives of each choice.
  /// `-Dmie.combinations=all` tries all.
  static boolean isTried(int oneIn, int... places) {
    return ALL || IntStream.of(places).sum() % oneIn == 0;
  }

  /// Tries one in several of the cases that follow, those of this place: where sheets of all places
  /// have the same cases, one of them has each.
  Sheet thinned(int oneIn, int place) {
    this.oneIn = oneIn;
    asked = place;
    return this;
  }

  /// Whether the next case is one of those.
  private boolean isNextTried() {
    return isTried(oneIn, asked++);
  }

  /// A shape of constants.
  static List<Affine> dims(long... dims) {
    return java.util.Arrays.stream(dims).mapToObj(Affine::of).toList();
  }

  /// A shape whose axis 0 is the batch.
  static List<Affine> batch(long... dims) {
    List<Affine> shape = new ArrayList<>(dims(dims));
    shape.addFirst(Affine.N);
    return shape;
  }

  Value input(Data data, ElementType type, List<Affine> shape) {
    TensorType full = new TensorType(type, shape);
    long seed = random.nextLong();
    return input(full, n -> data.fill(new Random(seed + n), type, full.shapeAt(n)));
  }

  Value input(TensorType type, LongFunction<Tensor> content) {
    inputs.add(content);
    return graph.input("x" + values++, type);
  }

  /// An `F32` input of normal numbers.
  Value input(List<Affine> shape) {
    return input(Data.NORMAL, ElementType.F32, shape);
  }

  Value constant(Data data, ElementType type, long... shape) {
    return constant(data.fill(random, type, shape));
  }

  Value constant(Tensor tensor) {
    return graph.constant("w" + values++, tensor);
  }

  /// An `F32` constant of normal numbers.
  Value constant(long... shape) {
    return constant(Data.NORMAL, ElementType.F32, shape);
  }

  /// What adds the nodes of one case.
  Lowering at(String label) {
    return graph.lowering(label, "Test");
  }

  /// Makes a value an output to be compared, to the tolerance of its type.
  void check(String label, Value value) {
    check(label, value, Tolerance.of(value.type().element()));
  }

  /// @param tolerance relative, to the value and to the largest of its tensor
  void check(String label, Value value, double tolerance) {
    if (isNextTried()) {
      add(label, value, tolerance);
    }
  }

  /// Of a step and what follows it: both cases, or neither.
  void check(String label, Value value, String then, Value next) {
    if (isNextTried()) {
      add(label, value, Tolerance.of(value.type().element()));
      add(then, next, Tolerance.of(next.type().element()));
    }
  }

  private void add(String label, Value value, double tolerance) {
    outputs.add(value);
    cases.add(new Case(label, tolerance));
  }

  /// An output's label and how near it must be.
  record Case(String label, double tolerance) {}

  /// One per output of the graph.
  List<Case> cases() {
    return cases;
  }

  Graph graph() {
    return graph.build(outputs);
  }

  List<Tensor> inputs(long n) {
    return inputs.stream().map(f -> f.apply(n)).toList();
  }

  /// What a rig computes otherwise than the plain interpreter does, at each batch size.
  ///
  /// @param run the sheet's graph, or one that stores it otherwise
  List<String> differences(Rig rig, Graph run, ToDoubleFunction<Case> tolerance) {
    List<List<Tensor>> sets = batches.stream().map(this::inputs).toList();
    List<List<Tensor>> got = rig.run(run, sets);
    Graph own = graph();
    List<String> wrong = new ArrayList<>();
    for (int s = 0; s < sets.size(); s++) {
      List<Tensor> expected = expected(own, batches.get(s), sets.get(s));
      for (int i = 0; i < expected.size(); i++) {
        Case one = cases.get(i);
        String where = "%s, %s, N = %d: ".formatted(name, one.label, batches.get(s));
        Tolerance.difference(expected.get(i), got.get(s).get(i), tolerance.applyAsDouble(one))
            .ifPresent(difference -> wrong.add(where + difference));
      }
    }
    return wrong;
  }

  /* Once for all devices: a name and a seed stand for the same numbers. */
  private List<Tensor> expected(Graph own, long batch, List<Tensor> inputs) {
    String key = "%s, seed %d, N = %d".formatted(name, seed, batch);
    return EXPECTED.computeIfAbsent(key, _ -> Interpreter.run(own, inputs));
  }

  @Override
  public String toString() {
    return name;
  }
}
