package io.miniinference.cost;

import io.miniinference.ir.Op;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;
import io.miniinference.plan.Array;
import java.util.HashMap;
import java.util.Map;

/// What a step does at some batch size, each of its iterations alone.
///
/// @param operations floating-point or other operations on elements ([Operations])
/// @param readBytes of operands, each once, and of a Gather as many as it takes
/// @param writtenBytes of results, padding of their layout included
public record Work(long operations, long readBytes, long writtenBytes) {

  /// The work of a step at batch size `n`.
  public static Work of(LoweredStep step, long n) {
    long written = step.outputs().stream().mapToLong(array -> array.denseBytes(n)).sum();
    return new Work(Operations.of(step.node(), n), read(step, n, written), written);
  }

  /// The operations of all steps at batch size `n`.
  public static double ofAll(LoweredProgram program, long n) {
    return program.steps().stream().mapToDouble(step -> Operations.of(step.node(), n)).sum();
  }

  /* An operand that is read through indices is read as often as they say. */
  private static long read(LoweredStep step, long n, long written) {
    Map<Array, Long> bytes = new HashMap<>();
    boolean isIndexed = step.node().op() instanceof Op.Indexed;
    for (int i = 0; i < step.inputs().size(); i++) {
      boolean isPacked = i < step.packed().size() && step.packed().get(i);
      long whole = bytes(step.inputs().get(i), isPacked, n);
      bytes.put(step.inputs().get(i), isIndexed && i == 0 ? Math.min(whole, written) : whole);
    }
    return bytes.values().stream().mapToLong(each -> each).sum();
  }

  private static long bytes(Array array, boolean isPacked, long n) {
    long block = array.block().sizeBytes().at(n);
    return isPacked ? block : Math.min(block, array.denseBytes(n));
  }

  public long bytes() {
    return readBytes + writtenBytes;
  }
}
