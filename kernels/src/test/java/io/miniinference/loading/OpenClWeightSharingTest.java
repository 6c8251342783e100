package io.miniinference.loading;

import org.junit.jupiter.api.Tag;

@Tag("opencl")
final class OpenClWeightSharingTest extends WeightSharingContract {
  @Override
  String device() {
    return "opencl";
  }
}
