package io.miniinference.codegen.program;

import io.miniinference.codegen.open.OpenStock.Kernel;
import io.miniinference.codegen.program.OpenNetwork.Shape;
import io.miniinference.device.Launch;
import io.miniinference.device.ProgramCode;
import io.miniinference.layout.Affine;
import io.miniinference.lower.FailurePoint;
import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.Network;
import io.miniinference.lower.RowLaunch;
import io.miniinference.lower.RowPiece;
import io.miniinference.lower.SharedLaunch;
import io.miniinference.plan.Array;
import io.miniinference.plan.planner.RowArena;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// What the kernel of [OpenNetworkText] reads of one shape: its launches, and the table in which
/// they find which functions to call with what.
///
/// ```
/// | head | per input and output: from, to, bytes of a row | steps, one after the other | failures |
/// ```
final class OpenTable {
  /// Shares of a step's grain that work items take each: finding the step in the table costs a work
  /// item about 20 ns.
  private static final int SHARES = 8;

  private static final int MOST_ITEMS = 256;

  private final LoweredProgram program;
  private final List<Integer> steps;
  private final int place;
  private final RowLaunch.Places places;

  /// Entries of a binding for numbers, by their values, from one on.
  private final Map<Long, Integer> numbers = new LinkedHashMap<>();

  private final int counters;
  private final int workers;
  private final int firstNumber;

  /// The table: entries of a binding.
  private final List<Integer> words = new ArrayList<>();

  private final List<Launch> launches = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  private OpenTable(LoweredProgram program, List<Integer> steps) {
    this.steps = steps;
    this.program = program;
    place = program.offsets();
    counters = place + 4;
    workers = place + 5;
    int inputs = place + 6;
    int outputs = inputs + program.inputs().size();
    firstNumber = outputs + program.outputs().size();
    places =
        new RowLaunch.Places(
            place + 1, place + 2, place + 3, range(inputs, outputs), range(outputs, firstNumber));
  }

  private static List<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  /// The table of a shape; empty if one of its kernels is none of the functions.
  ///
  /// @param functions in the order of their numbers
  static Optional<OpenTable> of(Shape shape, List<Kernel> functions) {
    OpenTable table = new OpenTable(shape.program(), shape.text().steps());
    IntStream.range(0, table.headWords()).forEach(_ -> table.words.add(table.number(0)));
    for (int i = 0; i < shape.sites().size(); i++) {
      int function = function(shape, i, functions);
      if (function < 0) {
        return Optional.empty();
      }
      table.step(shape, i, functions.get(function), function);
    }
    table.failures();
    return Optional.of(table);
  }

  /* Of several the one with the fewest numbers; −1 for none. */
  private static int function(Shape shape, int step, List<Kernel> functions) {
    return IntStream.range(0, functions.size())
        .filter(i -> functions.get(i).isOf(shape.sites().get(step)))
        .boxed()
        .min(Comparator.comparingInt(i -> functions.get(i).arguments()))
        .orElse(-1);
  }

  private int headWords() {
    return OpenNetworkText.HEAD
        + OpenNetworkText.MOVE * (program.inputs().size() + program.outputs().size());
  }

  private int number(long value) {
    return numbers.computeIfAbsent(value, _ -> firstNumber + numbers.size());
  }

  private void add(long number) {
    words.add(number(number));
  }

  private void head(int word, long number) {
    words.set(word, number(number));
  }

  private void step(Shape shape, int index, Kernel function, int number) {
    ProgramText.Entry entry = shape.entries().get(index);
    Launch.Items items = items(entry.kernel().work());
    launches.add(
        new Launch(OpenNetworkText.KERNEL, List.of(number(words.size()), place), together(items)));
    names.add(function.name());
    add(number);
    add(items.count().constant());
    add(items.count().perBatch());
    add(items.tile());
    add(items.times());
    add(each(items));
    add(Math.max(1, items.grain()));
    List<Long> arguments = function.arguments(shape.sites().get(index));
    add(OpenNetworkText.STEP + entry.text().offsets().size() + arguments.size());
    words.addAll(entry.text().offsets());
    arguments.forEach(this::add);
  }

