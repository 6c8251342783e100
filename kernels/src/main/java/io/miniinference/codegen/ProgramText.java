package io.miniinference.codegen;

import io.miniinference.device.Launch;
import io.miniinference.device.ProgramCode;
import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Gathers kernels into one program: equal kernels once, since each variant costs build time (and
/// past 128 of them PoCL reloads one at every launch).
public final class ProgramText {
  private final String name;
  private final Map<String, String> names = new LinkedHashMap<>();
  private final List<ProgramCode.KernelCode> kernels = new ArrayList<>();
  private final List<Launch> launches = new ArrayList<>();
  private final Dialect dialect;
  private final List<Integer> steps = new ArrayList<>();

  /* The same functions with what is said ahead of them, and without. */
  private final StringBuilder functions = new StringBuilder();
  private final StringBuilder code = new StringBuilder();

  public ProgramText(String name, Dialect dialect) {
    this.name = name;
    this.dialect = dialect;
  }

  /// Adds the launches of a step, one after the other.
  ///
  /// @param clock entry of the binding that tells when a kernel runs
  public void add(LoweredStep step, List<KernelText.Written> kernels, int clock) {
    for (KernelText.Written kernel : kernels) {
      kernel.text().surround(step, clock);
      add(step.node().onnxOp(), kernel);
      steps.add(step.number());
    }
  }

  /* A launch, and its kernel unless an equal one is there; `hint` is a part of its name. */
  private void add(String hint, KernelText.Written kernel) {
    String body = kernel.text().body();
    String known = names.get(body);
    if (known == null) {
      known =
          hint.toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z0-9]+", "_")
              + "_"
              + names.size();
      names.put(body, known);
      String function = kernel.text().function(known, dialect);
      functions.append(kernel.text().head()).append(function).append('\n');
      code.append(function).append('\n');
      kernels.add(new ProgramCode.OpenClKernel(known, kernel.text().offsets().size()));
    }
    launches.add(new Launch(known, kernel.text().offsets(), kernel.work()));
  }

  public Generated generated() {
    String claim = code.indexOf("claim_failure(") >= 0 ? FailureText.functions() : "";
    String shared = Speller.spell(Prelude.usedBy(code.toString()) + claim, dialect);
    String source = dialect.preamble(code.toString()) + shared + functions;
    return new Generated(
        new ProgramCode(name, source, dialect.options(), kernels), launches, steps);
  }
}
