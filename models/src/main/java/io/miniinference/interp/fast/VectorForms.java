package io.miniinference.interp.fast;

import io.miniinference.interp.lanes.Lanes;
import java.util.concurrent.atomic.AtomicBoolean;

/// Whether products are computed with the Vector API, where its module is there ([VectorModule]),
/// or in plain Java. The bits are the same.
///
/// Before the JVM has compiled it, code of the Vector API is a hundred times slower than plain
/// Java. So it is run beside all else until it is fast, and taken from then on.
public final class VectorForms {
  private static final AtomicBoolean STARTED = new AtomicBoolean();

  private VectorForms() {}

  /// Whether the JVM has the module.
  public static boolean areThere() {
    return VectorModule.isThere();
  }

  /// Whether nothing but the JVM's start keeps them away: the application did not do without.
  public static boolean areMissed() {
    return !areThere() && VectorModule.isWanted();
  }

  /// Adds the forms to this JVM if the application may.
  public static void add() {
    VectorModule.add();
  }

  /// Has the JVM compile the vector forms in the background, once, if they are there. A device
  /// calls this with its first work: a service that only starts needs the cores for itself.
  public static void prepare() {
    if (areThere() && !Lanes.areInUse() && !STARTED.get() && STARTED.compareAndSet(false, true)) {
      Thread thread = new Thread(VectorForms::warm, "vector-forms");
      thread.setDaemon(true);
      thread.setPriority(Thread.MIN_PRIORITY);
      thread.start();
    }
  }

  /// Has the JVM compile the vector forms now, if they are there or the application may add them.
  ///
  /// @return whether they are in use
  public static boolean await() {
    VectorModule.add();
    if (areThere() && !Lanes.areInUse()) {
      warm();
    }
    return Lanes.areInUse();
  }

  static boolean areInUse() {
    return Lanes.areInUse();
  }

  private static void warm() {
    if (new VectorWarmUp().run()) {
      Lanes.use();
    }
  }
}
