package io.miniinference.runtime.strings;

import io.miniinference.ir.Tensor;
import io.miniinference.strings.StringTable;
import java.util.List;

/// One node that is computed on the host.
///
/// @param operands names of what it reads
/// @param results names of what it makes; empty for one that nobody reads
record StringStep(List<String> operands, List<String> results, Work work) {
  StringStep {
    operands = List.copyOf(operands);
    results = List.copyOf(results);
  }

  /// What it does.
  @FunctionalInterface
  interface Work {

    /// @param operands tensors of strings, by codes of the table
    /// @param table takes strings that are made
    /// @param budget of the request, out of which work is taken before it is done
    /// @throws io.miniinference.runtime.InvalidRequestException if they do not fit, or would make
    ///   too much
    List<Tensor> of(List<Tensor> operands, StringTable table, HostBudget budget);
  }
}
