package io.miniinference.device.opencl;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/// The environment that native libraries of this process see. [System#getenv] shows the one that
/// the JVM was started with.
final class ProcessEnvironment {
  private ProcessEnvironment() {}

  /// Sets a variable unless the user has.
  static void preset(String name, String value) {
    if (System.getenv(name) == null) {
      set(name, value);
    }
  }

  private static void set(String name, String value) {
    Linker linker = Linker.nativeLinker();
    Optional<MemorySegment> setenv = linker.defaultLookup().find("setenv");
    if (setenv.isEmpty()) {
      return;
    }
    MethodHandle handle =
        linker.downcallHandle(
            setenv.get(),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      int code = (int) handle.invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), 1);
      if (code != 0) {
        throw new IllegalStateException("setenv of " + name + " returned " + code);
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("setenv of " + name + ": " + e, e);
    }
  }
}
