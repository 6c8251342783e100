package io.miniinference.runtime;

final class JvmSpecialisationTest extends SpecialisationContract {
  @Override
  String device() {
    return "jvm";
  }
}
