package io.miniinference.codegen.program;

import io.miniinference.codegen.Dialect;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Speller;
import io.miniinference.codegen.Template;
import io.miniinference.device.Launch;
import io.miniinference.layout.Affine;
import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.Network;
import io.miniinference.lower.RowLaunch;
import io.miniinference.lower.RowPiece;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.planner.RowArena;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// A whole program as one kernel: each step is a function of one work item, and the kernel runs all
/// items of a step, then those of the next. It does so for a lane, which takes rows of the batch,
/// piece after piece, and keeps their values in an arena of its own, in a core's cache; or for one
/// step, as one work item of a launch of that step alone.
///
/// Each step is in it once, whichever way it is launched, and the driver compiles it once. Offsets
/// come in a table in memory, since a launch costs the more the more arguments it takes.
final class RowText {
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
          const int all = step == $steps;
          const ulong lane = $lanes + (ulong)item * ${laneBytes}UL;
          long row = 0;
          int m = n;
          while (1) {
            if (all) {
              row = (long)@atomicNext((volatile @global int*)(pool + $ticket)) * $rows;
              if (row >= n) return;
              m = n - row < $rows ? (int)(n - row) : $rows;
              $begin
            }
            const int last = all ? $steps : step + 1;
            for (int s = all ? 0 : step; s < last; s++) {
              switch (s) {
                $cases
              }
            }
            if (!all) return;
            $end
          }
          """);

  private static final Template CASE =
      Template.of(
          "step of a whole program",
          """
          case $number: {
            const long end = all ? items_$number(m) : item + 1;
            for (long i = all ? 0 : item; i < end; i++) {
              $function(pool, m, i$arguments);
            }
            break;
          }
          """);

  private static final Template ITEMS =
      Template.of(
          "work items of a step",
          """
          @function long items_$number(const int n) {
            return ($count + $tile - 1L) / $tile * $times;
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
  private final RowPiece piece;
  private final Dialect dialect;
  private final List<ProgramText.Entry> entries;
  private final boolean canFail;
  private final int tableEntry;
  private final int ticket;
  private final int lanes;
  private final int slots;
  private final List<Integer> inputs;
  private final List<Integer> outputs;

  /// Entries of the binding in the order of the table that the kernel reads.
  private final List<Integer> table = new ArrayList<>();

  /// Functions of steps by their text: steps of equal text share one.
  private final Map<String, String> functions = new LinkedHashMap<>();

  private final StringBuilder source = new StringBuilder();

  RowText(
      LoweredProgram program, RowPiece piece, Dialect dialect, List<ProgramText.Entry> entries) {
    this.program = program;
    this.piece = piece;
    this.dialect = dialect;
    this.entries = entries;
    canFail = !program.failurePoints().isEmpty();
    tableEntry = number(entries.size()) + 1;
    ticket = tableEntry + 1;
    lanes = ticket + 1;
    slots = lanes + 1;
    inputs = entriesOf(program.inputs(), slots + 1);
    outputs = entriesOf(program.outputs(), slots + 1 + inputs.size());
  }

  /* The entry that tells a launch which it is; that of all is one past the last. */
  private int number(int launch) {
    return program.offsets() + launch;
  }

  private static List<Integer> entriesOf(List<Array> arrays, int first) {
    return IntStream.range(first, first + arrays.size()).boxed().toList();
  }

  /// The kernel and its launches; nothing where something fails that belongs to no row.
  Optional<Generated> generated() {
    return RowFailures.areOfRows(program.failurePoints())
        ? Optional.of(generated(body()))
        : Optional.empty();
  }

  private String body() {
    return BODY.with("steps", entries.size())
        .with("lanes", argument(lanes))
        .with("laneBytes", RowArena.laneBytes(piece.placement(), piece.slotBytes()))
        .with("ticket", argument(ticket))
        .with("rows", piece.rows())
        .with("begin", begin())
        .with("cases", cases())
        .with("end", end())
        .text();
  }

  private Generated generated(String body) {
    StringBuilder shared = new StringBuilder(COPY_FUNCTION.text()).append('\n');
    if (canFail) {
      shared.append(RowFailures.functions(program.failurePoints()));
    }
    String network = dialect.kernel(KERNEL, 1, 2) + " {\n" + body + "\n}\n";
    String all = Speller.spell(shared.append(source).append(network).toString(), dialect);
    ProgramSource code = new ProgramSource(program.graph().name(), dialect);
    code.add(KERNEL, "", all, 2);
    List<String> steps =
        entries.stream().map(entry -> function(entry.text(), entry.hint())).toList();
    return new Generated(
        code.code(),
        launches(),
        entries.stream().map(entry -> entry.step().number()).toList(),
        numbers(),
        Optional.of(
            new Network(KERNEL, steps, new Network.Table(tableEntry, table), Optional.of(rows()))));
  }

  private RowLaunch rows() {
    RowLaunch.Places places = new RowLaunch.Places(ticket, lanes, slots, inputs, outputs);
    return new RowLaunch(piece, KERNEL, List.of(number(entries.size()), tableEntry), places);
  }

  private List<Launch> launches() {
    List<Launch> launches = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      List<Integer> offsets = List.of(number(i), tableEntry);
      launches.add(new Launch(KERNEL, offsets, entries.get(i).kernel().work()));
    }
    return launches;
  }

