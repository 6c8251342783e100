package io.miniinference.device.opencl;

import io.miniinference.device.host.MappedFiles;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The shared libraries into which PoCL compiles kernels, held open.
///
/// PoCL keeps the last 128 of a process open; with one kernel more, launches in turn open and close
/// a library each, which takes 45 µs. A library that we hold open as well stays mapped, and takes
/// 4.
final class KernelLibraries {
  private static final int RTLD_NOW = 2;

  /// Open now, by any program. Guarded by [OpenClProgram#COMPILER].
  private static final Set<String> HELD = new HashSet<>();

  private KernelLibraries() {}

  /// Holds all kernel libraries open that PoCL has open now and nobody holds. The caller holds
  /// [OpenClProgram#COMPILER].
  ///
  /// @return what to close when they are needed no more
  static List<Library> hold() {
    List<Library> libraries = new ArrayList<>();
    for (String path : mapped()) {
      if (HELD.add(path)) {
        long handle = Calls.open(path);
        if (handle == 0) {
          HELD.remove(path);
        } else {
          libraries.add(new Library(path, handle));
        }
      }
    }
    return libraries;
  }

  /// The files of libraries that are held open. The caller holds [OpenClProgram#COMPILER].
  static Set<String> held() {
    return Set.copyOf(HELD);
  }

  /* Where the system tells none, launches are slower, and no less right. */
  private static Set<String> mapped() {
    String directory = OpenClTargets.poclCache().toString();
    return MappedFiles.paths().stream()
        .filter(path -> path.endsWith(".so") && path.startsWith(directory))
        .collect(Collectors.toSet());
  }

  /// An open library. The caller of [#close] holds [OpenClProgram#COMPILER].
  record Library(String path, long handle) {
    void close() {
      HELD.remove(path);
      Calls.close(handle);
    }
  }

  /// The C library's functions.
  private static final class Calls {
    private static final MethodHandle OPEN =
        find(
            "dlopen",
            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    private static final MethodHandle CLOSE =
        find("dlclose", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

    private static MethodHandle find(String name, FunctionDescriptor type) {
      Linker linker = Linker.nativeLinker();
      SymbolLookup lookup = linker.defaultLookup();
      return linker.downcallHandle(lookup.findOrThrow(name), type);
    }

    static long open(String path) {
      try (Arena arena = Arena.ofConfined()) {
        return ((MemorySegment) OPEN.invokeExact(arena.allocateFrom(path), RTLD_NOW)).address();
      } catch (Throwable e) {
        throw new IllegalStateException("dlopen of " + path + ": " + e, e);
      }
    }

    static void close(long handle) {
      try {
        int code = (int) CLOSE.invokeExact(MemorySegment.ofAddress(handle));
        if (code != 0) {
          throw new IllegalStateException("dlclose returned " + code);
        }
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException("dlclose: " + e, e);
      }
    }
  }
}
