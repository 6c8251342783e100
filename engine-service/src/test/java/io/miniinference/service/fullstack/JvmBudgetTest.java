package io.miniinference.service.fullstack;

/// Pools of other sizes on the JVM device.
final class JvmBudgetTest implements BudgetContract {
  @Override
  public String device() {
    return "jvm";
  }
}