  /* What the further entries of a binding are where launches go step by step. */
  private List<Long> numbers() {
    List<Long> numbers = new ArrayList<>();
    IntStream.rangeClosed(0, entries.size()).forEach(i -> numbers.add((long) i));
    int others = 4 + inputs.size() + outputs.size();
    IntStream.range(0, others).forEach(_ -> numbers.add(0L));
    return numbers;
  }

  private String argument(int entry) {
    int known = table.indexOf(entry);
    if (known < 0) {
      table.add(entry);
    }
    return "t[" + (known < 0 ? table.size() - 1 : known) + "]";
  }

  private String begin() {
    StringBuilder text = new StringBuilder(canFail ? RowFailures.clear("lane") + "\n" : "");
    for (int i = 0; i < inputs.size(); i++) {
      Array array = program.inputs().get(i);
      text.append(copy(array, staged(array, inputs.get(i)), inLane(array)));
    }
    return text.toString();
  }

  private String end() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < outputs.size(); i++) {
      Array array = program.outputs().get(i);
      text.append(copy(array, inLane(array), staged(array, outputs.get(i))));
    }
    return canFail ? text + RowFailures.handOn("lane", argument(slots)) : text.toString();
  }

  private static String copy(Array array, String from, String to) {
    long bytes = RowArena.bytes(array).perBatch();
    return COPY.with("from", from).with("to", to).with("bytes", bytes).text() + "\n";
  }

  private String staged(Array array, int entry) {
    return argument(entry) + " + row * " + RowArena.bytes(array).perBatch() + "L";
  }

  private String inLane(Array array) {
    long offset = piece.offsetBytes(array.block()) + array.offsetBytes().asConstant();
    return "lane + " + offset + "UL";
  }

  private String cases() {
    StringBuilder cases = new StringBuilder();
    for (int i = 0; i < entries.size(); i++) {
      KernelText text = entries.get(i).text();
      source.append(items(i, entries.get(i).kernel().work())).append('\n');
      cases
          .append(
              CASE.with("number", i)
                  .with("function", function(text, entries.get(i).hint()))
                  .with("arguments", arguments(text))
                  .text())
          .append('\n');
    }
    return cases.toString();
  }

  private static String items(int number, Launch.Work work) {
    return switch (work) {
      case Launch.Items(Affine count, int tile, long times, _, _) ->
          ITEMS
              .with("number", number)
              .with("count", IndexText.affine(count))
              .with("tile", tile)
              .with("times", times)
              .text();
      case Launch.Groups _ ->
          throw new IllegalArgumentException("work items of a whole program are in groups of one");
    };
  }

  private String function(KernelText text, String hint) {
    String known = functions.get(text.body());
    if (known != null) {
      return known;
    }
    String name = "step_" + functions.size() + "_" + hint;
    functions.put(text.body(), name);
    source.append(text.step(name, dialect)).append('\n');
    return name;
  }

  private String arguments(KernelText text) {
    StringBuilder all = new StringBuilder();
    text.offsets().forEach(entry -> all.append(", ").append(place(entry)));
    return all.toString();
  }

  /* In a lane's arena what is planned is elsewhere. */
  private String place(int entry) {
    String argument = argument(entry);
    List<Block> blocks = program.plan().blocks();
    if (entry == program.failureSlotsId()) {
      return "all ? lane : " + argument;
    }
    return entry < blocks.size() && blocks.get(entry).isPlanned()
        ? "all ? lane + " + piece.offsetBytes(blocks.get(entry)) + "UL : " + argument
        : argument;
  }
}
