package io.miniinference.testing.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// One input for a target, with what every target has promised: not to take more of the heap than
/// allowed.
final class Trial {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int SHOWN_BYTES = 8_000;

  private Trial() {}

  /// Whether the input was valid.
  ///
  /// @throws AssertionError with the input if a promise was broken
  static boolean run(FuzzTarget target, byte[] input) {
    long before = THREADS.getTotalThreadAllocatedBytes();
    boolean valid;
    try {
      valid = target.take(input);
    } catch (Throwable e) {
      throw broken(target, input, e.toString(), e);
    }
    long taken = THREADS.getTotalThreadAllocatedBytes() - before;
    if (taken > target.mostAllocated(input.length)) {
      throw broken(
          target,
          input,
          "%,d bytes of %,d took %,d bytes of the heap"
              .formatted(input.length, target.mostAllocated(input.length), taken),
          null);
    }
    return valid;
  }

  static AssertionError broken(
      FuzzTarget target, byte[] input, String what, @Nullable Throwable cause) {
    String hex = HexFormat.of().formatHex(input, 0, Math.min(input.length, SHOWN_BYTES));
    return new AssertionError(
        target.getClass().getSimpleName() + ": " + what + "; input " + hex, cause);
  }
}
