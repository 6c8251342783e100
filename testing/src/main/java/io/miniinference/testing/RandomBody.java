package io.miniinference.testing;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.binary;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.testing.RandomModel.Domain;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Fills a scope with random operators, and with If, Loop and Scan whose bodies are filled the same
/// way.
final class RandomBody {
  private static final int DEEPEST = 2;
  private static final int MOST_CAPTURED = 6;

  private final Scope scope;
  private final Domain domain;
  private final Random random;

  RandomBody(Scope scope, Domain domain) {
    this.scope = scope;
    this.domain = domain;
    random = scope.random();
  }

  void grow(int steps) {
    RandomOperators operators = new RandomOperators(scope, domain);
    for (int i = 0; i < steps; i++) {
      if (scope.depth() < DEEPEST && random.nextInt(5) == 0) {
        control();
      } else {
        operators.next();
      }
    }
  }

  private void control() {
    switch (random.nextInt(3)) {
      case 0 -> branch();
      case 1 -> loop();
      default -> scan();
    }
  }

  private static boolean isFloat(Value value) {
    return value.type().element() == ElementType.F32;
  }

  private static boolean isWhole(Value value) {
    return value.type().equals(TensorType.of(ElementType.I64));
  }

  /* Exact on every device: the largest of whole numbers that nobody computes with, or a count that
  the host knows. */
  private Value condition() {
    Expr least = const_(ElementType.F32, random.nextInt(-1, 5) + 0.5);
    Value number = scope.any(RandomBody::isWhole).orElseThrow();
    Value whole = scope.any(RandomBody::isOriginal).orElseThrow();
    Value largest = scope.at("largest").reduce(ReduceKind.MAX, List.of(0, 1), false, whole);
    return random.nextBoolean()
        ? scope
            .at("device")
            .elementwise(
                binary(BinaryOp.GT, add(arg(0), cast(ElementType.F32, arg(1))), least),
                largest,
                number)
        : scope
            .at("host")
            .elementwise(binary(BinaryOp.GT, arg(0), const_(random.nextInt(2))), number);
  }

  /* The input of whole numbers, or what a body has of it. */
  private static boolean isOriginal(Value value) {
    return value.name().endsWith("w");
  }

  /* What a body reads: some of the last values, and what conditions are made of. */
  private List<Value> captured(Collection<Value> others) {
    LinkedHashSet<Value> captured = new LinkedHashSet<>();
    scope.any(RandomBody::isOriginal).ifPresent(captured::add);
    scope.any(RandomBody::isWhole).ifPresent(captured::add);
    for (int i = random.nextInt(2, MOST_CAPTURED); i > 0; i--) {
      scope.any(_ -> true).ifPresent(captured::add);
    }
    captured.removeAll(others);
    return List.copyOf(captured);
  }

  private Scope body(String name, List<Value> read) {
    Scope body = scope.inner(name);
    capture(body, read);
    return body;
  }

  /* Inputs of a body for what it reads, by names that tell whose whole numbers are the original's. */
  private static void capture(Scope body, List<Value> read) {
    for (int i = 0; i < read.size(); i++) {
      String kept = isOriginal(read.get(i)) ? "w" : "v";
      body.input("c" + i + kept, read.get(i).type());
    }
  }

  /* Types that a body can result in: of values that it is given. */
  private List<TensorType> types() {
    List<TensorType> types = new ArrayList<>();
    for (int i = random.nextInt(1, 3); i > 0; i--) {
      types.add(scope.any(RandomBody::isFloat).orElseThrow().type());
    }
    return types;
  }

  private void branch() {
    Value condition = condition();
    List<Value> read = new ArrayList<>(captured(List.of()));
    List<TensorType> types = types();
    types.forEach(type -> read.add(scope.any(v -> v.type().equals(type)).orElseThrow()));
    Graph then = side("then", read, types);
    Graph otherwise = side("else", read, types);
    List<Value> operands = new ArrayList<>(List.of(condition));
    operands.addAll(read);
    scope.at("if").control(new Op.If(then, otherwise), operands).forEach(scope::add);
  }

  private Graph side(String name, List<Value> read, List<TensorType> types) {
    Scope body = body(name, read);
    new RandomBody(body, domain).grow(random.nextInt(5));
    return body.build(results(body, types));
  }

