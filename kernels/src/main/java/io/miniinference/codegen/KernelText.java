package io.miniinference.codegen;

import io.miniinference.codegen.open.OpenStock;
import io.miniinference.device.Launch;
import io.miniinference.lower.LoweredStep;
import io.miniinference.plan.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// The text of one kernel under construction: its body, and the offsets that it takes. Kernels of
/// equal [#body] and argument count are the same kernel; the name is given when they are gathered.
public final class KernelText {
  /// Where an array is that a kernel of several steps keeps out of the pool.
  ///
  /// @param space the word for the memory it is in
  /// @param address text of where its block begins
  public record Place(String space, String address) {}

  private final List<Integer> offsets;
  private final Function<Array, Optional<Place>> places;
  private final StringBuilder guards = new StringBuilder();
  private final StringBuilder declarations = new StringBuilder();
  private final StringBuilder statements = new StringBuilder();

  /// The statements when they were last asked for: they only ever grow.
  private String asked = "";

  private Supplier<String> head = () -> "";
  private int group = 1;

  public KernelText() {
    this(new ArrayList<>(), _ -> Optional.empty());
  }

  private KernelText(List<Integer> offsets, Function<Array, Optional<Place>> places) {
    this.offsets = offsets;
    this.places = places;
  }

  /// The text of one of several steps that this kernel computes, whose statements it is to take. It
  /// adds to the arguments of this one.
  ///
  /// @param elsewhere where arrays are that are not in their blocks of the pool
  public KernelText part(Function<Array, Optional<Place>> elsewhere) {
    return new KernelText(offsets, elsewhere);
  }

  /// Declares a typed pointer to the start of the array's block and returns its name.
  public String pointer(String name, CType stored, Array array, boolean written) {
    Place place = places.apply(array).orElseGet(() -> new Place("@global", block(array)));
    String type = place.space + (written ? " " : " const ") + stored.stored() + "*";
    declarations.append("  %s %s = (%s)(%s);\n".formatted(type, name, type, place.address));
    return name;
  }

  /// Text of where the block of an array in the pool begins.
  public String block(Array array) {
    return "pool + o" + argument(array.block().id());
  }

  /// Declares a byte pointer to the block with that id (failure slots, scratch).
  public String bytes(String name, int block) {
    declarations.append("  @global uchar* %s = pool + o%d;\n".formatted(name, argument(block)));
    return name;
  }

  /// Declares a pointer to what is of a type of the kernel's own in the block with that id.
  public String entries(String name, String type, int block) {
    String pointer = "@global " + type + "*";
    declarations.append(
        "  %s %s = (%s)(pool + o%d);\n".formatted(pointer, name, pointer, argument(block)));
    return name;
  }

  /* Declares a number that the launch passes in place of an offset. */
  private void number(String name, int entry) {
    declarations.append("  const long %s = (long)o%d;\n".formatted(name, argument(entry)));
  }

  /// Adds what a step needs because of the branches and loops around it.
  ///
  /// @param clock entry of the binding that tells when the kernel runs
  public void surround(LoweredStep step, int clock) {
    step.guards().forEach(this::guard);
    if (step.failure() != null && step.failure().timed()) {
      number(FailureText.CLOCK, clock);
    }
  }

  /* The kernel does nothing unless a truth value of the device is as wanted. All work items see the
  same value, so that none is left waiting at a barrier. */
  private void guard(LoweredStep.Guard guard) {
    Array condition = guard.condition();
    String place = "o" + argument(condition.block().id());
    String first = IndexText.affine(condition.index().offset());
    guards.append(
        "  if ((pool[%s + %s] != 0) != %d) return;\n"
            .formatted(place, first, guard.wanted() ? 1 : 0));
  }

  private int argument(int block) {
    int known = offsets.indexOf(block);
    if (known >= 0) {
      return known;
    }
    offsets.add(block);
    return offsets.size() - 1;
  }