  private static Launch.Items items(Launch.Work work) {
    return switch (work) {
      case Launch.Items items -> items;
      case Launch.Groups _ ->
          throw new IllegalArgumentException("work items of a whole program are in groups of one");
    };
  }

  /* How many of a step's items one work item takes. */
  private static int each(Launch.Items items) {
    return Math.clamp(items.grain() / SHARES, 1, MOST_ITEMS);
  }

  /* Work items that take several items each, of which the last may find none. */
  private static Launch.Items together(Launch.Items items) {
    int each = each(items);
    Affine all = items.count().plus(Affine.of(items.tile() - 1L)).times(items.times());
    int grain = Math.ceilDiv(items.grain(), each);
    return each == 1
        ? items
        : new Launch.Items(all, Math.multiplyExact(items.tile(), each), 1, grain);
  }

  /* Which positions a row has, by step. */
  private void failures() {
    List<FailurePoint> points = program.failurePoints();
    head(OpenNetworkText.END, words.size());
    head(OpenNetworkText.FAILURES, points.size());
    for (FailurePoint point : points) {
      add(point.step());
      add(point.positionsPerRow());
    }
  }

  /// The launches over a program's code.
  Generated generated(ProgramCode code, Optional<RowPiece> piece) {
    Optional<RowLaunch> rows = piece.filter(_ -> program.failsByRow()).map(this::rows);
    SharedLaunch shared = shared();
    Network network =
        new Network(
            OpenNetworkText.KERNEL,
            names,
            new Network.Table(place, words),
            rows,
            Optional.of(shared));
    return new Generated(code, launches, steps, values(), Optional.of(network));
  }

  private SharedLaunch shared() {
    int stride = SharedSteps.stride(launches.size());
    words.set(OpenNetworkText.COUNTERS, counters);
    words.set(OpenNetworkText.WORKERS, workers);
    head(OpenNetworkText.STRIDE, stride);
    return new SharedLaunch(
        OpenNetworkText.KERNEL,
        List.of(number(OpenNetworkText.SHARED), place),
        counters,
        workers,
        (long) stride * Integer.BYTES);
  }

  private RowLaunch rows(RowPiece piece) {
    head(OpenNetworkText.ROWS, piece.rows());
    head(OpenNetworkText.LANE_BYTES, RowArena.laneBytes(piece.placement(), piece.slotBytes()));
    words.set(OpenNetworkText.LANES, places.lanes());
    words.set(OpenNetworkText.TICKET, places.ticket());
    words.set(OpenNetworkText.SLOTS, places.slots());
    moves(piece);
    return new RowLaunch(
        piece, OpenNetworkText.KERNEL, List.of(number(OpenNetworkText.BY_ROWS), place), places);
  }

  private void moves(RowPiece piece) {
    List<Array> inputs = program.inputs();
    List<Array> outputs = program.outputs();
    for (int i = 0; i < inputs.size(); i++) {
      move(i, places.inputs().get(i), number(inLane(piece, inputs.get(i))), inputs.get(i));
    }
    for (int i = 0; i < outputs.size(); i++) {
      int from = number(inLane(piece, outputs.get(i)));
      move(inputs.size() + i, from, places.outputs().get(i), outputs.get(i));
    }
  }

  private void move(int index, int from, int to, Array array) {
    int at = OpenNetworkText.HEAD + OpenNetworkText.MOVE * index;
    words.set(at, from);
    words.set(at + 1, to);
    words.set(at + 2, number(RowArena.bytes(array).perBatch()));
  }

  private static long inLane(RowPiece piece, Array array) {
    return piece.offsetBytes(array.block()) + array.offsetBytes().asConstant();
  }

  /* Of entries behind those of the program: places, which an arena decides, and numbers. */
  private List<Long> values() {
    List<Long> values = new ArrayList<>();
    IntStream.range(place, firstNumber).forEach(_ -> values.add(0L));
    values.addAll(numbers.keySet());
    return values;
  }
}
