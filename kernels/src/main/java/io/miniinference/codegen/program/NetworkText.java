package io.miniinference.codegen.program;

import io.miniinference.codegen.Dialect;
import io.miniinference.codegen.Speller;
import io.miniinference.codegen.Template;
import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.Network;
import io.miniinference.lower.RowLaunch;
import io.miniinference.lower.RowPiece;
import io.miniinference.lower.SharedLaunch;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.planner.RowArena;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// A whole program as one kernel: each step is a function of one work item ([NetworkSteps]), and
/// the kernel calls it in one of three ways. A launch of one step runs one of its items. A launch
/// of all steps shares the items of each among the workers ([SharedSteps]). And a launch by rows
/// has a lane for each worker, which takes rows of the batch, piece after piece, through all steps,
/// and keeps their values in an arena of its own, in a core's cache.
///
/// Each step is in it once, whichever way it is launched, and the driver compiles it once.
final class NetworkText {
  /// The kernel's name.
  static final String KERNEL = "network";

  private static final Template BODY =
      Template.of(
          "whole program",
          """
          if (n < 0) return;
          const long item = (long)@globalId + first;
          const int step = (int)o0;
          @global const ulong* t = (@global const ulong*)(pool + o1);
          const int isOne = step < $steps;
          const int isShared = step == $shared;
          const int all = step == $rows;
          const int last = isOne ? step + 1 : $steps;
          $lane
          long row = 0;
          int m = n;
          while (1) {
            $begin
            for (int s = isOne ? step : 0; s < last; s++) {
              int grain = 1;
              const long items = isOne ? item + 1 : items_of(s, m, &grain);
              long begin = isOne ? item : 0;
              long end = items;
              long own = 0;
              int tried = 0;
              while (1) {
                if (isShared) {
                  begin = claim_items((volatile @global int*)(pool + $counters) + s, $stride, (int)item, (int)$workers, items, grain, &tried, &end);
                  if (begin < 0) break;
                  own += end - begin;
                }
                switch (s) {
                  $cases
                }
                if (!isShared) break;
              }
              if (isShared) await_items((volatile @global int*)(pool + $counters) + $workers * $stride + s, (int)items, (int)own);
            }
            if (!all) return;
            $end
          }
          """);

  private static final Template LANE =
      Template.of("lane", "const ulong lane = $lanes + (ulong)item * ${laneBytes}UL;");

  private static final Template BEGIN =
      Template.of(
          "next piece",
          """
          if (all) {
            row = (long)@atomicNext((volatile @global int*)(pool + $ticket)) * $rows;
            if (row >= n) return;
            m = n - row < $rows ? (int)(n - row) : $rows;
            $copies
          }
          """);

  static final Template COPY_FUNCTION =
      Template.of(
          "copy of bytes",
          """
          @outlined void copy_rows(@global const uchar* from, @global uchar* to, long bytes) {
            const long vectors = (((ulong)from | (ulong)to) & 3) ? 0 : bytes / 64;
            @global const float* f = (@global const float*)from;
            @global float* t = (@global float*)to;
            for (long i = 0; i < vectors; i++) @store(16, @load(16, i, f), i, t);
            for (long i = vectors * 64; i < bytes; i++) to[i] = from[i];
          }
          """);

  private static final Template COPY =
      Template.of("copy of rows", "copy_rows(pool + $from, pool + $to, m * ${bytes}L);");

  private final LoweredProgram program;
  private final Dialect dialect;
  private final NetworkSteps steps;

  /// What goes by rows; empty where nothing does.
  private final Optional<RowPiece> piece;

  private final boolean canFail;
  private final int tableEntry;
  private final int counters;
  private final int workers;
  private final int ticket;
  private final int lanes;
  private final int slots;
  private final List<Integer> inputs;
  private final List<Integer> outputs;

  NetworkText(
      LoweredProgram program,
      Optional<RowPiece> piece,
      Dialect dialect,
      List<ProgramText.Entry> entries) {
    this.program = program;
    this.piece = piece.filter(_ -> program.failsByRow());
    this.dialect = dialect;
    steps = new NetworkSteps(dialect, entries);
    canFail = !program.failurePoints().isEmpty();
    tableEntry = number(shared()) + 1;
    counters = tableEntry + 1;
    workers = counters + 1;
    ticket = workers + 1;
    lanes = ticket + 1;
    slots = lanes + 1;
    inputs = entriesOf(program.inputs(), slots + 1);
    outputs = entriesOf(program.outputs(), slots + 1 + inputs.size());
  }

  /* The entry that tells a launch which it is. */
  private int number(int launch) {
    return program.offsets() + launch;
  }

  /* The launch by rows comes after those of single steps, and after it the one that shares steps. */
  private int byRows() {
    return steps.count();
  }

  private int shared() {
    return steps.count() + 1;
  }

