package io.miniinference.testing.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Has PoCL build the kernels of a test, or of each test of a class, without optimisation: those of
/// the GPU writer, which only have to be right there, and those of the CPU writer where a test is
/// not about what they compute ([OnEachDevice#optimised]). PoCL takes twice as long to optimise the
/// first, for a CPU that they were not written for, and three times and more for the second.
///
/// PoCL copies a variable of its environment when it first asks for it, and reads its copy from
/// then on. So the copy is overwritten, too, by a value of the same length.
public final class UnoptimisedKernels implements BeforeEachCallback, AfterEachCallback {
  private static final String VARIABLE = "POCL_EXTRA_BUILD_FLAGS";
  private static final String UNOPTIMISED = "-cl-opt-disable";
  private static final String OPTIMISED = " ".repeat(UNOPTIMISED.length());

  private static final AddressLayout TEXT =
      ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(UNOPTIMISED.length() + 1, JAVA_BYTE));

  private static boolean isSet;

  @Override
  public void beforeEach(ExtensionContext context) {
    set(true);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    set(false);
  }

  /// Whether kernels that are built from now on are built without optimisation.
  public static synchronized void set(boolean unoptimised) {
    if (System.getenv(VARIABLE) != null) {
      return;
    }
    String value = unoptimised ? UNOPTIMISED : OPTIMISED;
    try (Arena arena = Arena.ofConfined()) {
      setEnvironment(arena, value);
      if (isSet) {
        overwriteCopy(arena, value);
      }
    }
    isSet = true;
  }

  /* System.getenv shows what the JVM was started with, and drivers see this. */
  private static void setEnvironment(Arena arena, String value) {
    MethodHandle setenv =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("setenv"),
                FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    try {
      int code =
          (int) setenv.invokeExact(arena.allocateFrom(VARIABLE), arena.allocateFrom(value), 1);
      if (code != 0) {
        throw new IllegalStateException("setenv of " + VARIABLE + " returned " + code);
      }
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  private static void overwriteCopy(Arena arena, String value) {
    Optional<MemorySegment> reader = reader(arena);
    if (reader.isEmpty()) {
      return;
    }
    MethodHandle read =
        Linker.nativeLinker()
            .downcallHandle(reader.get(), FunctionDescriptor.of(TEXT, ADDRESS, ADDRESS));
    try {
      MemorySegment copy =
          (MemorySegment) read.invokeExact(arena.allocateFrom(VARIABLE), MemorySegment.NULL);
      copy.setString(0, value);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /* PoCL's own function that gives out its copy; no other driver has it, nor the variable. */
  private static Optional<MemorySegment> reader(Arena arena) {
    try {
      return SymbolLookup.libraryLookup("libpocl.so.2", arena).find("pocl_get_string_option");
    } catch (IllegalArgumentException none) {
      return Optional.empty();
    }
  }

  private static IllegalStateException failure(Throwable cause) {
    return new IllegalStateException(VARIABLE + ": " + cause, cause);
  }
}
