package io.miniinference.plan.verify;

import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.planner.EarlierDecisions;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Planner;
import java.util.Optional;

/// A plan that has passed the verifier.
///
/// @param plan the plan to use
/// @param fallback why it is the plain plan instead of the planned one, for the log and a counter;
///   empty where all is well
/// @param planningMillis time taken, verification included
public record VerifiedPlan(MemoryPlan plan, Optional<String> fallback, double planningMillis) {

  /// Plans all buckets and verifies them; falls back to the plain plan where that fails.
  ///
  /// @throws VerificationException if even the plain plan is unsound: the program itself is wrong
  public static VerifiedPlan of(Program program, PlanOptions options) {
    return of(program, options, EarlierDecisions.none());
  }

  /// The same for one of several programs that differ in sizes alone.
  ///
  /// @param earlier what was decided for the others; takes what is decided for this one
  public static VerifiedPlan of(Program program, PlanOptions options, EarlierDecisions earlier) {
    long start = System.nanoTime();
    MemoryPlan plan = Planner.plan(program, options, earlier);
    Optional<String> fallback = Optional.empty();
    try {
      PlanVerifier.verify(plan);
    } catch (VerificationException e) {
      fallback = Optional.of(String.valueOf(e.getMessage()));
      plan = Planner.plain(program, options);
      PlanVerifier.verify(plan);
    }
    return new VerifiedPlan(plan, fallback, (System.nanoTime() - start) / 1e6);
  }
}
