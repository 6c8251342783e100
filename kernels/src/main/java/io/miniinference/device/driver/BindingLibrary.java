package io.miniinference.device.driver;

import io.miniinference.device.host.MappedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The native library of JOCL, which it unpacks from its jar into the folder of temporary files and
/// loads from there when its class is initialised.
///
/// By itself JOCL gives that file one name, and loads whatever has it: what another user of the
/// system put there, or what was cut short as its process was killed. The JVM, too, lets one class
/// loader alone have a file, and not another, such as that of an application that a server deployed
/// before. So JOCL is told to give its file a random name, and the name is taken away once the file
/// is loaded.
public final class BindingLibrary {
  /// With `true` each file has a name of its own.
  private static final String UNIQUE_NAMES = "uniqueLibraryNames";

  private static final System.Logger LOG = System.getLogger(BindingLibrary.class.getName());

  private static final String FILE = "/libJOCL_";
  private static final String ITS_OWN_FAILED = "attempt to load the library as a resource:";

  /* Of bindings that failed. Of a failure that it tells again the JVM keeps the beginning alone,
   * and JOCL's begins with a trace of all callers, so that it does not reach to the reason. */
  private static final Map<Class<?>, String> PROBLEMS = new ConcurrentHashMap<>();

  private BindingLibrary() {}

  /// Initialises a class of the binding, if it is not.
  ///
  /// @return why its library cannot be unpacked or loaded, with the remedy; empty if it was
  /// @throws LinkageError if that of the driver cannot
  public static Optional<String> initialise(Class<?> binding) {
    String known = PROBLEMS.get(binding);
    return known == null ? attempt(binding) : Optional.of(known);
  }

  private static Optional<String> attempt(Class<?> binding) {
    String before = System.getProperty(UNIQUE_NAMES);
    if (before == null) {
      System.setProperty(UNIQUE_NAMES, "true");
    }
    try {
      Class.forName(binding.getName(), true, binding.getClassLoader());
      deleteUnpacked();
      return Optional.empty();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    } catch (LinkageError e) {
      String problem = problem(why(e).orElseThrow(() -> e));
      PROBLEMS.put(binding, problem);
      return Optional.of(problem);
    } finally {
      if (before == null) {
        System.clearProperty(UNIQUE_NAMES);
      }
    }
  }

  /* Where the system tells what is loaded; elsewhere JOCL does so as the process ends. */
  private static void deleteUnpacked() {
    try {
      Path folder = Path.of(System.getProperty("java.io.tmpdir")).toRealPath();
      for (String path : MappedFiles.paths()) {
        if (path.startsWith(folder + FILE)) {
          Files.deleteIfExists(Path.of(path));
        }
      }
    } catch (IOException | InvalidPathException e) {
      LOG.log(System.Logger.Level.DEBUG, "an unpacked library stays", e);
    }
  }

  /* Of the failure itself, or of the one to which a later attempt refers. */
  private static Optional<String> why(LinkageError failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      String message = String.valueOf(e.getMessage());
      int found = message.indexOf(ITS_OWN_FAILED);
      if (found >= 0) {
        return message.substring(found + ITS_OWN_FAILED.length()).strip().lines().findFirst();
      }
    }
    return Optional.empty();
  }

  private static String problem(String why) {
    return why.contains(IllegalCallerException.class.getSimpleName())
        ? denied()
        : "no OpenCL found (%s): JOCL unpacks its library into %s, and needs a folder that can be written and whose files may be executed: name one with -Djava.io.tmpdir=FOLDER"
            .formatted(why, System.getProperty("java.io.tmpdir"));
  }

  /// What to tell where the JVM was started with `--illegal-native-access=deny`.
  public static String denied() {
    return "no OpenCL found (the JVM denies native access): start it with"
        + " --enable-native-access=ALL-UNNAMED, and on the module path with"
        + " --enable-native-access=jocl,io.miniinference.kernels";
  }
}
