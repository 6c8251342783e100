/// The lifetime planner: from steps over arrays ([io.miniinference.plan.Program]) to offsets in an
/// arena with a certificate ([io.miniinference.plan.MemoryPlan]).
@NullMarked
package io.miniinference.plan;

import org.jspecify.annotations.NullMarked;
