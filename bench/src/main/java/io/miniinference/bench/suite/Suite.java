package io.miniinference.bench.suite;

import io.miniinference.bench.report.SuiteResult;
import java.util.Optional;

/// A group of benchmarks that belong together, run by name.
public interface Suite {

  /// As on the command line.
  String name();

  /// One line on what it measures.
  String description();

  /// Measures.
  ///
  /// @return empty, with a word to [Setting#say], where there is nothing to measure
  /// @throws BenchException if what was to be timed is wrong or cannot run
  Optional<SuiteResult> run(Setting setting);
}
