package io.miniinference.interp.plain;

import io.miniinference.interp.memory.Task;

/// The body of one node.
public interface OpKernel {
  void run(Task task);
}
