package io.miniinference.codegen.program;

import io.miniinference.codegen.Dialect;
import io.miniinference.codegen.KernelText;
import io.miniinference.device.Launch;
import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.RowPiece;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// Gathers kernels into one program: equal kernels once, since each variant costs build time (and
/// past 128 of them PoCL reloads one at every launch).
public final class ProgramText {
  private final String name;
  private final Dialect dialect;
  private final List<Entry> entries = new ArrayList<>();
  private final List<Supplier<List<Entry>>> spares = new ArrayList<>();
  private final AlikeSteps steps;

  /// @param steps what was written of this program and others by the same writer
  public ProgramText(String name, Dialect dialect, AlikeSteps steps) {
    this.name = name;
    this.dialect = dialect;
    this.steps = steps;
  }

  /// A kernel of a step.
  record Entry(LoweredStep step, KernelText.Written kernel) {
    KernelText text() {
      return kernel.text();
    }

    /// What the kernel's name begins with.
    String hint() {
      return step.node().onnxOp().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
    }
  }

  /// Adds the launches of a step, one after the other.
  ///
  /// @param writer writes the kernels of a step
  /// @param clock entry of the binding that tells when a kernel runs
  public void add(
      LoweredStep step, Function<LoweredStep, List<KernelText.Written>> writer, int clock) {
    entries.addAll(entries(step, steps.kernels(step, writer), clock));
  }

  /// Adds kernels of a step that it takes in other shapes of the model, and that this one does not
  /// launch. They are written when kernels are built.
  ///
  /// @param writer writes them
  /// @param clock entry of the binding that tells when a kernel runs
  public void addSpares(
      LoweredStep step, Function<LoweredStep, List<KernelText.Written>> writer, int clock) {
    spares.add(() -> entries(step, writer.apply(step), clock));
  }

  private static List<Entry> entries(
      LoweredStep step, List<KernelText.Written> kernels, int clock) {
    kernels.forEach(kernel -> kernel.text().surround(step, clock));
    return kernels.stream().map(kernel -> new Entry(step, kernel)).toList();
  }

  /// The kernels in the order of their launches.
  List<Entry> entries() {
    return entries;
  }

  /// The kernels that only other shapes launch.
  List<Entry> spares() {
    return spares.stream().flatMap(it -> it.get().stream()).toList();
  }

  /// Per launch the number of its step.
  List<Integer> steps() {
    return entries.stream().map(entry -> entry.step().number()).toList();
  }

  /// All steps of a straight program in one kernel, which workers share, or which takes rows of a
  /// batch through them.
  public Generated generatedNetwork(LoweredProgram program, Optional<RowPiece> piece) {
    return new NetworkText(program, piece, dialect, entries).generated();
  }

  /// How many launches there are.
  public int size() {
    return entries.size();
  }

  public Generated generated() {
    ProgramSource source = new ProgramSource(name, dialect);
    Map<String, String> names = new LinkedHashMap<>();
    List<Launch> launches = new ArrayList<>();
    for (Entry entry : entries) {
      KernelText text = entry.text();
      String kernel = names.get(text.body());
      if (kernel == null) {
        kernel = entry.hint() + "_" + names.size();
        names.put(text.body(), kernel);
        source.add(kernel, text.head(), text.function(kernel, dialect), text.offsets().size());
      }
      launches.add(new Launch(kernel, text.offsets(), entry.kernel().work()));
    }
    return new Generated(source.code(), launches, steps());
  }
}
