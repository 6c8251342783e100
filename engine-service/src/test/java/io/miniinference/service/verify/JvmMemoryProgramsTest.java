package io.miniinference.service.verify;

import org.junit.jupiter.api.Tag;
import tools.jackson.databind.JsonNode;

/// On the JVM device, where nothing is rounded up and no layout is converted: bytes and copies are
/// the best that there are.
@Tag("data")
final class JvmMemoryProgramsTest extends MemoryProgramsContract {
  @Override
  String device() {
    return "jvm";
  }

  @Override
  String codegen() {
    return "auto";
  }

  @Override
  String shortfall(String program, JsonNode plan, JsonNode expected) {
    long bytes = plan.path("plannedBytes").asLong();
    long best = expected.path("optimal_bytes").asLong();
    long most = best + expected.path("slack_bytes").asLong();
    int copies = plan.path("copies").asInt();
    int fewest = expected.path("optimal_copies").asInt();
    return bytes <= most && copies <= fewest
        ? ""
        : "%d bytes instead of %d, %d copies instead of %d".formatted(bytes, best, copies, fewest);
  }
}
