package io.miniinference.codegen;

import io.miniinference.device.Launch;
import io.miniinference.device.ProgramCode;
import io.miniinference.lower.Generated;
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
  private final StringBuilder functions = new StringBuilder();

  public ProgramText(String name) {
    this.name = name;
  }

  /// Adds a launch, and its kernel unless an equal one is there.
  ///
  /// @param hint readable part of a new kernel's name
  public void add(String hint, KernelText.Written kernel) {
    String body = kernel.text().body();
    String known = names.get(body);
    if (known == null) {
      known =
          hint.toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z0-9]+", "_")
              + "_"
              + names.size();
      names.put(body, known);
      functions.append(kernel.text().function(known)).append('\n');
      kernels.add(new ProgramCode.OpenClKernel(known, kernel.text().offsets().size()));
    }
    launches.add(new Launch(known, kernel.text().offsets(), kernel.work()));
  }

  /// @param options build options
  public Generated generated(String options) {
    String body = functions.toString();
    String claim = body.contains("claim_failure(") ? FailureText.functions() : "";
    String pragma =
        body.contains("double") ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "";
    String source = pragma + Prelude.usedBy(body) + claim + body;
    return new Generated(new ProgramCode(name, source, options, kernels), launches);
  }
}
