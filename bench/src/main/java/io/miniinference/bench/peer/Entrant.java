package io.miniinference.bench.peer;

import io.miniinference.bench.measure.Contestant;

/// Somebody who runs one model on one feed, in one way.
///
/// @param subject the engine, or a peer with version and way of running
/// @param memory where inputs and outputs lie
public record Entrant(String subject, Memory memory, Contestant contestant) {}
