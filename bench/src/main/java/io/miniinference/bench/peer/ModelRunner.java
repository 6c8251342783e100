package io.miniinference.bench.peer;

import io.miniinference.bench.measure.Runner;

/// Runs one model on one feed, in one way.
///
/// @param subject the engine, or a peer with version and way of running
/// @param memory where inputs and outputs lie
public record ModelRunner(String subject, Memory memory, Runner runner) {}
