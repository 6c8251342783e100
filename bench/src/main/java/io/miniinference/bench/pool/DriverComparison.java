package io.miniinference.bench.pool;

import io.miniinference.bench.driver.DriverDevice;
import io.miniinference.bench.driver.DriverHeap;
import io.miniinference.bench.driver.DriverTurnover;
import io.miniinference.bench.driver.Headroom;
import io.miniinference.bench.driver.Place;
import io.miniinference.bench.driver.Turnover;
import io.miniinference.bench.measure.Pace;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Slice;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.suite.Setting;
import io.miniinference.device.DeviceInfo;
import io.miniinference.pool.Allocation;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// The pool and the driver taking turns in one process: blocks of 1 MiB, each touched by a kernel
/// on every page.
final class DriverComparison {
  private static final String POOL = "pool";
  private static final String TOUCHED_POOL = "pool + touch";
  private static final int REPETITIONS = 100;
  private static final long SEED = 20_261_122;
  private static final long BLOCK_BYTES = FragmentedPool.MIB;

  /// How long and with how much memory to measure.
  ///
  /// @param placeBytes of the device, for the blocks of the pool
  /// @param heapBytes of the device, for the driver's buffers
  /// @param filling longest time to make them
  private record Bounds(Pace pace, long placeBytes, long heapBytes, Duration filling) {
    private static final Pace FULL_PACE =
        new Pace(
            31,
            Duration.ofMillis(500),
            Duration.ZERO,
            new Slice(Duration.ofMillis(10), Duration.ofMillis(100), 5));
    private static final Pace QUICK_PACE =
        new Pace(3, Duration.ZERO, Duration.ZERO, new Slice(Duration.ZERO, Duration.ZERO, 3));
    private static final Bounds QUICK =
        new Bounds(QUICK_PACE, 16 * BLOCK_BYTES, 64 * BLOCK_BYTES, Duration.ofSeconds(5));

    /// The pool's blocks lie in as much as the engine's default pool.
    static Bounds of(DeviceInfo device) {
      long bytes = Headroom.bytes(device);
      long place = Math.min(256 * BLOCK_BYTES, bytes / 4);
      return new Bounds(FULL_PACE, place, bytes - place, Duration.ofSeconds(60));
    }
  }

  private final DriverDevice device;
  private final Setting setting;
  private final Findings findings;
  private final Bounds bounds;
  private final Map<Turnover, Growth> growths = new EnumMap<>(Turnover.class);

  DriverComparison(DeviceInfo info, DriverDevice device, Setting setting, Findings findings) {
    this.device = device;
    this.setting = setting;
    this.findings = findings;
    bounds = setting.quick() ? Bounds.QUICK : Bounds.of(info);
  }

  /// Measures with so many live blocks; the driver with as many of them as it has memory for.
  void run(int live) {
    setting.say("%,d live blocks: making the driver's", live);
    var wanted = new DriverHeap.Wanted(live, BLOCK_BYTES, bounds.heapBytes, bounds.filling);
    try (DriverHeap heap = DriverHeap.fill(device, wanted, SEED);
        Place place = device.place(bounds.placeBytes)) {
      if (heap.size() < live) {
        findings.note(
            "%,d live buffers of the driver are all that fit (within %,d MiB and %d s): its figures at %,d are of so many",
            heap.size(), bounds.heapBytes / BLOCK_BYTES, bounds.filling.toSeconds(), live);
      }
      for (Turnover turnover : Turnover.values()) {
        setting.say("%,d live blocks, %s", live, turnover.text());
        run(live, turnover, heap, place);
      }
    }
  }

  private void run(int live, Turnover turnover, DriverHeap heap, Place place) {
    FragmentedPool alone = heap(live, turnover);
    FragmentedPool touched = heap(live, turnover);
    var driver = new DriverTurnover(heap, turnover);
    Rounds rounds =
        Rounds.run(
            List.of(
                new Repeated(POOL, REPETITIONS, () -> turn(alone, turnover)),
                new Repeated(TOUCHED_POOL, 1, () -> turn(touched, turnover, place)),
                driver),
            bounds.pace);
    Spread buffers = Spread.exact(heap.size());
    findings.add(turnover.text(), live, "driver", Unit.LIVE_BUFFERS, buffers);
    add(turnover, live, rounds, driver);
  }

  /// @param rounds of the pool, the touched pool and the driver
  private void add(Turnover turnover, int live, Rounds rounds, DriverTurnover driver) {
    String name = turnover.text();
    Spread pool = nanos(rounds.micros(0));
    growths.computeIfAbsent(turnover, _ -> new Growth()).add(live, pool.median());
    findings.add(name, live, POOL, Unit.NANOSECONDS, pool);
    findings.add(name, live, driver.name(), Unit.MICROSECONDS, rounds.spread(2));
    findings.add(name, live, "of it clCreateBuffer", Unit.MICROSECONDS, driver.create());
    findings.add(name, live, "of it first touch", Unit.MICROSECONDS, driver.touch());
    findings.add(name, live, "of it release", Unit.MICROSECONDS, driver.release());
    findings.add(name, live, TOUCHED_POOL, Unit.MICROSECONDS, rounds.spread(1));
    findings.add(name, live, driver.name(), POOL, rounds.ratio(2, 0));
    findings.add(name, live, driver.name(), TOUCHED_POOL, rounds.ratio(2, 1));
  }

  private static FragmentedPool heap(int live, Turnover turnover) {
    return switch (turnover) {
      case AT_ONCE -> new FragmentedPool(live, SEED);
      case IN_PLACE_OF_ANY -> FragmentedPool.aged(live, SEED);
    };
  }

  private static Spread nanos(double[] micros) {
    return Spread.of(Arrays.stream(micros).map(value -> value * 1e3).toArray());
  }

  private static void turn(FragmentedPool heap, Turnover turnover) {
    switch (turnover) {
      case AT_ONCE -> heap.allocateMib().close();
      case IN_PLACE_OF_ANY -> heap.replaceAny();
    }
  }

  private static void turn(FragmentedPool heap, Turnover turnover, Place place) {
    switch (turnover) {
      case AT_ONCE -> {
        try (Allocation block = heap.allocateMib()) {
          place.touch(block.offset(), block.size());
        }
      }
      case IN_PLACE_OF_ANY -> {
        Allocation block = heap.replaceAny();
        place.touch(block.offset(), block.size());
      }
    }
  }

  /// Notes on all levels together.
  void explain() {
    findings.note(
        "the pool reckons with offsets: 100,000 live blocks, half of 200 GiB, need no such device. Where its blocks are touched, their addresses go round in a buffer of %,d MiB, touched before",
        bounds.placeBytes / BLOCK_BYTES);
    growths.forEach((turnover, growth) ->
        findings.note(
            "pool, %s: each doubling of the live blocks adds %s", turnover.text(), growth.text()));
    findings.note(
        "the nodes that the pool visits grow with the logarithm; where blocks are drawn at random, a visit costs more once their headers outgrow the processor's caches");
  }
}
