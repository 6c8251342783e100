package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

@Tag("opencl")
final class OpenClSpecialisationTest extends SpecialisationContract {
  @Override
  String device() {
    return "opencl";
  }
}
