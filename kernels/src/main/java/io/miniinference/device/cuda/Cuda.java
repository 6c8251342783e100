package io.miniinference.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.miniinference.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/// NVIDIA's driver, if this host has it (CUDA Driver API): its functions by name, and what their
/// codes mean. Those of the request path are [CudaCalls].
final class Cuda {
  private static final List<String> LIBRARIES = List.of("libcuda.so.1", "nvcuda.dll");
  private static final Optional<SymbolLookup> LIBRARY = library();

  private Cuda() {}

  /// Whether this host has the driver.
  static boolean isThere() {
    return LIBRARY.isPresent();
  }

  private static Optional<SymbolLookup> library() {
    for (String name : LIBRARIES) {
      try {
        return Optional.of(SymbolLookup.libraryLookup(name, Arena.global()));
      } catch (IllegalArgumentException e) {
        // the next name
      }
    }
    return Optional.empty();
  }

  /// A function that gives a code; one that always fails where there is no driver.
  static MethodHandle find(String name, MemoryLayout... arguments) {
    return LIBRARY
        .map(library ->
            Linker.nativeLinker()
                .downcallHandle(
                    library.findOrThrow(name), FunctionDescriptor.of(JAVA_INT, arguments)))
        .orElseThrow(() ->
            new DeviceException(
                "there is no CUDA driver: none of " + LIBRARIES + " can be opened"));
  }

  /// Throws if a code is one of a failure.
  static void check(int code, String call) {
    if (code != 0) {
      throw new DeviceException("%s failed with %s (%d)".formatted(call, name(code), code));
    }
  }

  private static String name(int code) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(ADDRESS);
      int failed = (int) find("cuGetErrorName", JAVA_INT, ADDRESS).invokeExact(code, text);
      return failed != 0 ? "?" : text.get(ADDRESS, 0).reinterpret(Long.MAX_VALUE).getString(0);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  /// What a call into the driver threw, which is nothing that its function declares.
  static RuntimeException rethrown(Throwable failure) {
    return switch (failure) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new DeviceException("a call into CUDA failed: " + failure, failure);
    };
  }

  /// Calls a function that is not called often.
  static void call(String name, MethodHandle function, Object... arguments) {
    try {
      check((int) function.invokeWithArguments(arguments), name);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }
}
