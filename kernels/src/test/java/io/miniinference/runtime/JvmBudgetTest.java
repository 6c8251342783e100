package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// On the JVM device.
@Tag("data")
final class JvmBudgetTest extends BudgetContract {
  @Override
  String device() {
    return "jvm";
  }
}
