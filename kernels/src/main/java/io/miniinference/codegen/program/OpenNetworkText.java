package io.miniinference.codegen.program;

import io.miniinference.codegen.Dialect;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Speller;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.open.OpenStock.Kernel;
import io.miniinference.lower.LoweredProgram;

/// All kernels of a model with open sizes as one: each is a function of one work item, and which of
/// them to call, how often and with what is in a table ([OpenTable]). It is launched in the three
/// ways of [NetworkText], where sizes are fixed: a work item takes some items of one step; or it
/// shares the items of each step that the table lists with the other workers ([SharedSteps]); or it
/// takes rows of the batch through all steps, piece after piece, in an arena of its own.
///
/// What the table has of planned values are places in the pool, or in the arena of a lane
/// ([io.miniinference.lower.RowLaunch#IN_LANE]).
final class OpenNetworkText {
  /// The kernel's name.
  static final String KERNEL = "network";

  /// It takes a step's place in the table, or one of the next two, and where the table is.
  static final int ARGUMENTS = 2;

  /// In place of a step's: rows go through all steps.
  static final int BY_ROWS = 0;

  /// In place of a step's: workers share all steps.
  static final int SHARED = 1;

  /// Words of the table's head.
  static final int ROWS = 0;

  static final int LANES = 1;
  static final int LANE_BYTES = 2;
  static final int TICKET = 3;
  static final int SLOTS = 4;

  /// Where the steps end, and what can fail begins.
  static final int END = 5;

  /// How many steps can fail.
  static final int FAILURES = 6;

  /// Where the counters of shared steps are, and how many each worker has.
  static final int COUNTERS = 7;

  static final int STRIDE = 8;

  /// How many workers share steps.
  static final int WORKERS = 9;

  /// Words ahead of the inputs.
  static final int HEAD = 10;

  /// Words of an input or output.
  static final int MOVE = 3;

  /// Words of a step ahead of its arguments: the function, how many items it has (four words), how
  /// many of them a work item of its own launch takes, how many are worth a worker's while, and the
  /// words of the step.
  static final int STEP = 8;

  private static final Template BODY =
      Template.of(
          "any program",
          """
          if (n < 0) return;
          const long item = (long)@globalId + first;
          @global const ulong* t = (@global const ulong*)(pool + o1);
          const int all = o0 == $byRows;
          const int isShared = o0 == $isShared;
          volatile @global int* counters = (volatile @global int*)(pool + t[$counters]);
          const ulong lane = t[$lanes] + (ulong)item * t[$laneBytes];
          long row = 0;
          int m = n;
          while (1) {
            if (all) {
              const int rows = (int)t[$rows];
              row = (long)@atomicNext((volatile @global int*)(pool + t[$ticket])) * rows;
              if (row >= n) return;
              m = n - row < rows ? (int)(n - row) : rows;
              if (t[$failures]) {
                $clear
              }
              for (int i = 0; i < $inputs; i++) {
                @global const ulong* move = t + $firstInput + i * $move;
                copy_rows(pool + move[0] + row * move[2], pool + lane + move[1], m * move[2]);
              }
            }
            @global const ulong* s = t + (all || isShared ? $firstStep : o0);
            @global const ulong* last = all || isShared ? t + t[$end] : s + 1;
            for (; s < last; s += s[7], counters++) {
              const long items = items_of(s, m);
              long begin = all ? 0 : item * (long)s[5];
              long end = all ? items : min(items, begin + (long)s[5]);
              long own = 0;
              int tried = 0;
              while (1) {
                if (isShared) {
                  begin = claim_items(counters, (int)t[$stride], (int)item, (int)t[$workers], items, (int)s[6], &tried, &end);
                  if (begin < 0) break;
                  own += end - begin;
                }
                run_items(pool, m, s, lane, begin, end);
                if (!isShared) break;
              }
              if (isShared) await_items(counters + t[$workers] * t[$stride], (int)items, (int)own);
            }
            if (!all) return;
            for (int i = 0; i < $outputs; i++) {
              @global const ulong* move = t + $firstOutput + i * $move;
              copy_rows(pool + lane + move[0], pool + move[1] + row * move[2], m * move[2]);
            }
            if (t[$failures]) {
              $handOn
            }
          }
          """);

