package io.miniinference.bench.pool;

import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Ratio;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import java.util.ArrayList;
import java.util.List;

/// What the suite has found so far.
final class Findings {
  private static final String ACROSS = "live";

  private final List<Measurement> measurements = new ArrayList<>();
  private final List<Comparison> comparisons = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  void add(String name, int live, String subject, Unit unit, Spread spread) {
    measurements.add(new Measurement(name, at(live), subject, unit, spread));
  }

  void add(String name, int live, String subject, String peer, Ratio ratio) {
    comparisons.add(new Comparison(name, at(live), subject, peer, ratio));
  }

  private static Parameters at(int live) {
    return Parameters.of(ACROSS, "%,d".formatted(live));
  }

  void note(String format, Object... values) {
    notes.add(format.formatted(values));
  }

  SuiteResult result(String suite, String title, MeasuredDevice device) {
    return new SuiteResult(
        suite, title, device, ACROSS, measurements, comparisons, notes, List.of());
  }
}
