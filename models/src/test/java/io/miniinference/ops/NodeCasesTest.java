package io.miniinference.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("data")
class NodeCasesTest {
  private static final int FLOOR = 1_252;

  @Test
  void theOperatorTestsOfTheStandardPassOnTheInterpreter() {
    SortedMap<String, String> failures = new TreeMap<>();
    int passed = 0;
    try (var cases = new NodeCases(Path.of(System.getProperty("mie.data")))) {
      for (NodeCases.Case test : cases.index()) {
        Optional<String> wrong = cases.run(test);
        wrong.ifPresent(what -> failures.put(test.name(), what));
        passed += wrong.isEmpty() ? 1 : 0;
      }
    }
    System.out.printf("%d operator tests passed, %d failed%n", passed, failures.size());
    assertThat(passed).as("failures: %s", failures).isGreaterThanOrEqualTo(FLOOR);
  }
}
