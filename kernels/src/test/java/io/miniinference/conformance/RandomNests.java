package io.miniinference.conformance;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Random graphs of branches and loops in one another, as text. Their arithmetic is exact (small
/// integers), so that any difference at all is a fault.
///
/// Inputs are `%x: f32[N,4]`, `%v: f32[4]` and the count `%k: i64[]`; outputs are a few of the
/// values that were made. Graphs that may fail have an input `%i: i64[N,4]`, too: they look its
/// elements up and divide by them, and all that they make in rows adds up to their first output.
/// There no row has a say in a condition.
final class RandomNests {
  private static final int DEEPEST = 2;

  private final Random random;
  private final boolean mayFail;
  private int names;

  private RandomNests(Random random, boolean mayFail) {
    this.random = random;
    this.mayFail = mayFail;
  }

  /// A graph's lines.
  static String text(long seed) {
    RandomNests nests = new RandomNests(new Random(seed), false);
    Block graph = nests.new Block(0);
    graph.declare("x", Type.ROWS);
    graph.declare("v", Type.VECTOR);
    graph.declare("k", Type.COUNT);
    graph.statements(nests.random.nextInt(3, 7));
    for (Type type : List.of(Type.ROWS, Type.VECTOR, Type.SCALAR)) {
      graph.output(graph.made(type));
    }
    return graph.text();
  }

  /// The lines of a graph in which rows may fail.
  static String failing(long seed) {
    RandomNests nests = new RandomNests(new Random(seed), true);
    Block graph = nests.new Block(0);
    graph.declare("x", Type.ROWS);
    graph.declare("i", Type.INDICES);
    graph.declare("v", Type.VECTOR);
    graph.declare("k", Type.COUNT);
    graph.statements(nests.random.nextInt(2, 5));
    graph.fallible();
    graph.fallible();
    graph.output(graph.sum());
    return graph.text();
  }

  private enum Type {
    ROWS("f32[N,4]"),
    VECTOR("f32[4]"),
    SCALAR("f32[]"),
    COUNT("i64[]"),
    INDICES("i64[N,4]");

    final String text;

    Type(String text) {
      this.text = text;
    }

    /// The type of so many of them in a row.
    String rows(long count) {
      return text.replace("[", "[" + count + (this == SCALAR ? "" : ","));
    }
  }

  private record Value(String name, Type type) {
    @Override
    public String toString() {
      return "%" + name;
    }
  }

  private Type anyType() {
    return Type.values()[random.nextInt(3)];
  }

  /// A graph or a body under construction. What a body reads from around it becomes an input of it
  /// when it is first read.
  private final class Block {
    private final int depth;
    private final List<Value> values = new ArrayList<>();
    private final Set<Value> around = new LinkedHashSet<>();
    private final Set<Value> captured = new LinkedHashSet<>();
    private final List<String> inputs = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final List<String> outputs = new ArrayList<>();

    Block(int depth) {
      this.depth = depth;
    }

    Block inner() {
      Block body = new Block(depth + 1);
      body.around.addAll(values);
      body.around.addAll(around);
      return body;
    }

    void declare(String name, Type type) {
      values.add(new Value(name, type));
      inputs.add("input %" + name + ": " + type.text);
    }

    void output(Value value) {
      outputs.add("output " + value);
    }

    String text() {
      List<String> all = new ArrayList<>(inputs);
      captured.forEach(value -> all.add("input " + value + ": " + value.type().text));
      all.addAll(lines);
      all.addAll(outputs);
      return String.join("\n", all) + "\n";
    }

    String body(String name) {
      return " graph \"" + name + "\" {\n" + text() + "}";
    }

    /// A value to read, of this block or of one around it.
    Value any(Type type) {
      List<Value> all = new ArrayList<>(values);
      all.addAll(around);
      List<Value> fitting = all.stream().filter(v -> v.type() == type).toList();
      if (fitting.isEmpty()) {
        return made(type);
      }
      Value chosen = fitting.get(random.nextInt(fitting.size()));
      if (!values.contains(chosen)) {
        captured.add(chosen);
        values.add(chosen);
      }
      return chosen;
    }

    /// A value that this block computes.
    Value made(Type type) {
      return switch (type) {
        case ROWS -> clamped(type, "a0 + a1", any(Type.ROWS), any(Type.VECTOR));
        case VECTOR ->
            mayFail
                ? clamped(type, "a0 + 1.0", any(Type.VECTOR))
                : line(type, "reduce_max(" + any(Type.ROWS) + ") {axes=[0]}");
        case SCALAR -> line(type, "reduce_max(" + any(Type.VECTOR) + ") {axes=[0]}");
        case COUNT -> elementwise(type, "min(a0 + 1, 3)", any(Type.COUNT));
        case INDICES -> elementwise(type, "a0 + a1", any(Type.INDICES), any(Type.COUNT));
      };
    }

    private String fresh() {
      return "t" + names++;
    }

    private Value line(Type type, String operation) {
      Value value = new Value(fresh(), type);
      lines.add(value + ": " + type.text + " = " + operation);
      values.add(value);
      return value;
    }

    private Value clamped(Type type, String expr, Value... operands) {
      return elementwise(type, "max(min(" + expr + ", 64.0), -64.0)", operands);
    }

    private Value elementwise(Type type, String expr, Value... operands) {
      String all =
          List.of(operands).stream().map(Value::toString).collect(Collectors.joining(", "));
      return line(type, "elementwise(" + all + ") { " + expr + " }");
    }

    void statements(int count) {
      for (int i = 0; i < count; i++) {
        statement();
      }
    }

    /* A look-up or a division that some rows may not survive. */
    private void fallible() {
      Value indices = random.nextBoolean() ? any(Type.INDICES) : made(Type.INDICES);
      if (random.nextInt(3) == 0) {
        String expr = "f32(12 / (a0 - a1 + " + random.nextInt(2, 9) + "))";
        elementwise(Type.ROWS, expr, indices, any(Type.COUNT));
        return;
      }
      if (random.nextInt(3) == 0) {
        fallibleTogether(indices);
        return;
      }
      String table = "%" + fresh();
      lines.add("const " + table + ": f32[5] = [1.0, 2.0, 3.0, 5.0, 7.0]");
      line(Type.ROWS, "gather(" + table + ", " + indices + ") {axis=0}");
    }

    /* Look-ups in a kernel whose work items meet at barriers: an index for all of a group, or for
    some of it. */
    private void fallibleTogether(Value indices) {
      String table = "%" + fresh();
      String rows =
          IntStream.range(0, 5 * 60)
              .mapToObj(k -> k % 7 + ".0")
              .collect(Collectors.joining(", ", "[", "]"));
      lines.add("const " + table + ": f32[5,60] = " + rows);
      String found = "%" + fresh();
      lines.add(found + ": f32[N,4,60] = gather(" + table + ", " + indices + ") {axis=0}");
      if (random.nextBoolean()) {
        line(Type.ROWS, "reduce_max(" + found + ") {axes=[2]}");
        return;
      }
      Value largest = new Value(fresh(), Type.ROWS);
      String all = "%" + fresh();
      lines.add(all + ": f32[N] = reduce_max(" + found + ") {axes=[1,2]}");
      lines.add(largest + ": f32[N,1] = reshape(" + all + ")");
      clamped(Type.ROWS, "a0 - a1", largest, any(Type.ROWS));
    }

    /* A kernel whose work items meet at barriers. */
    private void together() {
      Value largest = new Value(fresh(), Type.ROWS);
      Value read = any(Type.ROWS);
      lines.add(largest + ": f32[N,1] = reduce_max(" + read + ") {axes=[1], keep=true}");
      clamped(Type.ROWS, "a0 - a1", largest, read);
    }

    /// All that this block made in rows.
    Value sum() {
      List<Value> all = values.stream().filter(v -> v.type() == Type.ROWS).toList();
      Value sum = all.getFirst();
      for (Value next : all.subList(1, all.size())) {
        sum = clamped(Type.ROWS, "a0 + a1", sum, next);
      }
      return sum;
    }

    private void statement() {
      if (mayFail && random.nextInt(5) < 2) {
        fallible();
        return;
      }
      Type type = anyType();
      switch (random.nextInt(depth < DEEPEST ? 10 : 6)) {
        case 0 -> clamped(type, "neg(a0) + 1.0", any(type));
        case 1 -> clamped(type, "a0 - a1", any(type), any(type));
        case 2 -> clamped(Type.ROWS, "a0 * 2.0 - a1", any(Type.ROWS), any(Type.SCALAR));
        case 3 -> turned(random.nextBoolean() ? Type.ROWS : Type.VECTOR);
        case 4 -> shifted();
        case 5 -> together();
        case 6, 7 -> branch();
        default -> loop();
      }
    }

    private void turned(Type type) {
      String where = type == Type.ROWS ? "starts=[0,3], steps=[1,-1]" : "starts=[3], steps=[-1]";
      line(type, "slice(" + any(type) + ") {" + where + "}");
    }

    private void shifted() {
      Value both = new Value(fresh(), Type.ROWS);
      Value first = any(Type.ROWS);
      Value second = any(Type.ROWS);
      lines.add(both + ": f32[N,8] = concat(" + first + ", " + second + ") {axis=1}");
      line(Type.ROWS, "slice(" + both + ") {starts=[0," + random.nextInt(5) + "]}");
    }

    /* On a value of the device, or on one that the host knows. */
    private String condition() {
      String name = "%" + fresh();
      boolean isOnDevice = random.nextBoolean();
      Value read = any(isOnDevice ? Type.SCALAR : Type.COUNT);
      String expr = isOnDevice ? "a0 > " + random.nextInt(-3, 9) + ".0" : "a0 > 1";
      lines.add(name + ": bool[] = elementwise(" + read + ") { " + expr + " }");
      return name;
    }

    private void branch() {
      String condition = condition();
      List<Type> types = types();
      Block then = inner();
      Block otherwise = inner();
      for (Block body : List.of(then, otherwise)) {
        body.statements(random.nextInt(0, 4));
        body.results(types);
      }
      Set<Value> captured = new LinkedHashSet<>(then.captured);
      captured.addAll(otherwise.captured);
      then.captured.addAll(captured);
      otherwise.captured.clear();
      otherwise.captured.addAll(then.captured);
      String operands = operands(List.of(condition), then.captured);
      node(types, "if(" + operands + ")" + then.body("then") + otherwise.body("else"));
    }

    private void results(List<Type> types) {
      if (mayFail) {
        made(Type.ROWS);
      }
      for (int i = 0; i < types.size(); i++) {
        Type type = types.get(i);
        boolean isSum = mayFail && i == 0;
        output(isSum ? sum() : random.nextInt(4) == 0 ? any(type) : made(type));
      }
    }

    private List<Type> types() {
      List<Type> types = new ArrayList<>(mayFail ? List.of(Type.ROWS) : List.of());
      for (int i = random.nextInt(1, 3); i > 0; i--) {
        types.add(anyType());
      }
      return types;
    }

    private String operands(List<?> first, Set<Value> captured) {
      captured.forEach(this::read);
      List<Object> all = new ArrayList<>(first);
      all.addAll(captured);
      return all.stream().map(Object::toString).collect(Collectors.joining(", "));
    }

    private void read(Value value) {
      if (!values.contains(value)) {
        captured.add(value);
        values.add(value);
      }
    }

    private void node(List<Type> types, String text) {
      List<Value> results = types.stream().map(type -> new Value(fresh(), type)).toList();
      lines.add(names(results, "") + " = " + text);
      values.addAll(results);
    }

    private static String names(List<Value> values, String more) {
      String own =
          values.stream()
              .map(value -> value + ": " + value.type().text)
              .collect(Collectors.joining(", "));
      return own + more;
    }

    private void loop() {
      boolean isFixed = random.nextBoolean();
      long count = random.nextInt(4);
      String trips = isFixed ? constant("i64", Long.toString(count)) : any(Type.COUNT).toString();
      String first = constant("bool", "true");
      List<Type> types = types();
      List<Object> before = new ArrayList<>(List.of(trips, first));
      types.forEach(type -> before.add(any(type)));
      Block body = inner();
      body.declare(fresh(), Type.COUNT);
      types.forEach(type -> body.declare(fresh(), type));
      body.statements(random.nextInt(1, 4));
      String goesOn = isFixed ? body.constant("bool", "true") : body.condition();
      body.outputs.add("output " + goesOn);
      body.results(types);
      Type row = anyType();
      if (isFixed && count > 0) {
        body.output(random.nextBoolean() ? body.any(row) : body.made(row));
      }
      String operands = operands(before, body.captured);
      close(types, isFixed && count > 0 ? row : null, count, operands, body);
    }

    private String constant(String type, String value) {
      String name = "%" + fresh();
      lines.add("const " + name + ": " + type + "[] = [" + value + "]");
      return name;
    }

    private void close(
        List<Type> types, @Nullable Type row, long count, String operands, Block body) {
      List<Value> results = types.stream().map(type -> new Value(fresh(), type)).toList();
      String how = "{carried=" + types.size();
      String name = "%" + fresh();
      String rows = row == null ? "" : ", " + name + ": " + row.rows(count);
      how += row == null ? "}" : ", iterations=" + count + "}";
      lines.add(names(results, rows) + " = loop(" + operands + ") " + how + body.body("body"));
      values.addAll(results);
      if (row != null) {
        line(row, "reduce_max(" + name + ") {axes=[0]}");
      }
    }
  }
}
