package io.miniinference.device.host;

import io.miniinference.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/// Zeroed memory that Linux is asked to back with huge pages (`madvise(2)`, `MADV_HUGEPAGE`): a
/// network that reads tens of megabytes of weights spends a tenth of its time and more on looking
/// up pages of 4 KB. The kernel gives what it has, and pages of 4 KB for the rest.
final class HugePages {
  static final long PAGE_BYTES = 2L << 20;

  private static final int PROT_READ_WRITE = 1 | 2;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x02 | 0x20;
  private static final int MADV_HUGEPAGE = 14;

  private static final FunctionDescriptor MMAP =
      FunctionDescriptor.of(
          ValueLayout.ADDRESS,
          ValueLayout.ADDRESS,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_INT,
          ValueLayout.JAVA_INT,
          ValueLayout.JAVA_INT,
          ValueLayout.JAVA_LONG);
  private static final FunctionDescriptor MADVISE =
      FunctionDescriptor.of(
          ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT);
  private static final FunctionDescriptor MUNMAP =
      FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);

  private HugePages() {}

  /// Memory of `bytes`, aligned to a huge page and unmapped when the arena closes; empty where the
  /// system has no such pages, where it refuses, where the JVM denies native access, and for less
  /// than two of them.
  static Optional<MemorySegment> allocate(Arena arena, long bytes) {
    boolean worthIt = "Linux".equals(System.getProperty("os.name")) && bytes >= 2 * PAGE_BYTES;
    return worthIt ? Calls.FOUND.flatMap(calls -> map(calls, arena, bytes)) : Optional.empty();
  }

  private static Optional<MemorySegment> map(Calls calls, Arena arena, long bytes) {
    try {
      long mapped = Math.addExact(bytes, PAGE_BYTES);
      MemorySegment all =
          (MemorySegment)
              calls.mmap.invokeExact(
                  MemorySegment.NULL, mapped, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
      if (all.address() == -1) {
        return Optional.empty();
      }
      long start = Math.ceilDiv(all.address(), PAGE_BYTES) * PAGE_BYTES;
      MemorySegment aligned =
          MemorySegment.ofAddress(start).reinterpret(bytes, arena, _ -> unmap(calls, all, mapped));
      int _ = (int) calls.madvise.invokeExact(aligned, bytes, MADV_HUGEPAGE);
      return Optional.of(aligned);
    } catch (Throwable e) {
      throw new DeviceException("mapping a pool of " + bytes + " bytes failed", e);
    }
  }

  private static void unmap(Calls calls, MemorySegment all, long bytes) {
    try {
      int _ = (int) calls.munmap.invokeExact(all, bytes);
    } catch (Throwable e) {
      throw new DeviceException("unmapping a pool of " + bytes + " bytes failed", e);
    }
  }

  /// The C library's calls.
  private record Calls(MethodHandle mmap, MethodHandle madvise, MethodHandle munmap) {

    /// Looked up when they are first needed; empty where the JVM denies native access.
    static final Optional<Calls> FOUND = find();

    private static Optional<Calls> find() {
      try {
        return Optional.of(
            new Calls(call("mmap", MMAP), call("madvise", MADVISE), call("munmap", MUNMAP)));
      } catch (IllegalCallerException e) {
        return Optional.empty();
      }
    }

    private static MethodHandle call(String name, FunctionDescriptor type) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }
  }
}
