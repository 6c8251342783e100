package io.miniinference.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The JVM lives by signals that PoCL's compiler would take from it.
@Tag("opencl")
final class SignalChainingTest {
  private static final int SIGSEGV = 11;
  private static final long SIGACTION_BYTES = 152;

  @Test
  void theJvmKeepsItsHandlerWhileADriverCompiles() {
    assertThat(SignalChaining.isLoaded()).isTrue();
    long before = handler();
    Path cache = TestCache.FOLDER;
    try (Device device = new OpenClDevice(OpenClTargets.find(cache).targets().getFirst(), cache)) {
      device.openPool(1 << 20);
      device.build(TestKernels.openCl(UUID.randomUUID().toString()));
      assertThat(handler()).isEqualTo(before);
    }
  }

  /// The address that the kernel knows, asked of the C library itself: with the chain in front,
  /// `sigaction` of the process tells what a library believes to have set.
  private static long handler() {
    SymbolLookup libc = SymbolLookup.libraryLookup("libc.so.6", Arena.global());
    MethodHandle sigaction =
        Linker.nativeLinker()
            .downcallHandle(
                libc.findOrThrow("sigaction"),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment action = arena.allocate(SIGACTION_BYTES, 8);
      assertThat((int) sigaction.invokeExact(SIGSEGV, MemorySegment.NULL, action)).isZero();
      return action.get(ValueLayout.JAVA_LONG, 0);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
