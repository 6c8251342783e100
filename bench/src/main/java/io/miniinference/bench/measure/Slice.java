package io.miniinference.bench.measure;

import java.time.Duration;

/// How long one contestant runs in its turn.
///
/// @param settle first runs that do not count: what the other has left behind (threads that still
///   spin, cold caches and clocks) is gone after them
/// @param length runs are timed until this much time is over
/// @param leastRuns timed runs at least, however long they take
public record Slice(Duration settle, Duration length, int leastRuns) {}