  private static final Template FUNCTIONS =
      Template.of(
          "functions of any program",
          """
          @function long items_of(@global const ulong* s, const int m) {
            return ((long)s[1] + (long)s[2] * m + (long)s[3] - 1) / (long)s[3] * (long)s[4];
          }
          @function ulong place_of(const ulong place, const ulong lane) {
            return (long)place < 0 ? lane + (place << 1 >> 1) : place;
          }
          @outlined long positions_of_row(@global const ulong* t, int step) {
            @global const ulong* point = t + t[$end];
            for (int i = 0; i < (int)t[$failures]; i++)
              if (point[2 * i] == step) return (long)point[2 * i + 1];
            return 0;
          }
          """);

  /* A function of its own: within the loops of the kernel LLVM works on it a fifth longer. */
  private static final Template RUN =
      Template.of(
          "items of a step of any program",
          """
          @outlined void run_items(@global uchar* pool, const int m, @global const ulong* s, const ulong lane, const long begin, const long end) {
            switch ((int)s[0]) {
              $cases
            }
          }
          """);

  private static final Template CASE =
      Template.of(
          "function of any program",
          """
          case $number: {
            $arguments
            for (long i = begin; i < end; i++) $function(pool, m, i$names);
            break;
          }
          """);

  private static final Template PLACE =
      Template.of("place", "const ulong a$index = place_of(s[$word], lane);");

  private static final Template NUMBER = Template.of("number", "const ulong a$index = s[$word];");

  private final Dialect dialect;
  private final int inputs;
  private final int outputs;
  private final StringBuilder functions = new StringBuilder();
  private final StringBuilder cases = new StringBuilder();
  private int number;

  OpenNetworkText(Dialect dialect, LoweredProgram program) {
    this.dialect = dialect;
    inputs = program.inputs().size();
    outputs = program.outputs().size();
  }

  /// Adds a function, which has the next number.
  ///
  /// @param text of one shape
  /// @param open for all shapes
  void add(KernelText text, Kernel open) {
    functions.append(text.step(open, dialect)).append('\n');
    int places = text.offsets().size();
    int all = places + open.arguments();
    StringBuilder arguments = new StringBuilder();
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < all; i++) {
      Template argument = i < places ? PLACE : NUMBER;
      arguments.append(argument.with("index", i).with("word", STEP + i).text()).append('\n');
      names.append(", a").append(i);
    }
    cases
        .append(
            CASE.with("number", number++)
                .with("arguments", arguments)
                .with("function", open.name())
                .with("names", names)
                .text())
        .append('\n');
  }

  /// The kernel, and all functions ahead of it.
  String text() {
    String shared =
        SharedSteps.functions()
            + NetworkText.COPY_FUNCTION.text()
            + "\n"
            + FUNCTIONS.with("end", END).with("failures", FAILURES).text()
            + "\n"
            + RowFailures.handingOn();
    String kernel = dialect.kernel(KERNEL, 1, ARGUMENTS) + " {\n" + body() + "\n}\n";
    String run = RUN.with("cases", cases).text() + "\n";
    return Speller.spell(shared, dialect) + functions + Speller.spell(run + kernel, dialect);
  }

  private String body() {
    int firstOutput = HEAD + MOVE * inputs;
    return BODY.with("byRows", BY_ROWS)
        .with("isShared", SHARED)
        .with("counters", COUNTERS)
        .with("stride", STRIDE)
        .with("workers", WORKERS)
        .with("lanes", LANES)
        .with("laneBytes", LANE_BYTES)
        .with("rows", ROWS)
        .with("ticket", TICKET)
        .with("failures", FAILURES)
        .with("clear", RowFailures.clear("lane"))
        .with("inputs", inputs)
        .with("firstInput", HEAD)
        .with("move", MOVE)
        .with("firstStep", firstOutput + MOVE * outputs)
        .with("end", END)
        .with("outputs", outputs)
        .with("firstOutput", firstOutput)
        .with("handOn", RowFailures.handOn("lane", "t[" + SLOTS + "]"))
        .text();
  }
}
