package io.miniinference.bench.pool;

import io.miniinference.bench.driver.DriverDevice;
import io.miniinference.bench.driver.DriverHeap;
import io.miniinference.bench.driver.Region;
import io.miniinference.bench.measure.InProcess;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Runner;
import io.miniinference.bench.measure.Slice;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Timing;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.device.Device;
import io.miniinference.device.DeviceInfo;
import io.miniinference.pool.Allocation;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Allocate and free of the pool where half of the heap is free and in pieces, at several numbers
/// of live blocks, in turn with what the device's driver takes to create, touch and release a
/// buffer. The pool reckons with offsets: 100,000 live blocks of 1 MiB need no such device.
public final class PoolSuite implements Suite {
  private static final String LIVE = "live";
  private static final String POOL = "pool";
  private static final String TOUCHED_POOL = "pool + touch";
  private static final String DRIVER = "clCreateBuffer + first touch + release";

  private static final int REPETITIONS = 100;
  private static final long SEED = 20_261_122;
  private static final long MIB = FragmentedPool.MIB;

  @Override
  public String name() {
    return "pool";
  }

  @Override
  public String description() {
    return "the pool's allocate + free beside the OpenCL driver's create + first touch + release";
  }

  @Override
  public Optional<SuiteResult> run(Setting setting) {
    var findings = new Findings(this, LIVE, setting);
    DeviceInfo info = info(setting);
    for (int live : setting.quick() ? List.of(10, 100) : List.of(10, 1_000, 100_000)) {
      setting.say("%,d live blocks", live);
      if (info.isOpenCl()) {
        new Level(live, setting, findings).besideDriver(info);
      } else {
        new Level(live, setting, findings).alone();
      }
    }
    return Optional.of(
        findings.result(info.isOpenCl() ? MeasuredDevice.of(info) : MeasuredDevice.java()));
  }

  private static DeviceInfo info(Setting setting) {
    try (Device device = setting.openDevice()) {
      return device.info();
    }
  }

  /// All that is measured with a number of live blocks.
  private record Level(int live, Setting setting, Findings findings) {
    void alone() {
      time("1 MiB, freed at once", List.of(atOnce()));
      time("7/8 to 1 MiB, in place of any", List.of(inPlaceOfAny()));
    }

    /// The driver has as many live buffers as it has memory for.
    void besideDriver(DeviceInfo info) {
      long room = setting.quick() ? 64 * MIB : roomBytes(info);
      var wanted = new DriverHeap.Wanted(live, MIB, room, Duration.ofSeconds(60));
      try (DriverDevice device = DriverDevice.open(info);
          DriverHeap heap = DriverHeap.fill(device, wanted, SEED);
          Region region = new Region(device, setting.quick() ? 16 * MIB : 256 * MIB)) {
        findings.add(
            "driver", parameters(), "driver", Unit.LIVE_BUFFERS, Spread.exact(heap.size()));
        time(
            "1 MiB, freed at once",
            List.of(atOnce(), touchedAtOnce(region), new InProcess(heap::freedAtOnce)));
        time(
            "7/8 to 1 MiB, in place of any",
            List.of(inPlaceOfAny(), touchedInPlace(region), new InProcess(heap::inPlaceOfAny)));
      }
    }

    /// Four fifths of a GPU's memory; where it is the host's, which others use, too, an eighth of
    /// it, and 4 GiB at most.
    private static long roomBytes(DeviceInfo info) {
      return info.hostShared()
          ? Math.min(info.memoryBytes() / 8, 4096 * MIB)
          : info.memoryBytes() / 5 * 4;
    }

    private Runner atOnce() {
      var pool = new FragmentedPool(live, SEED);
      return new InProcess(() -> pool.allocateMib().close(), REPETITIONS);
    }

    private Runner touchedAtOnce(Region region) {
      var pool = new FragmentedPool(live, SEED);
      return new InProcess(() -> {
        try (Allocation block = pool.allocateMib()) {
          region.touch(block.offset(), block.size());
        }
      });
    }

    private Runner inPlaceOfAny() {
      return new InProcess(FragmentedPool.aged(live, SEED)::replaceAny, REPETITIONS);
    }

    private Runner touchedInPlace(Region region) {
      FragmentedPool pool = FragmentedPool.aged(live, SEED);
      return new InProcess(() -> {
        Allocation block = pool.replaceAny();
        region.touch(block.offset(), block.size());
      });
    }

    /// @param runners the pool, and then, if there is a driver, the touched pool and the driver
    private void time(String name, List<Runner> runners) {
      Timing timing =
          setting.quick()
              ? Timing.of(3, 0, 0, Slice.of(0, 0, 3))
              : Timing.of(31, 500, 0, Slice.of(10, 100, 5));
      Rounds rounds = Rounds.run(runners, timing);
      double[] nanos = Arrays.stream(rounds.micros(0)).map(micros -> micros * 1e3).toArray();
      findings.add(name, parameters(), POOL, Unit.NANOSECONDS, Spread.of(nanos));
      if (runners.size() > 1) {
        findings.add(name, parameters(), TOUCHED_POOL, Unit.MICROSECONDS, rounds.spread(1));
        findings.add(name, parameters(), DRIVER, Unit.MICROSECONDS, rounds.spread(2));
        findings.add(name, parameters(), DRIVER, POOL, rounds.ratio(2, 0));
        findings.add(name, parameters(), DRIVER, TOUCHED_POOL, rounds.ratio(2, 1));
      }
    }

    private Parameters parameters() {
      return Parameters.of(LIVE, "%,d".formatted(live));
    }
  }
}
