package io.miniinference.interp.fast;

/// The JVM's module with the Vector API, an incubator's: there if the JVM was started with
/// `--add-modules`, or added to the running JVM where the application may.
///
/// A JVM that resolves an incubator's module at its start leaves out much of what it kept of an
/// earlier one (JEP 483): the start takes twice the CPU time. Added later it costs some
/// milliseconds, and the compiler treats it alike. What adds it is a method that the JVM has for
/// modules of agents; an application allows it in the manifest of its jar, by `Add-Exports:
/// java.base/jdk.internal.module`. A start whose classes the JVM keeps goes without
/// (`-Dmie.vectors=false`), since the JVM keeps none that know of a module that came later.
final class VectorModule {
  private static final String NAME = "jdk.incubator.vector";
  private static final String JVMS_MODULES = "jdk.internal.module.Modules";
  private static final String WANTED = "mie.vectors";

  private static volatile boolean there = ModuleLayer.boot().findModule(NAME).isPresent();

  private VectorModule() {}

  static boolean isThere() {
    return there;
  }

  /// Adds the module to the running JVM if it is not there and the application may.
  static synchronized void add() {
    there = there || (isWanted() && isOnClassPath() && added());
  }

  static boolean isWanted() {
    return Boolean.parseBoolean(System.getProperty(WANTED, "true"));
  }

  /* A module of the boot layer reads no module that comes later. */
  private static boolean isOnClassPath() {
    return !VectorModule.class.getModule().isNamed();
  }

  /* Not if this JVM's runtime has no such module, does not allow it, or does it in another way. */
  private static boolean added() {
    try {
      Class.forName(JVMS_MODULES).getMethod("loadModule", String.class).invoke(null, NAME);
      return true;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return false;
    }
  }
}
