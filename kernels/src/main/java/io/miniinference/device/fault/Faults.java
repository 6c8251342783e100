package io.miniinference.device.fault;

import io.miniinference.device.DeviceException;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Which step of which devices fails next, and how. Safe for many threads; all devices of one plan
/// of faults count together.
public final class Faults {
  /// What a device is asked to do.
  public enum Step {
    OPEN_POOL,
    UPLOAD,
    BUILD,
    PREPARE,
    RUN
  }

  private final Map<Step, Integer> left = new EnumMap<>(Step.class);
  private @Nullable Supplier<Throwable> failure;
  private boolean loses;
  private long told;

  /// Has a step throw after that many that work, once.
  ///
  /// @param what a [RuntimeException] or an [Error]
  public synchronized void failAfter(int steps, Step step, Supplier<Throwable> what) {
    left.put(step, steps);
    failure = what;
    loses = false;
  }

  /// Has the device be lost at a step after that many that work: that step and all later ones of
  /// the device fail.
  public synchronized void loseAfter(int steps, Step step) {
    left.put(step, steps);
    failure = null;
    loses = true;
  }

  /// Forgets what was to fail.
  public synchronized void clear() {
    left.clear();
    failure = null;
  }

  /// Faults that happened so far; the steps of a device that is lost count as one.
  public synchronized long told() {
    return told;
  }

  /// Counts a step, throws what is to be thrown at it, and says whether the device is lost with it.
  synchronized boolean reach(Step step) {
    Integer steps = left.computeIfPresent(step, (_, n) -> n - 1);
    if (steps == null || steps >= 0) {
      return false;
    }
    left.remove(step);
    told++;
    Supplier<Throwable> what = failure;
    if (!loses && what != null) {
      Faults.<RuntimeException>raise(what.get());
    }
    return loses;
  }

  @SuppressWarnings("unchecked") // tests inject checked exceptions, too
  private static <E extends Throwable> void raise(Throwable thrown) throws E {
    throw (E) thrown;
  }

  void fail(Step step, boolean lost) {
    if (lost) {
      throw new DeviceException("injected: CL_DEVICE_NOT_AVAILABLE (-2) at " + step);
    }
  }
}
