package io.miniinference.device.opencl;

import io.miniinference.device.host.MappedFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Whether native libraries that take signals over leave the JVM its own.
///
/// - The JVM stops its threads and finds null pointers by way of SIGSEGV. PoCL's compiler, LLVM,
///   puts a handler of its own there that gives the signal back only after it came once; a second
///   thread that gets it meanwhile ends the process (status 139, no report). The JVM's `libjsig`,
///   preloaded, keeps the JVM's handlers in front and calls the others' for signals that are
///   theirs.
/// - Flight recordings suspend threads with SIGUSR2, at which LLVM deletes the files that it is
///   writing, so that programs are not built. `libjsig` does not watch that signal, but
///   `_JAVA_SR_SIGNUM` in the environment lets the JVM take another one
///   (`os/posix/signals_posix.cpp` of OpenJDK).
final class SignalChaining {
  /// The variable that names the signal with which the JVM suspends threads.
  static final String SUSPEND_SIGNAL = "_JAVA_SR_SIGNUM";

  private static final System.Logger LOG = System.getLogger(SignalChaining.class.getName());
  private static final String LIBRARY = "libjsig.so";

  private static final AtomicBoolean TOLD = new AtomicBoolean();

  private SignalChaining() {}

  /// Tells what the environment of the process lacks, once: it stays as it is. Says nothing on a
  /// system that does not tell what a process has loaded.
  static void warnIfMissing() {
    if (MappedFiles.areKnown() && !TOLD.getAndSet(true)) {
      missing(isLoaded(), System.getenv(SUSPEND_SIGNAL)).forEach(SignalChaining::warn);
    }
  }

  private static void warn(String line) {
    LOG.log(System.Logger.Level.WARNING, line);
  }

  /// What goes wrong with PoCL, and the remedies.
  static List<String> missing(boolean isLibraryLoaded, @Nullable String suspendSignal) {
    List<String> lines = new ArrayList<>();
    if (!isLibraryLoaded) {
      lines.add(
          "PoCL's compiler may take the JVM's signals from it, which rarely ends the process with"
              + " status 139; start it with LD_PRELOAD="
              + Path.of(System.getProperty("java.home"), "lib", LIBRARY));
    }
    if (suspendSignal == null) {
      lines.add(
          "PoCL's compiler deletes its own files when the JVM suspends a thread, as flight recordings"
              + " and profilers have it do, so that models may not load; start the process with "
              + SUSPEND_SIGNAL
              + "=45 in its environment");
    }
    return lines;
  }

  static boolean isLoaded() {
    return MappedFiles.paths().stream().anyMatch(path -> path.endsWith("/" + LIBRARY));
  }
}
