package io.miniinference.bench.kernels;

import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.suite.Findings;
import io.miniinference.cost.Peaks;
import io.miniinference.cost.StepCost;
import io.miniinference.runtime.LaunchTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The launches of one step: samples of what they took together, and what they could have taken.
///
/// @param micros one sample a request
record LaunchBench(StepCost cost, double[] micros) {
  static final String WHO = "by";

  /// Takes the launches of a step out of those of some requests.
  static LaunchBench of(StepCost cost, List<List<LaunchTime>> requests) {
    double[] micros =
        requests.stream()
            .mapToDouble(launches ->
                launches.stream()
                        .filter(launch -> launch.step() == cost.number())
                        .mapToLong(LaunchTime::nanos)
                        .sum()
                    / 1e3)
            .toArray();
    return new LaunchBench(cost, micros);
  }

  double median() {
    return Spread.of(micros).median();
  }

  /// Tells of them, one column for each of engine, bound and peer.
  void tell(
      Findings findings, String model, int batch, @Nullable Peaks peaks, Optional<Spread> peer) {
    Parameters step =
        Parameters.of("batch", batch)
            .with("step", cost.number() + " " + cost.op() + " " + cost.name());
    String algorithm = cost.algorithm().name();
    Parameters engine = step.with(WHO, "engine");
    findings.add(model, engine, algorithm, Unit.MICROSECONDS, Spread.of(micros));
    if (peaks != null) {
      Spread bound = Spread.exact(peaks.boundMicros(cost.work()));
      findings.add(model, step.with(WHO, "bound"), algorithm, Unit.MICROSECONDS, bound);
    }
    peer.ifPresent(time ->
        findings.add(model, step.with(WHO, "ONNX Runtime"), algorithm, Unit.MICROSECONDS, time));
    findings.add(model, engine, algorithm, Unit.GIGAFLOPS, rate(cost.work().operations()));
    findings.add(model, engine, algorithm, Unit.GIGABYTES_PER_SECOND, rate(cost.work().bytes()));
  }

  private Spread rate(long count) {
    return Spread.of(Arrays.stream(micros).map(us -> count / us / 1e3).toArray());
  }
}
