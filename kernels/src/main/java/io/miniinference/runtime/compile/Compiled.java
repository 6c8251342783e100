package io.miniinference.runtime.compile;

import io.miniinference.lower.Generated;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.runtime.Planning;
import io.miniinference.signature.Codes;
import io.miniinference.signature.Cuts;
import java.util.Set;

/// A model after planning and generating, before it touches device or pool.
///
/// @param cuts which outputs are shorter than they are planned
/// @param codes which inputs and outputs are codes
/// @param specialisedOn inputs whose given values decided over it
/// @param weights what it has of constants
/// @param planning how its memory was planned: the plain way where the verifier refused the plan
/// @param planningMillis planning and verification
public record Compiled(
    String name,
    LoweredProgram lowered,
    MemoryPlan plan,
    Generated generated,
    Cuts cuts,
    Codes codes,
    Set<String> specialisedOn,
    WeightSet weights,
    Planning planning,
    double planningMillis) {}
