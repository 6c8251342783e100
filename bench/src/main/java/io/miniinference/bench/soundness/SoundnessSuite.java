package io.miniinference.bench.soundness;

import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.soundness.SoundnessCheck.Closeness;
import io.miniinference.bench.soundness.SoundnessCheck.Fault;
import io.miniinference.bench.suite.BenchException;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.codegen.cpu.CpuTarget;
import io.miniinference.codegen.gpu.GpuTarget;
import io.miniinference.codegen.jvm.JvmTarget;
import io.miniinference.conformance.Rig;
import io.miniinference.device.choice.Devices;
import io.miniinference.testing.RandomModel.Domain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// Random models by the hundred thousand on the JVM device: whether each plan is sound, also in the
/// layouts of OpenCL CPUs and GPUs, and each output the interpreter's to the bit.
public final class SoundnessSuite implements Suite {
  private static final int QUICK_COUNT = 200;
  private static final int REPORTED = 10_000;

  @Override
  public String name() {
    return "soundness";
  }

  @Override
  public String description() {
    return "random models whose plans are verified and whose outputs are compared bit for bit";
  }

  @Override
  public Optional<SuiteResult> run(Setting setting) {
    int count = setting.quick() ? QUICK_COUNT : setting.selection().count();
    Devices devices = new Devices(setting.engine().cache());
    long start = System.nanoTime();
    List<Fault> faults = new Run(devices, count, setting).run();
    double minutes = (System.nanoTime() - start) / 60e9;
    return Optional.of(result(count, faults, minutes, setting));
  }

  private SuiteResult result(int count, List<Fault> faults, double minutes, Setting setting) {
    var findings = new Findings(this, "", setting);
    long unsound = count(faults, Fault.Kind.UNSOUND_PLAN);
    long mismatches = count(faults, Fault.Kind.MISMATCH);
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put("checked", (long) count);
    figures.put("unsound plans", unsound);
    figures.put("other outputs", mismatches);
    figures.forEach((what, models) ->
        findings.add("random models", Parameters.NONE, what, Unit.MODELS, Spread.exact(models)));
    findings.note(
        String.format(
            Locale.ROOT,
            "%,d random models, each planned for the JVM, OpenCL CPUs and GPUs and run on the JVM at"
                + " three batch sizes from 0 up: %d with an unsound plan, %d with an output that is"
                + " not the interpreter's to the bit; %.1f minutes on %d threads",
            count,
            unsound,
            mismatches,
            minutes,
            setting.threads()));
    faults.stream().map(Fault::what).forEach(findings::problem);
    return findings.result(MeasuredDevice.java());
  }

  private static long count(List<Fault> faults, Fault.Kind kind) {
    return faults.stream().filter(fault -> fault.kind() == kind).count();
  }

  /// One run: threads that take models in turn, each on a device of its own.
  private static final class Run {
    private final Devices devices;
    private final int count;
    private final Setting setting;
    private final AtomicInteger next = new AtomicInteger();
    private final List<Fault> faults = Collections.synchronizedList(new ArrayList<>());

    Run(Devices devices, int count, Setting setting) {
      this.devices = devices;
      this.count = count;
      this.setting = setting;
    }

    List<Fault> run() {
      List<Thread> threads =
          IntStream.range(0, setting.threads())
              .mapToObj(i -> Thread.ofPlatform().name("soundness-" + i).start(this::work))
              .toList();
      try {
        for (Thread thread : threads) {
          thread.join();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new BenchException("interrupted after " + next + " models", e);
      }
      return List.copyOf(faults);
    }

    private void work() {
      try (Rig rig = Rig.of(devices.open(Devices.Choice.JVM), new JvmTarget())) {
        var planned = List.of(new CpuTarget(), new GpuTarget());
        var check = new SoundnessCheck(rig, List.copyOf(planned), Closeness.BITS);
        for (int seed = next.getAndIncrement(); seed < count; seed = next.getAndIncrement()) {
          check.check(seed, Domain.ALL).ifPresent(faults::add);
          if (seed > 0 && seed % REPORTED == 0) {
            setting.say("soundness: %,d models, %d wrong", seed, faults.size());
          }
        }
      }
    }
  }
}
