package io.miniinference.codegen.program;

import io.miniinference.codegen.Dialect;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.device.Launch;
import io.miniinference.lower.Network;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/// The steps of a whole program as functions of one work item each, and the table in memory that
/// tells what they work on, since a launch costs the more the more arguments it takes.
final class NetworkSteps {
  private static final Template CASE =
      Template.of(
          "step of a whole program",
          """
          case $number: {
            for (long i = begin; i < end; i++) {
              $function(pool, m, i$arguments);
            }
            break;
          }
          """);

  private static final Template COUNT =
      Template.of(
          "work items of a step",
          "case $number: *grain = $grain; return ($count + $tile - 1L) / $tile * $times;");

  private static final Template COUNTS =
      Template.of(
          "work items of steps",
          """
          @outlined long items_of(const int s, const int n, int* grain) {
            switch (s) {
              $cases
            }
            return 0;
          }
          """);

  private final Dialect dialect;
  private final List<ProgramText.Entry> entries;

  /// Entries of the binding in the order of the table that the kernel reads.
  private final List<Integer> table = new ArrayList<>();

  /// Functions of steps by their text: steps of equal text share one.
  private final Map<String, String> functions = new LinkedHashMap<>();

  private final StringBuilder source = new StringBuilder();

  NetworkSteps(Dialect dialect, List<ProgramText.Entry> entries) {
    this.dialect = dialect;
    this.entries = entries;
  }

  int count() {
    return entries.size();
  }

  /// Where the kernel reads the value of an entry of the binding.
  String argument(int entry) {
    int known = table.indexOf(entry);
    if (known < 0) {
      table.add(entry);
    }
    return "t[" + (known < 0 ? table.size() - 1 : known) + "]";
  }

  /// The table of all arguments that were asked for.
  Network.Table table(int place) {
    return new Network.Table(place, table);
  }

  /// What runs the work items from `begin` to `end` of step `s`.
  ///
  /// @param place what stands for an entry of the binding
  String cases(IntFunction<String> place) {
    StringBuilder cases = new StringBuilder();
    for (int i = 0; i < entries.size(); i++) {
      KernelText text = entries.get(i).text();
      StringBuilder arguments = new StringBuilder();
      text.offsets().forEach(entry -> arguments.append(", ").append(place.apply(entry)));
      cases
          .append(
              CASE.with("number", i)
                  .with("function", function(text, entries.get(i).hint()))
                  .with("arguments", arguments)
                  .text())
          .append('\n');
    }
    return cases.toString();
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

  /// The functions that the cases call, and `items_of`, which tells how many work items a step has.
  String functions() {
    StringBuilder counts = new StringBuilder();
    for (int i = 0; i < entries.size(); i++) {
      counts.append(count(i, items(entries.get(i)))).append('\n');
    }
    return source + COUNTS.with("cases", counts).text() + "\n";
  }

  private static String count(int number, Launch.Items items) {
    return COUNT
        .with("number", number)
        .with("grain", Math.max(1, items.grain()))
        .with("count", IndexText.affine(items.count()))
        .with("tile", items.tile())
        .with("times", items.times())
        .text();
  }

  private static Launch.Items items(ProgramText.Entry entry) {
    return switch (entry.kernel().work()) {
      case Launch.Items items -> items;
      case Launch.Groups _ ->
          throw new IllegalArgumentException("work items of a whole program are in groups of one");
    };
  }

  /// What a step's function is called.
  List<String> names() {
    return entries.stream().map(entry -> function(entry.text(), entry.hint())).toList();
  }

  /// Per launch the number of its step.
  List<Integer> numbers() {
    return entries.stream().map(entry -> entry.step().number()).toList();
  }

  /// A launch of each step alone, as the kernel `kernel`.
  ///
  /// @param number the entry of the binding that says which step
  /// @param place the entry that tells where the table is
  List<Launch> launches(String kernel, IntFunction<Integer> number, int place) {
    List<Launch> launches = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      launches.add(
          new Launch(kernel, List.of(number.apply(i), place), entries.get(i).kernel().work()));
    }
    return launches;
  }
}
