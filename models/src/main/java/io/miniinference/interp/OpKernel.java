package io.miniinference.interp;

/// The body of one node.
interface OpKernel {
  void run(Task task);
}
