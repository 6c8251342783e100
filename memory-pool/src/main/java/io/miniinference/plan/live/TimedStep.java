package io.miniinference.plan.live;

import io.miniinference.plan.Step;

/// A step and the ticks at which it happens.
///
/// @param enter tick of its reads; a step without bodies does everything at this one tick
/// @param exit tick of its writes, after all ticks of its bodies
public record TimedStep(Step step, int enter, int exit) {}
