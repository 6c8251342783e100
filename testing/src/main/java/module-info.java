/// Models that tests and benchmarks make up, and the devices that tests run on. JUnit is needed for
/// the latter alone.
module io.miniinference.testing {
  requires static org.jspecify;
  requires static org.junit.jupiter.params;
  requires transitive io.miniinference.models;
  requires jdk.management;

  exports io.miniinference.testing;
  exports io.miniinference.testing.device;
  exports io.miniinference.testing.fuzz;
}
