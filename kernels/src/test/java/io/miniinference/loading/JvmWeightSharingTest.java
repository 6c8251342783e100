package io.miniinference.loading;

final class JvmWeightSharingTest extends WeightSharingContract {
  @Override
  String device() {
    return "jvm";
  }
}