  private static List<Integer> entriesOf(List<Array> arrays, int first) {
    return IntStream.range(first, first + arrays.size()).boxed().toList();
  }

  /// The kernel and its launches.
  Generated generated() {
    StringBuilder shared = new StringBuilder(SharedSteps.functions());
    if (piece.isPresent()) {
      shared.append(COPY_FUNCTION.text()).append('\n');
      shared.append(canFail ? RowFailures.functions(program.failurePoints()) : "");
    }
    String body = body();
    String network = dialect.kernel(KERNEL, 1, 2) + " {\n" + body + "\n}\n";
    String all =
        Speller.spell(shared.append(steps.functions()).append(network).toString(), dialect);
    ProgramSource code = new ProgramSource(program.graph().name(), dialect);
    code.add(KERNEL, "", all, 2);
    return new Generated(
        code.code(),
        steps.launches(KERNEL, this::number, tableEntry),
        steps.numbers(),
        numbers(),
        Optional.of(network()));
  }

  private String body() {
    String begin = piece.map(this::begin).orElse("");
    String cases = steps.cases(this::place);
    String end = piece.map(this::end).orElse("");
    return BODY.with("steps", steps.count())
        .with("rows", byRows())
        .with("shared", shared())
        .with("lane", piece.map(this::lane).orElse(""))
        .with("begin", begin)
        .with("cases", cases)
        .with("counters", steps.argument(counters))
        .with("workers", steps.argument(workers))
        .with("stride", SharedSteps.stride(steps.count()))
        .with("end", end)
        .text();
  }

  private Network network() {
    long counterBytes = (long) SharedSteps.stride(steps.count()) * Integer.BYTES;
    SharedLaunch shared =
        new SharedLaunch(
            KERNEL, List.of(number(shared()), tableEntry), counters, workers, counterBytes);
    return new Network(
        KERNEL, steps.names(), steps.table(tableEntry), piece.map(this::rows), Optional.of(shared));
  }

  private RowLaunch rows(RowPiece piece) {
    RowLaunch.Places places = new RowLaunch.Places(ticket, lanes, slots, inputs, outputs);
    return new RowLaunch(piece, KERNEL, List.of(number(byRows()), tableEntry), places);
  }

  /* What the further entries of a binding are where launches go step by step. */
  private List<Long> numbers() {
    List<Long> numbers = new ArrayList<>();
    IntStream.rangeClosed(0, shared()).forEach(i -> numbers.add((long) i));
    int others = 6 + inputs.size() + outputs.size();
    IntStream.range(0, others).forEach(_ -> numbers.add(0L));
    return numbers;
  }

  private String lane(RowPiece piece) {
    return LANE.with("lanes", steps.argument(lanes))
        .with("laneBytes", RowArena.laneBytes(piece.placement(), piece.slotBytes()))
        .text();
  }

  private String begin(RowPiece piece) {
    StringBuilder copies = new StringBuilder(canFail ? RowFailures.clear("lane") + "\n" : "");
    for (int i = 0; i < inputs.size(); i++) {
      Array array = program.inputs().get(i);
      copies.append(copy(array, staged(array, inputs.get(i)), inLane(piece, array)));
    }
    return BEGIN
        .with("ticket", steps.argument(ticket))
        .with("rows", piece.rows())
        .with("copies", copies)
        .text();
  }

  private String end(RowPiece piece) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < outputs.size(); i++) {
      Array array = program.outputs().get(i);
      text.append(copy(array, inLane(piece, array), staged(array, outputs.get(i))));
    }
    return canFail ? text + RowFailures.handOn("lane", steps.argument(slots)) : text.toString();
  }

  private static String copy(Array array, String from, String to) {
    long bytes = RowArena.bytes(array).perBatch();
    return COPY.with("from", from).with("to", to).with("bytes", bytes).text() + "\n";
  }

  private String staged(Array array, int entry) {
    return steps.argument(entry) + " + row * " + RowArena.bytes(array).perBatch() + "L";
  }

  private static String inLane(RowPiece piece, Array array) {
    long offset = piece.offsetBytes(array.block()) + array.offsetBytes().asConstant();
    return "lane + " + offset + "UL";
  }

  /* In a lane's arena what is planned is elsewhere. */
  private String place(int entry) {
    String argument = steps.argument(entry);
    return piece.map(it -> place(it, entry, argument)).orElse(argument);
  }

  private String place(RowPiece piece, int entry, String argument) {
    List<Block> blocks = program.plan().blocks();
    if (entry == program.failureSlotsId()) {
      return "all ? lane : " + argument;
    }
    return entry < blocks.size() && blocks.get(entry).isPlanned()
        ? "all ? lane + " + piece.offsetBytes(blocks.get(entry)) + "UL : " + argument
        : argument;
  }
}
