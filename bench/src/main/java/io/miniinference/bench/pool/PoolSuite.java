package io.miniinference.bench.pool;

import io.miniinference.bench.driver.DriverDevice;
import io.miniinference.bench.jmh.JmhRun;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.device.Device;
import io.miniinference.device.DeviceInfo;
import io.miniinference.device.Devices;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.options.TimeValue;

/// Allocate and free of the pool, at several numbers of live blocks, beside what the device's
/// driver takes to create, touch and release a buffer.
public final class PoolSuite implements Suite {
  private static final List<Integer> LEVELS = List.of(10, 1_000, 100_000);

  /// Short ones, and many: what else the machine does falls into few of them.
  private static final int ITERATIONS = 60;

  private static final TimeValue ITERATION = TimeValue.milliseconds(50);

  /// Bytes allocated per operation, as JMH's profiler calls it.
  private static final String GARBAGE = "gc.alloc.rate.norm";

  private static final List<Integer> QUICK_LEVELS = List.of(10, 100);

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
    Findings findings = new Findings();
    List<Integer> levels = setting.quick() ? QUICK_LEVELS : LEVELS;
    DeviceInfo device = device(setting);
    if (device.isOpenCl()) {
      compare(device, levels, setting, findings);
    } else {
      setting.say("no OpenCL device: the pool alone");
    }
    measureAlone(levels, setting, findings);
    return Optional.of(
        findings.result(
            name(),
            "one allocate + free where half of the heap is free and in pieces",
            device.isOpenCl() ? MeasuredDevice.of(device) : MeasuredDevice.java()));
  }

  /// The device that the engine would run on.
  private static DeviceInfo device(Setting setting) {
    var engine = setting.engine();
    var choice =
        new Devices.Choice(
            Devices.Kind.of(engine.device()), engine.platform(), engine.deviceName());
    try (Device device = new Devices(engine.cache()).open(choice)) {
      return device.info();
    }
  }

  private static void compare(
      DeviceInfo info, List<Integer> levels, Setting setting, Findings findings) {
    try (DriverDevice device = DriverDevice.open(info)) {
      var comparison = new DriverComparison(info, device, setting, findings);
      levels.forEach(comparison::run);
      comparison.explain();
    }
  }

  /// By JMH, in JVMs of their own.
  private static void measureAlone(List<Integer> levels, Setting setting, Findings findings) {
    setting.say("pool alone");
    String[] live = levels.stream().map(String::valueOf).toArray(String[]::new);
    var options =
        JmhRun.options(PoolBenchmark.class, setting)
            .param("live", live)
            .addProfiler(GCProfiler.class);
    if (!setting.quick()) {
      options.measurementIterations(ITERATIONS).measurementTime(ITERATION);
    }
    JmhRun.run(options).forEach(result -> add(result, findings));
  }

  private static void add(RunResult result, Findings findings) {
    int live = Integer.parseInt(result.getParams().getParam("live"));
    String name =
        switch (JmhRun.method(result)) {
          case "freedAtOnce" -> "JMH: 1 MiB, freed at once";
          case "anySizeFreedAtOnce" -> "JMH: 1/2 to 1 MiB, freed at once";
          case "inPlaceOfAny" -> "JMH: 7/8 to 1 MiB, in place of any";
          default -> JmhRun.method(result);
        };
    findings.add(name, live, "pool", Unit.NANOSECONDS, JmhRun.spread(result));
    Result<?> garbage = result.getSecondaryResults().get(GARBAGE);
    if (garbage != null) {
      Spread bytes = Spread.exact(Math.rint(garbage.getScore()));
      findings.add(name, live, "garbage on the Java heap", Unit.BYTES, bytes);
    }
  }
}
