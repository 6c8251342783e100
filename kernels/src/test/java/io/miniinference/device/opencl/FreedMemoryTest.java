package io.miniinference.device.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class FreedMemoryTest {
  /// Below what glibc maps for itself and unmaps when it is freed.
  private static final long PIECE_BYTES = 64 << 10;

  private static final int PIECES = 4_000;
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle MALLOC =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("malloc"),
          FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
  private static final MethodHandle FREE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("free"),
          FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));

  @Test
  void whatWasFreedIsGivenBackToTheSystem() throws Throwable {
    Deque<MemorySegment> taken = new ArrayDeque<>();
    for (int i = 0; i < PIECES; i++) {
      taken.add(
          ((MemorySegment) MALLOC.invokeExact(PIECE_BYTES))
              .reinterpret(PIECE_BYTES)
              .fill((byte) 1));
    }
    MemorySegment last = taken.removeLast(); // what lies before it cannot just be cut off
    for (MemorySegment piece : taken) {
      FREE.invokeExact(piece);
    }
    long before = residentBytes();

    CompletableFuture<Void> giving = FreedMemory.giveBackSoon();
    assertThat(FreedMemory.giveBackSoon()).as("once for both").isSameAs(giving);
    giving.get(20, TimeUnit.SECONDS);

    long given = before - residentBytes();
    FREE.invokeExact(last);
    assertThat(given).isGreaterThan(PIECES * PIECE_BYTES / 2);
  }

  private static long residentBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .findFirst()
        .orElseThrow();
  }
}
