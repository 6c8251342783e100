package io.miniinference.budget;

import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// The account of one load: what takes long in it spends from here, and fails when the limits are
/// reached. It belongs to the thread that loads and to no other; where no load is under way,
/// spending does nothing.
///
/// Nothing else can end a computation in Java: so each loop whose length a file decides, and that
/// does more than one thing for each thing in the file, spends.
public final class LoadBudget {
  private static final ScopedValue<LoadBudget> CURRENT = ScopedValue.newInstance();

  /// Steps after which the clock and the heap are looked at again.
  private static final long STRIDE = 100_000;

  private final LoadLimits limits;
  private final LongSupplier allocated;
  private final long start = System.nanoTime();
  private final long bytesBefore;
  private long work;
  private long nextLook;

  private LoadBudget(LoadLimits limits, LongSupplier allocated) {
    this.limits = limits;
    this.allocated = allocated;
    this.bytesBefore = allocated.getAsLong();
  }

  /// Loads something within limits. A load inside a load has limits of its own.
  ///
  /// @param allocated bytes that this thread has taken from the heap so far
  /// @throws BudgetSpentException if a limit is reached
  public static <T> T within(LoadLimits limits, LongSupplier allocated, Supplier<T> load) {
    return ScopedValue.where(CURRENT, new LoadBudget(limits, allocated)).call(load::get);
  }

  /// Spends what is about to be done.
  ///
  /// @param steps of about a nanosecond each; what is more than a `long` holds is over any limit
  /// @throws BudgetSpentException if a limit of the load under way is reached
  public static void spend(double steps) {
    if (CURRENT.isBound()) {
      CURRENT.get().take(steps);
    }
  }

  /// Refuses a model whose requests would compute for too long.
  ///
  /// @param operations of a request for one row
  /// @throws BudgetSpentException if a load is under way that allows less
  public static void request(double operations) {
    if (CURRENT.isBound() && operations > CURRENT.get().limits.operations()) {
      throw new BudgetSpentException(
          "takes %,.0f operations for one row of a request, and %,d are the most (%s); make it smaller, or raise the limit"
              .formatted(
                  operations, CURRENT.get().limits.operations(), "engine.loading.max-operations"));
    }
  }

  private void take(double steps) {
    if (steps > limits.work() - work) {
      throw spent(
          "more than %,d steps of work".formatted(limits.work()), "engine.loading.max-work");
    }
    work += (long) steps;
    if (work >= nextLook) {
      nextLook = work + STRIDE;
      look();
    }
  }

  private void look() {
    if (System.nanoTime() - start > limits.time().toNanos()) {
      throw spent("longer than " + limits.time().toMillis() + " ms", "engine.loading.max-time");
    }
    if (allocated.getAsLong() - bytesBefore > limits.bytes()) {
      throw spent(
          "more than %,d bytes of the heap in all".formatted(limits.bytes()),
          "engine.loading.max-memory");
    }
  }

  private static BudgetSpentException spent(String what, String property) {
    return new BudgetSpentException(
        "takes "
            + what
            + " to load, which is the most ("
            + property
            + "); make it smaller, or raise the limit");
  }
}
