package io.miniinference.bench.measure;

/// How runners take turns.
///
/// @param rounds turns of each; a ratio has as many pairs
/// @param warmUpMillis how long each runs before the first round
/// @param pauseMillis before each turn, in which nothing runs
/// @param slice one turn
public record Timing(int rounds, long warmUpMillis, long pauseMillis, Slice slice) {}
