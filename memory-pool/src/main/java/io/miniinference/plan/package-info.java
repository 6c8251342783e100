/// The planner's terms: a program of steps over arrays ([io.miniinference.plan.Program]) and the
/// options of its plan. `plan.planner` makes a [io.miniinference.plan.planner.MemoryPlan] of it.
@NullMarked
package io.miniinference.plan;

import org.jspecify.annotations.NullMarked;
