package io.miniinference.device.opencl;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Memory that native libraries have freed and that the C library keeps for later.
///
/// PoCL's compiler takes and frees tens of megabytes for a program, each time from a thread of its
/// own. glibc keeps what is freed, and a part of it per thread: a service that loads and unloads
/// models grew by 100 MB a minute, of which nothing was in use.
final class FreedMemory {
  private static final Optional<MethodHandle> MALLOC_TRIM = find();
  private static final Executor SOON = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);
  private static @Nullable CompletableFuture<Void> due;

  private FreedMemory() {}

  private static Optional<MethodHandle> find() {
    Linker linker = Linker.nativeLinker();
    FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
    return linker.defaultLookup().find("malloc_trim").map(at -> linker.downcallHandle(at, type));
  }

  /// Gives the system back what is free, a second from now and once for all that is freed until
  /// then, where the C library has a function for it, as glibc has: what one program freed the next
  /// one takes, and other threads wait while pages go.
  ///
  /// @return done when it is given back
  static synchronized CompletableFuture<Void> giveBackSoon() {
    CompletableFuture<Void> giving = due;
    if (giving == null) {
      giving = CompletableFuture.runAsync(FreedMemory::giveBack, SOON);
      due = giving;
    }
    return giving;
  }

  private static void giveBack() {
    forget(); // first: what is freed from here on may be too late for this one
    MALLOC_TRIM.ifPresent(FreedMemory::trim);
  }

  private static synchronized void forget() {
    due = null;
  }

  private static void trim(MethodHandle mallocTrim) {
    try {
      int _ = (int) mallocTrim.invokeExact(0L);
    } catch (Throwable e) {
      throw new IllegalStateException("malloc_trim: " + e, e);
    }
  }
}
