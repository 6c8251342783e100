package io.miniinference.repository;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// A folder that can be written: the one that was asked for, or a temporary one, which goes with
/// the process, where that one cannot be made, is read-only or has no room. What lies in a cache
/// can be made again, so that no cache is a reason not to start.
public final class UsableFolder {
  private static final System.Logger LOG = System.getLogger(UsableFolder.class.getName());

  /// Who asks again gets the same, and no further folder with a copy of all that is in it.
  private static final Map<Path, Path> TEMPORARY = new ConcurrentHashMap<>();

  private UsableFolder() {}

  /// @param bytes of room that it must have
  public static Path of(Path wanted, long bytes) {
    Path before = TEMPORARY.get(wanted);
    if (before != null && Files.isDirectory(before)) {
      return before;
    }
    String problem = problem(wanted, bytes);
    return problem.isEmpty() ? wanted : inPlaceOf(wanted, problem);
  }

  private static synchronized Path inPlaceOf(Path wanted, String problem) {
    try {
      Path temporary = Files.createTempDirectory("mini-inference-engine");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(temporary)));
      LOG.log(
          System.Logger.Level.WARNING,
          "the cache {0} cannot be used ({1}); {2} is used until the process ends."
              + " Set engine.cache.directory to a folder with room that can be written",
          wanted,
          problem,
          temporary);
      TEMPORARY.put(wanted, temporary);
      return temporary;
    } catch (IOException e) {
      return wanted; // what writes there says what is wrong with it
    }
  }

  private static String problem(Path folder, long bytes) {
    try {
      Files.createDirectories(folder);
      Files.delete(Files.createTempFile(folder, "probe", ".partial"));
      long room = Files.getFileStore(folder).getUsableSpace();
      return room >= bytes ? "" : "it has room for " + room + " bytes";
    } catch (IOException e) {
      return String.valueOf(e);
    }
  }

  /// Deletes a temporary folder with all that is in it, as far as it can be.
  public static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "a temporary folder stays", e);
    }
  }
}