  /* A value of each type as it is, or made for the purpose. */
  private List<Value> results(Scope body, List<TensorType> types) {
    List<Value> results = new ArrayList<>();
    for (TensorType type : types) {
      Value value = body.any(v -> v.type().equals(type)).orElseThrow();
      results.add(
          random.nextInt(4) == 0
              ? value
              : body.at("result")
                  .elementwise(RandomOperators.blend(random), value, body.like(value)));
    }
    return results;
  }

  private Value trips(int known) {
    return random.nextBoolean()
        ? scope.constant(RandomOperators.whole(known))
        : scope.any(RandomBody::isWhole).orElseThrow();
  }

  private void loop() {
    int known = random.nextInt(4);
    Value trips = trips(known);
    boolean isKnown = scope.graph().constantOf(trips).isPresent();
    List<Value> carried = new ArrayList<>();
    types().forEach(type -> carried.add(scope.any(v -> v.type().equals(type)).orElseThrow()));
    close(carried, captured(List.of()), trips, isKnown ? known : 0);
  }

  /* A loop of `rows` iterations that are known, each with a row of the results; of some number
  if `rows` is 0. */
  private void close(List<Value> carried, List<Value> captured, Value trips, int rows) {
    Scope body = scope.inner("body");
    Value iteration = body.input("i", TensorType.of(ElementType.I64));
    for (int i = 0; i < carried.size(); i++) {
      body.input("s" + i, carried.get(i).type());
    }
    capture(body, captured);
    new RandomBody(body, domain).grow(random.nextInt(1, 5));
    List<Value> results = new ArrayList<>(List.of(goOn(body, iteration, rows > 0)));
    results.addAll(results(body, carried.stream().map(Value::type).toList()));
    if (rows > 0) {
      results.add(body.any(RandomBody::isFloat).orElseThrow());
    }
    List<Value> operands = new ArrayList<>(List.of(trips, scope.constant(RandomOperators.truth())));
    operands.addAll(carried);
    operands.addAll(captured);
    Op.Loop loop = new Op.Loop(body.build(results), carried.size(), Affine.of(rows));
    scope.at("loop").control(loop, operands).forEach(scope::add);
  }

  private Value goOn(Scope body, Value iteration, boolean always) {
    if (always || random.nextBoolean()) {
      return body.constant(RandomOperators.truth());
    }
    return random.nextBoolean()
        ? new RandomBody(body, domain).condition()
        : body.at("go")
            .elementwise(binary(BinaryOp.LT, arg(0), const_(random.nextInt(3))), iteration);
  }

  /* A loop over the elements of a value along its first axis, which each iteration looks up. */
  private void scan() {
    Value whole = scope.any(RandomBody::isScanned).orElse(null);
    if (whole == null) {
      loop();
      return;
    }
    long count = whole.type().dim(0).asConstant();
    Value trips = scope.constant(RandomOperators.whole(count));
    List<Affine> shape = whole.type().shape().subList(1, whole.type().rank());
    Value state = scope.at("state").reduce(ReduceKind.MAX, List.of(0), false, whole);
    List<Value> captured = new ArrayList<>(List.of(whole));
    captured.addAll(captured(List.of(whole)));
    Scope body = scope.inner("scan");
    Value iteration = body.input("i", TensorType.of(ElementType.I64));
    Value carried = body.input("s0", state.type());
    capture(body, captured);
    Value element = body.at("element").gather(0, body.values().get(2), iteration);
    body.add(body.at("element").reshape(element, shape));
    new RandomBody(body, domain).grow(random.nextInt(3));
    Value next =
        body.at("next").elementwise(RandomOperators.blend(random), element, body.like(carried));
    List<Value> results = List.of(body.constant(RandomOperators.truth()), next, body.like(next));
    List<Value> operands =
        new ArrayList<>(List.of(trips, scope.constant(RandomOperators.truth()), state));
    operands.addAll(captured);
    Op.Loop loop = new Op.Loop(body.build(results), 1, Affine.of(count));
    scope.at("scan").control(loop, operands).forEach(scope::add);
  }

  private static boolean isScanned(Value value) {
    List<Affine> shape = value.type().shape();
    return isFloat(value)
        && shape.size() > 1
        && shape.getFirst().isConstant()
        && IntStream.rangeClosed(1, 6).anyMatch(n -> shape.getFirst().equals(Affine.of(n)));
  }
}
