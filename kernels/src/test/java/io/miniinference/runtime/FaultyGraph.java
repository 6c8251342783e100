package io.miniinference.runtime;

import static io.miniinference.runtime.SharedEngine.floats;
import static io.miniinference.runtime.SharedEngine.longs;

import io.miniinference.ir.Tensor;
import io.miniinference.testing.TestModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// A random model whose every index and divisor is an input of its own, so that whoever spoils one
/// of them knows what must be reported: nodes that can fail among those whose kernels have barriers
/// (softmax, sums, matrix products) and elementwise ones.
final class FaultyGraph {
  private final TestModel model = TestModel.opset(18);
  private final Random random;
  private final List<Width> widths = new ArrayList<>();

  /// What nobody reads: it becomes an output, since what leads to none is not computed.
  private final List<String> unused = new ArrayList<>();

  private final List<Input> inputs = new ArrayList<>();
  private final List<Target> targets = new ArrayList<>();

  /// A value `[N, width]` of floats.
  private record Width(String name, int width) {}

  /// An input of the model.
  ///
  /// @param perRow elements of a row, or of all if it has none
  /// @param limit legal indices are in `[-limit, limit - 1]`; 0 for floats, 1 for divisors
  private record Input(String name, boolean hasRows, int perRow, int limit) {}

  /// A node that can fail.
  ///
  /// @param input whose content decides
  /// @param axis that messages name; −1 for a division
  record Target(String node, String op, int input, int perRow, int limit, int axis) {}

  FaultyGraph(long seed, int nodes) {
    random = new Random(seed);
    int width = width();
    model.floats("x", "N," + width);
    inputs.add(new Input("x", true, width, 0));
    widths.add(new Width("x", width));
    for (int k = 0; k < nodes || targets.size() < 2; k++) {
      add("v" + k, widths.get(random.nextInt(widths.size())));
    }
    unused.forEach(model::output);
  }

  /* One in four is wide enough for a group of work items to share a row. */
  private int width() {
    return random.nextInt(4) == 0 ? 48 + random.nextInt(40) : 2 + random.nextInt(7);
  }

  TestModel model() {
    return model;
  }

  /// Those that can fail, in order of execution.
  List<Target> targets() {
    return targets;
  }

  private void add(String name, Width from) {
    int width = width();
    switch (random.nextInt(15)) {
      case 0, 1 -> {
        String at = indices(name, "GatherElements", from.width, width, "N," + width, 1);
        node(name, width, "GatherElements", from.name + " " + at, "axis=1");
      }
      case 2 -> {
        String at = indices(name, "GatherND", from.width, width, "N," + width + ",1", 1);
        node(name, width, "GatherND", from.name + " " + at, "batch_dims=1");
      }
      case 3 -> {
        int rows = width();
        String table = reals(name + "t", rows + "," + width, false, rows * width);
        node(name, width, "Gather", table + " " + indices(name, "Gather", rows, 1, "N", 0));
      }
      case 4, 5 -> {
        String at = indices(name, "ScatterElements", from.width, width, "N," + width, 1);
        String updates = reals(name + "u", "N," + width, true, width);
        String how = "reduction=" + List.of("none", "add", "max").get(random.nextInt(3));
        node(
            name,
            from.width,
            "ScatterElements",
            from.name + " " + at + " " + updates,
            "axis=1",
            how);
      }
      case 6 -> division(name, width);
      case 7 -> node(name, from.width, "Softmax", from.name, "axis=1");
      case 8 -> {
        model.constant(name + "a", 1);
        node(name, 1, "ReduceSum", from.name + " " + name + "a", "keepdims=1");
      }
      case 9 -> {
        String weights = reals(name + "w", from.width + "," + width, false, from.width * width);
        node(name, width, "MatMul", from.name + " " + weights);
      }
      case 10, 11, 12 -> gatheredOnTheWay(name, from, width);
      case 13 -> {
        int rows = width();
        String table = reals(name + "t", rows + "," + from.width, false, rows * from.width);
        String at = indices(name + "g", "Gather", rows, 1, "N", 0);
        model.node("Gather", table + " " + at, name + "g");
        String weights = reals(name + "w", from.width + "," + width, false, from.width * width);
        node(name, width, "MatMul", name + "g " + weights);
      }
      default -> {
        Width other = widths.get(random.nextInt(widths.size()));
        boolean fits = other.width == from.width || other.width == 1;
        node(name, from.width, fits ? "Add" : "Tanh", from.name + (fits ? " " + other.name : ""));
      }
    }
  }

