package io.miniinference.runtime;

import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.plan.MemoryPlan;
import java.util.Set;

/// A model after planning and generating, before it touches device or pool.
///
/// @param specialisedOn inputs whose given values decided over it
/// @param fallback whether the verifier refused the plan and the plain one is used
/// @param planningMillis planning and verification
record Compiled(
    String name,
    LoweredProgram lowered,
    MemoryPlan plan,
    Generated generated,
    Set<String> specialisedOn,
    boolean fallback,
    double planningMillis) {}
