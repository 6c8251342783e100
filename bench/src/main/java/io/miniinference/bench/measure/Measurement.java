package io.miniinference.bench.measure;

/// One figure.
///
/// @param name what was measured, such as a model
/// @param parameters under what circumstances
/// @param subject who did it: the engine, or a peer with its version
public record Measurement(
    String name, Parameters parameters, String subject, Unit unit, Spread spread) {}