  /* A Gather that only the next node reads, whose kernel may do it. */
  private void gatheredOnTheWay(String name, Width from, int width) {
    String gathered = name + "g";
    String at = indices(gathered, "GatherElements", from.width, width, "N," + width, 1);
    model.node("GatherElements", from.name + " " + at, gathered, "axis=1");
    unused.remove(from.name);
    switch (random.nextInt(3)) {
      case 0 -> node(name, width, "Softmax", gathered, "axis=1");
      case 1 -> {
        String scale = reals(name + "s", "" + width, false, width);
        node(name, width, "LayerNormalization", gathered + " " + scale);
      }
      default -> {
        model.constant(name + "a", 1);
        node(name, 1, "ReduceMax", gathered + " " + name + "a", "keepdims=1");
      }
    }
  }

  private void node(String name, int width, String op, String operands, String... attributes) {
    model.node(op, operands, name, attributes);
    widths.add(new Width(name, width));
    unused.removeAll(List.of(operands.split(" ")));
    unused.add(name);
  }

  private String reals(String name, String dims, boolean hasRows, int perRow) {
    model.floats(name, dims);
    inputs.add(new Input(name, hasRows, perRow, 0));
    return name;
  }

  private String indices(String node, String op, int limit, int perRow, String dims, int axis) {
    String name = node + "i";
    model.longs(name, dims);
    targets.add(new Target("make " + node, op, inputs.size(), perRow, limit, axis));
    inputs.add(new Input(name, true, perRow, limit));
    return name;
  }

  /* A value of its own: `7 / d`, as floats. */
  private void division(String name, int width) {
    String divisors = name + "d";
    model.constant(name + "c", 7).longs(divisors, "N," + width);
    targets.add(new Target("make " + name + "q", "Div", inputs.size(), width, 1, -1));
    inputs.add(new Input(divisors, true, width, 1));
    model.node("Div", name + "c " + divisors, name + "q");
    node(name, width, "Cast", name + "q", "to=1");
  }

  /// Inputs without a fault.
  Tensor[] clean(int rows) {
    Tensor[] tensors = new Tensor[inputs.size()];
    for (int i = 0; i < tensors.length; i++) {
      tensors[i] = content(inputs.get(i), rows);
    }
    return tensors;
  }

  private Tensor content(Input input, int rows) {
    int count = input.perRow * (input.hasRows ? rows : 1);
    if (input.limit > 0) {
      long[] values = new long[count];
      boolean divides = divides(input);
      Arrays.setAll(values, _ -> divides ? 1 + random.nextInt(9) : legal(input.limit));
      return longs(shape(input, rows), values);
    }
    float[] values = new float[count];
    for (int k = 0; k < count; k++) {
      values[k] = random.nextFloat() - 0.5f;
    }
    return floats(shape(input, rows), values);
  }

  private boolean divides(Input input) {
    return targets.stream().anyMatch(t -> inputs.get(t.input).equals(input) && t.axis < 0);
  }

  private long legal(int limit) {
    return random.nextInt(2 * limit) - limit;
  }

  private long[] shape(Input input, int rows) {
    var type = model.read().graph().getInputList().get(inputs.indexOf(input));
    return type.getType().getTensorType().getShape().getDimList().stream()
        .mapToLong(dim -> dim.hasDimValue() ? dim.getDimValue() : rows)
        .toArray();
  }
}
