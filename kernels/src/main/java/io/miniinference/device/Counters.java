package io.miniinference.device;

import java.util.concurrent.atomic.LongAdder;

/// The running counts behind [DriverCalls].
final class Counters {
  final LongAdder allocations = new LongAdder();
  final LongAdder builds = new LongAdder();
  final LongAdder launches = new LongAdder();
  final LongAdder transfers = new LongAdder();
  final LongAdder waits = new LongAdder();

  DriverCalls calls(long variants) {
    return new DriverCalls(
        allocations.sum(), builds.sum(), launches.sum(), transfers.sum(), waits.sum(), variants);
  }
}