  /// The same text with other blocks in place of its own.
  public KernelText over(IntUnaryOperator blocks) {
    KernelText other = new KernelText();
    offsets.forEach(block -> other.offsets.add(blocks.applyAsInt(block)));
    other.guards.append(guards);
    other.declarations.append(declarations);
    other.statements.append(statements);
    other.asked = statements();
    other.head = head;
    other.group = group;
    return other;
  }

  /// Work items of a work-group, all in dimension 0; 1 unless it is said.
  public KernelText group(int items) {
    group = items;
    return this;
  }

  /// What a reader should know ahead of the kernel: what a work item owns, which layout it reads
  /// and why that is fast, with a drawing of its tile where it has one. No part of what makes two
  /// kernels the same.
  public KernelText head(String text) {
    return head(() -> text);
  }

  /// As above, asked for where the kernel is built: most texts of a model with open sizes are only
  /// compared with what is there.
  public KernelText head(Supplier<String> text) {
    head = text;
    return this;
  }

  /// Adds statements, if there are any.
  public KernelText line(String text) {
    for (int from = 0; from < text.length(); ) {
      int end = text.indexOf('\n', from);
      int behind = end < 0 ? text.length() : end;
      statements.append("  ").append(text, from, behind).append('\n');
      from = behind + 1;
    }
    return this;
  }

  /// Adds what a template says.
  public KernelText add(Template.Filling template) {
    return line(template.text());
  }

  public List<Integer> offsets() {
    return List.copyOf(offsets);
  }

  /// All of the kernel but its name and head.
  public String body() {
    return group + "|" + statements();
  }

  /// Its statements, in which numbers may be open.
  public String statements() {
    int length = guards.length() + declarations.length() + statements.length();
    if (asked.length() != length) {
      asked = guards.toString() + declarations + statements;
    }
    return asked;
  }

  /// Work items of a work-group.
  public int group() {
    return group;
  }

  /// The comment ahead of the kernel, empty if there is none.
  public String head() {
    return head.get()
        .lines()
        .map(line -> ("// " + line).stripTrailing() + "\n")
        .collect(Collectors.joining());
  }

  /// The kernel function under a name, in a dialect.
  public String function(String name, Dialect dialect) {
    return function(name, dialect, offsets.size(), statements());
  }

  /// The kernel function for all shapes of a model, which takes further numbers after the offsets.
  public String function(OpenStock.Kernel open, Dialect dialect) {
    int all = offsets.size() + open.arguments();
    return function(open.name(), dialect, all, open.statements(offsets.size()));
  }

  /// Its statements as a function of one work item, `first`, of work-groups of one.
  public String step(String name, Dialect dialect) {
    return step(name, dialect, offsets.size(), statements());
  }

  /// As above for all shapes of a model, which takes further numbers after the offsets.
  public String step(OpenStock.Kernel open, Dialect dialect) {
    int all = offsets.size() + open.arguments();
    return step(open.name(), dialect, all, open.statements(offsets.size()));
  }

  private static String step(String name, Dialect dialect, int arguments, String statements) {
    StringBuilder text = new StringBuilder("@outlined void ").append(name);
    text.append("(@global uchar* pool, const int n, const long first");
    for (int i = 0; i < arguments; i++) {
      text.append(", const ulong o").append(i);
    }
    text.append(") {\n").append(statements.replace("@globalId", "0")).append("}\n");
    return Speller.spell(text.toString(), dialect);
  }

  private String function(String name, Dialect dialect, int arguments, String statements) {
    String body = " {\n  if (n < 0) return;\n" + ended(statements) + "}\n";
    return dialect.kernel(name, group, arguments) + Speller.spell(body, dialect);
  }

  private static String ended(String statements) {
    int barrier = statements.indexOf("@barrier");
    if (barrier < 0) {
      return statements;
    }
    if (statements.indexOf("return;", barrier) > 0) {
      throw new IllegalStateException("behind a barrier, all work items go on to the kernel's end");
    }
    return statements + "  @groupEnd\n";
  }

  /// A kernel with its work.
  public record Written(KernelText text, Launch.Work work) {}
}
