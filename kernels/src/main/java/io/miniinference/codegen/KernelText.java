package io.miniinference.codegen;

import io.miniinference.device.Launch;
import io.miniinference.lower.LoweredStep;
import io.miniinference.plan.Array;
import java.util.ArrayList;
import java.util.List;

/// The text of one kernel under construction: its body, and the offsets that it takes. Kernels of
/// equal [#body] and argument count are the same kernel; the name is given when they are gathered.
public final class KernelText {
  private final List<Integer> offsets = new ArrayList<>();
  private final StringBuilder guards = new StringBuilder();
  private final StringBuilder declarations = new StringBuilder();
  private final StringBuilder statements = new StringBuilder();
  private String attributes = "";
  private int indent = 1;

  /// Declares a typed pointer to the start of the array's block and returns its name.
  public String pointer(String name, CType type, Array array, boolean written) {
    int argument = argument(array.block().id());
    declarations
        .append("  global ")
        .append(written ? "" : "const ")
        .append(type.stored())
        .append("* ")
        .append(name)
        .append(" = (global ")
        .append(written ? "" : "const ")
        .append(type.stored())
        .append("*)(pool + o")
        .append(argument)
        .append(");\n");
    return name;
  }

  /// Declares a byte pointer to the block with that id (failure slots, scratch).
  public String bytes(String name, int block) {
    declarations
        .append("  global uchar* ")
        .append(name)
        .append(" = pool + o")
        .append(argument(block))
        .append(";\n");
    return name;
  }

  /* Declares a number that the launch passes in place of an offset. */
  private void number(String name, int entry) {
    declarations
        .append("  const long ")
        .append(name)
        .append(" = (long)o")
        .append(argument(entry))
        .append(";\n");
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

  /// Attributes of the kernel function, such as its required work-group size.
  public KernelText attributes(String text) {
    attributes = text;
    return this;
  }

  public KernelText line(String text) {
    for (String line : text.split("\n", -1)) {
      statements.append("  ".repeat(indent)).append(line).append('\n');
    }
    return this;
  }

  /// A line that opens a block.
  public KernelText open(String text) {
    line(text + " {");
    indent++;
    return this;
  }

  public KernelText close() {
    indent--;
    return line("}");
  }

  public List<Integer> offsets() {
    return List.copyOf(offsets);
  }

  /// All of the kernel but its name.
  public String body() {
    return attributes + "|" + guards + declarations + statements;
  }

  /// The kernel function under a name.
  public String function(String name) {
    StringBuilder text = new StringBuilder("kernel ").append(attributes).append(" void ");
    text.append(name).append("(global uchar* pool, const int n, const int first");
    for (int i = 0; i < offsets.size(); i++) {
      text.append(", const ulong o").append(i);
    }
    return text.append(") {\n  if (n < 0) return;\n")
        .append(guards)
        .append(declarations)
        .append(statements)
        .append("}\n")
        .toString();
  }

  /// A kernel with its work.
  public record Written(KernelText text, Launch.Work work) {}
}
