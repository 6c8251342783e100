package io.miniinference.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Whether native libraries that take signals over leave the JVM its own. The JVM stops its threads
/// and finds null pointers by way of SIGSEGV. PoCL's compiler, LLVM, puts a handler of its own
/// there that gives the signal back only after it came once; a second thread that gets it meanwhile
/// ends the process (status 139, no report). The JVM's `libjsig`, preloaded, keeps the JVM's
/// handlers in front and calls the others' for signals that are theirs.
final class SignalChaining {
  private static final System.Logger LOG = System.getLogger(SignalChaining.class.getName());
  private static final Path LIBRARIES = Path.of("/proc/self/maps");
  private static final String LIBRARY = "libjsig.so";

  private SignalChaining() {}

  /// Tells how to preload the library where it is not. Says nothing on a system that does not tell
  /// what a process has loaded.
  static void warnIfMissing() {
    if (Files.exists(LIBRARIES) && !isLoaded()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "PoCL''s compiler may take the JVM''s signals from it, which rarely ends the process with"
              + " status 139; start it with LD_PRELOAD={0}",
          Path.of(System.getProperty("java.home"), "lib", LIBRARY));
    }
  }

  static boolean isLoaded() {
    try (Stream<String> lines = Files.lines(LIBRARIES)) {
      return lines.anyMatch(line -> line.endsWith("/" + LIBRARY));
    } catch (IOException e) {
      return false;
    }
  }
}
