package io.miniinference.bench.measure;

/// Two subjects side by side, measured in turn in one run.
///
/// @param name what was measured
/// @param parameters under what circumstances
/// @param subject whose figure is above the line
/// @param peer whose figure is below
/// @param ratio of the two
public record Comparison(
    String name, Parameters parameters, String subject, String peer, Ratio ratio) {}
