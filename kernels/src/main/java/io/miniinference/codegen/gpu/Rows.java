package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.RowOperand;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.Decoding;
import io.miniinference.codegen.gpu.tile.MemoryOrder;
import io.miniinference.device.Launch;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import java.util.List;
import java.util.stream.IntStream;

/// Rows of an array: what some axes span at fixed other axes. A long row is a work-group's, whose
/// items take every `local`-th element and combine what they found in local memory; a short one is
/// one work item's.
///
/// @param index the array that is walked
/// @param inner axes inside a row
/// @param prefix of the names of the coordinates inside a row
/// @param local work items per row, 1 for one work item
record Rows(IndexFunction index, List<Integer> inner, String prefix, int local)
    implements RowOperand.Walk {
  /// Elements from which on a row is worth a work-group.
  private static final long LONG_ROW = 48;

  /// Elements from which on it is, even if neighbours in the row are not neighbours in memory.
  private static final long VERY_LONG_ROW = 1024;

  /// The same where a request has few rows, whose own work items would leave most of a device idle.
  private static final long LONG_OF_FEW = 128;

  private static final long FEW_ROWS = 1024;

  /// Work items of a group whose rows are of any length from [#LONG_ROW] on, never shorter than it.
  private static final int LOCAL_OF_OPEN = 32;

  /// @param index the array that is walked
  /// @param inner axes inside a row
  /// @param prefix of the names of the coordinates inside a row
  static Rows of(IndexFunction index, List<Integer> inner, String prefix) {
    return new Rows(index, inner, prefix, local(index, inner));
  }

  private static int local(IndexFunction index, List<Integer> inner) {
    Affine length = length(index, inner);
    if (length.isOpen()) {
      return length.constant() < LONG_ROW ? 1 : LOCAL_OF_OPEN;
    }
    long expected = length.isConstant() ? length.constant() : Math.max(LONG_ROW, length.at(16));
    boolean dense = inner.stream().anyMatch(axis -> index.axes().get(axis).stride().isSingle());
    if (expected < (dense ? LONG_ROW : isFew(index, inner) ? LONG_OF_FEW : VERY_LONG_ROW)) {
      return 1;
    }
    return expected <= 256 ? 32 : expected <= 2048 ? 128 : 256;
  }

  private static boolean isFew(IndexFunction index, List<Integer> inner) {
    Affine rows = length(index, outer(index, inner));
    return !rows.isOpen() && rows.at(1) <= FEW_ROWS;
  }

  private static Affine length(IndexFunction index, List<Integer> inner) {
    return inner.stream()
        .map(axis -> index.axes().get(axis).extent())
        .reduce(Affine.ONE, Affine::times);
  }

  @Override
  public boolean loadsAhead() {
    return true;
  }

  boolean isGrouped() {
    return local > 1;
  }

  /// Work items of a work-group.
  int groupSize() {
    return isGrouped() ? local : Elements.LOCAL;
  }

  /// Text of the number of elements of a row.
  String length() {
    return IndexText.affine(length(index, inner));
  }

  private Decoding outer() {
    List<Integer> axes = outer(index, inner);
    return Decoding.of(index.shape(), MemoryOrder.axes(index, axes));
  }

  private static List<Integer> outer(IndexFunction index, List<Integer> inner) {
    return IntStream.range(0, index.rank()).boxed().filter(axis -> !inner.contains(axis)).toList();
  }

  private static final String GROUPED =
      """
      A work-group of %1$d work items owns a row; work item t takes its elements t, t + %1$d, ... and so reads memory
      beside that of its neighbours. What they find is combined in local memory, halving their number at each barrier.
      """;

  private static final String ALONE =
      """
      A work item owns a row; neighbouring work items have neighbouring rows in the order of memory.
      """;

  /// What a work item owns, for readers.
  String about() {
    return isGrouped() ? GROUPED.formatted(local) : ALONE;
  }

  private static final Template GROUP =
      Template.of(
          "row of a work-group",
          """
          const long item = (long)first + @groupId(0);
          const int t = @localId;
          $coordinates
          """);

  /// Statements that declare the coordinates outside the row.
  String item() {
    return isGrouped()
        ? GROUP.with("coordinates", outer().declarations("item")).text()
        : Elements.item(outer());
  }

  private static final Template LOOP =
      Template.of(
          "loop over a row",
          """
          for (long e = $start; e < $length; $step) {
            $coordinates
            $body
          }
          """);

  /// `body` in the loop over the work item's part of the row, with the coordinates inside it.
  @Override
  public String row(String body) {
    return LOOP.with("start", isGrouped() ? "t" : "0")
        .with("length", length())
        .with("step", isGrouped() ? "e += " + local : "e++")
        .with("coordinates", insideRow().declarations("e"))
        .with("body", body)
        .text();
  }

  private Decoding insideRow() {
    return new Decoding(
        MemoryOrder.axes(index, inner).stream()
            .map(axis -> new Decoding.Coordinate(prefix + axis, index.axes().get(axis).extent()))
            .toList());
  }

  /// The logical coordinates of the element of the loop.
  @Override
  public List<Coordinate> coordinates() {
    return IntStream.range(0, index.rank())
        .mapToObj(axis -> {
          boolean single = index.axes().get(axis).extent().isSingle();
          String name = (inner.contains(axis) ? prefix : "i") + axis;
          return single ? Coordinate.ZERO : Coordinate.of(name);
        })
        .toList();
  }

  private static final Template COMBINE =
      Template.of(
          "combination of a work-group",
          """
          @shared $type shared_$variable[$local];
          shared_$variable[t] = $variable;
          @barrier;
          for (int half_row = $half; half_row > 0; half_row >>= 1) {
            if (t < half_row) {
              $type mine = shared_$variable[t];
              const $type theirs = shared_$variable[t + half_row];
              $combine
              shared_$variable[t] = mine;
            }
            @barrier;
          }
          $variable = shared_$variable[0];
          """);

  /// Statements that make `variable` what `combine` makes of that variable of all work items of the
  /// row; none if that is one work item.
  ///
  /// @param type C type of the variable
  /// @param combine statement that takes `theirs` into `mine`, both of that type
  String combine(String type, String variable, String combine) {
    return isGrouped()
        ? COMBINE
            .with("type", type)
            .with("variable", variable)
            .with("local", local)
            .with("half", local / 2)
            .with("combine", combine)
            .text()
        : "";
  }

  private static final Template BY_ONE =
      Template.of(
          "statement of one work item",
          """
          if (t == 0) {
            $body
          }
          """);

  /// `body`, by one work item of the row.
  String byOne(Object body) {
    return isGrouped() ? BY_ONE.with("body", body).text() : body.toString();
  }

  Launch.Groups work() {
    Affine rows = outer().count();
    return isGrouped()
        ? new Launch.Groups(List.of(new Launch.Extent(rows.times(local), local, local)))
        : Elements.items(rows);
  }
}
