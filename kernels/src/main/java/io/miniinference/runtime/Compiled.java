package io.miniinference.runtime;

import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.plan.MemoryPlan;

/// A model after planning and generating, before it touches device or pool.
///
/// @param fallback whether the verifier refused the plan and the plain one is used
/// @param planningMillis planning and verification
record Compiled(
    String name,
    LoweredProgram lowered,
    MemoryPlan plan,
    Generated generated,
    boolean fallback,
    double planningMillis) {}
