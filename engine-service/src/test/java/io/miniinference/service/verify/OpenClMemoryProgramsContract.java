package io.miniinference.service.verify;

import java.util.List;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/// On an OpenCL device, where blocked layouts may round up and convert, but nothing is copied in
/// blocks of networks that can do without.
abstract class OpenClMemoryProgramsContract extends MemoryProgramsContract {
  @Override
  final String device() {
    return "opencl";
  }

  @Override
  final String shortfall(String program, JsonNode plan, JsonNode expected) {
    boolean network = program.startsWith("n");
    if (!network || expected.path("optimal_copies").asInt() > 0) {
      return "";
    }
    List<String> copies =
        StreamSupport.stream(plan.path("steps").spliterator(), false)
            .filter(step -> step.path("kind").asString().equals("copy"))
            .map(step -> step.path("name").asString())
            .toList();
    return copies.isEmpty() ? "" : "copies " + copies;
  }
}
