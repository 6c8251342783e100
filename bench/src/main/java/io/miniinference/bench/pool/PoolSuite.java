package io.miniinference.bench.pool;

import module io.miniinference.kernels;

import io.miniinference.bench.measure.Entrant;
import io.miniinference.bench.measure.Findings;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Setting;
import io.miniinference.bench.measure.Slice;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Timing;
import io.miniinference.bench.measure.Unit;
import java.util.List;
import org.jocl.cl_mem;

/// Allocate and free of the pool where half of the heap is free and in pieces, at several numbers
/// of live blocks, in turn with what the device's driver takes to create, touch and release a
/// buffer. The pool reckons with offsets: 100,000 live blocks of 1 MiB need no such device.
public final class PoolSuite {
  private static final String LIVE = "live";

  private static final int REPETITIONS = 100;
  private static final long SEED = 20_261_122;
  private static final long MIB = FragmentedPool.MIB;

  private PoolSuite() {}

  public static void measure(Findings findings) {
    Setting setting = findings.setting();
    DeviceInfo info = setting.device();
    findings.on(info, LIVE);
    for (int live : setting.isQuick() ? List.of(10, 100) : List.of(10, 1_000, 100_000)) {
      findings.say("%,d live blocks", live);
      if (info.isOpenCl()) {
        besideDriver(live, info, findings);
      } else {
        time(live, List.of(pool(live)), findings);
      }
    }
  }

  /// The driver has as many live buffers as it has memory for. A buffer in which the pool's blocks
  /// lie is touched throughout when it is made, so that theirs are no first touches.
  private static void besideDriver(int live, DeviceInfo info, Findings findings) {
    Setting setting = findings.setting();
    long room = setting.isQuick() ? 64 * MIB : roomBytes(info);
    long region = setting.isQuick() ? 16 * MIB : 256 * MIB;
    try (Driver driver = Driver.open(info, setting.engine().cache());
        DriverHeap heap = new DriverHeap(driver, live, MIB, room, SEED)) {
      Spread buffers = Spread.exact(heap.size());
      findings.add("driver", parameters(live), "driver", Unit.LIVE_BUFFERS, buffers);
      cl_mem buffer = driver.create(region);
      driver.touch(buffer, 0, region);
      var create = Entrant.of("clCreateBuffer + first touch + release", heap::replaceAny);
      time(live, List.of(create, pool(live), touchedPool(live, driver, buffer, region)), findings);
      driver.release(buffer);
    }
  }

  /// Four fifths of a GPU's memory; where it is the host's, which others use, too, an eighth of it,
  /// and 4 GiB at most.
  private static long roomBytes(DeviceInfo info) {
    return info.hostShared()
        ? Math.min(info.memoryBytes() / 8, 4096 * MIB)
        : info.memoryBytes() / 5 * 4;
  }

  private static Entrant pool(int live) {
    var pool = new FragmentedPool(live, SEED);
    return Entrant.of("pool", REPETITIONS, pool::replaceAny);
  }

  /* A pool may be larger than the memory of any device. Its addresses go round and round. */
  private static Entrant touchedPool(int live, Driver driver, cl_mem buffer, long bytes) {
    var pool = new FragmentedPool(live, SEED);
    return Entrant.of(
        "pool + touch",
        () -> {
          Allocation block = pool.replaceAny();
          driver.touch(buffer, block.offset() % (bytes - block.size() + 1), block.size());
        });
  }

  private static void time(int live, List<Entrant> entrants, Findings findings) {
    Timing timing =
        findings.setting().isQuick()
            ? new Timing(3, 0, 0, new Slice(0, 0, 3))
            : new Timing(31, 500, 0, new Slice(10, 100, 5));
    Rounds rounds = Rounds.run(entrants, timing);
    findings.add("7/8 to 1 MiB, in place of any", parameters(live), Unit.MICROSECONDS, rounds);
  }

  private static Parameters parameters(int live) {
    return Parameters.of(LIVE, "%,d".formatted(live));
  }
}
