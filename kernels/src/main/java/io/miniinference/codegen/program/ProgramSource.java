package io.miniinference.codegen.program;

import io.miniinference.codegen.Dialect;
import io.miniinference.codegen.FailureText;
import io.miniinference.codegen.Speller;
import io.miniinference.device.ProgramCode;
import java.util.ArrayList;
import java.util.List;

/// The source of one program: kernel functions, and what they need ahead of them.
final class ProgramSource {
  private final String name;
  private final Dialect dialect;
  private final List<ProgramCode.KernelCode> kernels = new ArrayList<>();

  /* The same functions with what is said ahead of them, and without. */
  private final StringBuilder functions = new StringBuilder();
  private final StringBuilder code = new StringBuilder();

  ProgramSource(String name, Dialect dialect) {
    this.name = name;
    this.dialect = dialect;
  }

  /// Adds a kernel function.
  ///
  /// @param head what is said ahead of it
  /// @param offsets number of entries of the binding that it takes
  void add(String kernel, String head, String function, int offsets) {
    functions.append(head).append(function).append('\n');
    code.append(function).append('\n');
    kernels.add(new ProgramCode.OpenClKernel(kernel, offsets));
  }

  ProgramCode code() {
    if (kernels.isEmpty()) {
      return new ProgramCode(name, "", dialect.options(), kernels);
    }
    String claim = code.indexOf("claim_failure(") >= 0 ? FailureText.functions() : "";
    String shared = Speller.spell(Prelude.usedBy(code.toString()) + claim, dialect);
    String source = dialect.preamble(code.toString(), shared) + shared + functions;
    return new ProgramCode(name, source, dialect.options(), kernels);
  }
}
