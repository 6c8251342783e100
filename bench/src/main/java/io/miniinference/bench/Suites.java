package io.miniinference.bench;

import io.miniinference.bench.suite.Suite;
import java.util.List;

/// All suites, in the order in which they run.
final class Suites {
  static final List<Suite> ALL = List.of();

  private Suites() {}
}
