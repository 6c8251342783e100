package io.miniinference.bench.suite;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.device.DeviceInfo;
import java.util.Optional;

/// A group of benchmarks that belong together, run by name.
///
/// @param name as on the command line
/// @param description one line on what it measures
/// @param across the parameter whose values are a table's columns; empty for one column
public record Suite(String name, String description, String across, Work work) {
  /// What a suite does.
  @FunctionalInterface
  public interface Work {
    /// Measures.
    ///
    /// @return on which device; empty, with a word to [Setting#say], where there is nothing to
    ///   measure
    /// @throws BenchException if what was to be timed is wrong or cannot run
    Optional<DeviceInfo> measure(Setting setting, Findings findings);
  }

  public Optional<SuiteResult> run(Setting setting) {
    var findings = new Findings(setting);
    return work.measure(setting, findings).map(device -> findings.result(this, device));
  }
}
