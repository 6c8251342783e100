package io.miniinference.interp.lanes;

/// Whether loops with the Vector API are in use: the JVM has its module, and has compiled them.
public final class Lanes {
  private static volatile boolean inUse;

  private Lanes() {}

  public static boolean areInUse() {
    return inUse;
  }

  /// Takes them from now on.
  public static void use() {
    inUse = true;
  }
}
