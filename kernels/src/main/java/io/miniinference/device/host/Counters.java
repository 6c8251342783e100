package io.miniinference.device.host;

import io.miniinference.device.DriverCalls;
import java.util.concurrent.atomic.LongAdder;

/// The running counts behind [DriverCalls].
public final class Counters {
  public final LongAdder allocations = new LongAdder();
  public final LongAdder builds = new LongAdder();
  public final LongAdder launches = new LongAdder();
  public final LongAdder transfers = new LongAdder();
  public final LongAdder waits = new LongAdder();
  public final LongAdder compiled = new LongAdder();

  public DriverCalls calls(long variants) {
    return new DriverCalls(
        allocations.sum(),
        builds.sum(),
        launches.sum(),
        transfers.sum(),
        waits.sum(),
        variants,
        compiled.sum());
  }
}
