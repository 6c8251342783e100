package io.miniinference.testing.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// One input for a target, with what every target has promised: not to take more of the heap than
/// allowed.
final class Trial {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int SHOWN_BYTES = 8_000;

  /// An input that takes longer is as broken as one that fails.
  static final Duration LONGEST = Duration.ofSeconds(10);

  private Trial() {}

  /// Whether the input was valid.
  ///
  /// @throws AssertionError with the input if a promise was broken
  static boolean run(FuzzTarget target, byte[] input) throws LateException {
    long before = THREADS.getTotalThreadAllocatedBytes();
    boolean valid = take(target, input);
    if (taken(before) > target.mostAllocated(input.length)) {
      again(target, input);
    }
    return valid;
  }

  /// The same where the target's classes are instrumented, so that what an input takes of the heap
  /// and of time is not the target's alone.
  ///
  /// @return whether it took too much of either and is to be tried again without
  static boolean isSuspect(FuzzTarget target, byte[] input) {
    long start = System.nanoTime();
    long before = THREADS.getTotalThreadAllocatedBytes();
    try {
      take(target, input);
    } catch (LateException e) {
      return true;
    }
    return taken(before) > target.mostAllocated(input.length)
        || System.nanoTime() - start > LONGEST.toNanos();
  }

  /* What an input is the first to reach is loaded for it: once. */
  private static void again(FuzzTarget target, byte[] input) throws LateException {
    long before = THREADS.getTotalThreadAllocatedBytes();
    take(target, input);
    long taken = taken(before);
    if (taken > target.mostAllocated(input.length)) {
      String what =
          "%,d bytes, which may take %,d bytes of the heap, took %,d"
              .formatted(input.length, target.mostAllocated(input.length), taken);
      throw broken(target, input, what, null);
    }
  }

  private static long taken(long before) {
    return THREADS.getTotalThreadAllocatedBytes() - before;
  }

  private static boolean take(FuzzTarget target, byte[] input) throws LateException {
    try {
      return target.take(input);
    } catch (SocketTimeoutException e) {
      throw new LateException(e);
    } catch (Throwable e) {
      throw broken(target, input, e.toString(), e);
    }
  }

  static AssertionError broken(
      FuzzTarget target, byte[] input, String what, @Nullable Throwable cause) {
    String hex = HexFormat.of().formatHex(input, 0, Math.min(input.length, SHOWN_BYTES));
    return new AssertionError(
        target.getClass().getSimpleName() + ": " + what + "; input " + hex, cause);
  }
}
