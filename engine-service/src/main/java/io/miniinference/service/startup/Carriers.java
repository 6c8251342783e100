package io.miniinference.service.startup;

/// The threads on which virtual ones run, and with them all requests. The JVM has as many as there
/// are processors. But one that calls the device stays in the driver until a batch is done, and one
/// that parses a large body gives its processor back now and then at best; with all of them taken,
/// nobody would even be refused. So here are twice as many, and the system shares the processors
/// out among them.
public final class Carriers {
  static final String PROPERTY = "jdk.virtualThreadScheduler.parallelism";

  private Carriers() {}

  /// Called before the first virtual thread; who sets the JVM's property is left alone.
  public static void widen() {
    if (System.getProperty(PROPERTY) == null) {
      System.setProperty(
          PROPERTY, Integer.toString(2 * Runtime.getRuntime().availableProcessors()));
    }
  }
}
