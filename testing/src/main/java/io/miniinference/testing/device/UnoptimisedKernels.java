package io.miniinference.testing.device;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Has PoCL build the kernels of a test, or of each test of a class, without optimisation: those of
/// the GPU writer, which only have to be right there. PoCL takes twice as long to optimise them,
/// for a CPU that they were not written for.
///
/// PoCL remembers the first value that it finds, so this holds where such a test is the first of a
/// process that builds kernels, and then for all of the process; else they are optimised after all.
public final class UnoptimisedKernels implements BeforeEachCallback, AfterEachCallback {
  private static final String VARIABLE = "POCL_EXTRA_BUILD_FLAGS";

  @Override
  public void beforeEach(ExtensionContext context) {
    set(true);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    set(false);
  }

  static void set(boolean unoptimised) {
    if (System.getenv(VARIABLE) == null) {
      setEnvironment(VARIABLE, unoptimised ? "-cl-opt-disable" : "");
    }
  }

  /* System.getenv shows what the JVM was started with, and drivers see this. */
  private static void setEnvironment(String name, String value) {
    Linker linker = Linker.nativeLinker();
    var address = ValueLayout.ADDRESS;
    var type = FunctionDescriptor.of(ValueLayout.JAVA_INT, address, address, ValueLayout.JAVA_INT);
    MethodHandle setenv = linker.downcallHandle(linker.defaultLookup().findOrThrow("setenv"), type);
    try (Arena arena = Arena.ofConfined()) {
      int code = (int) setenv.invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), 1);
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
