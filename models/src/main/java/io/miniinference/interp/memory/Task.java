package io.miniinference.interp.memory;

import java.util.List;

/// One share of one node's work.
///
/// @param operands what the operator itself reads
/// @param extras what the epilogue reads besides
/// @param first first work item
/// @param count number of work items
public record Task(
    List<TensorView> operands,
    List<TensorView> extras,
    List<TensorView> outputs,
    long n,
    long first,
    long count,
    FailureSink failures) {

  /// The first result.
  public TensorView output() {
    return outputs.getFirst();
  }

  /// What is left of it behind some work items.
  public Task behind(long items) {
    return new Task(operands, extras, outputs, n, first + items, count - items, failures);
  }

  public TensorView operand(int k) {
    return operands.get(k);
  }
}
