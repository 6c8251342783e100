package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// On the JVM device.
@Tag("data")
final class JvmFailureProgramsTest extends FailureProgramsContract {
  @Override
  String device() {
    return "jvm";
  }
}
