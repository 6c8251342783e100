package io.miniinference.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// No library that the service runs with is older than the fix of a weakness that
/// `src/test/advisories.txt` lists. The list is kept by hand and dated, so that the check needs no
/// network; it says nothing of what was found since.
final class AdvisoriesTest {
  private static final Path LIST = Path.of("src/test/advisories.txt");

  /* Of `group/…/artifact/version/artifact-version.jar`. */
  private record Library(String path, String artifact, String version) {
    static Library of(Path jar) {
      Path version = jar.getParent();
      return new Library(
          version.getParent().toString().replace('\\', '/'),
          version.getParent().getFileName().toString(),
          version.getFileName().toString());
    }

    boolean is(String group, String name) {
      return artifact.equals(name) && path.endsWith(group.replace('.', '/') + "/" + name);
    }
  }

  private record Advisory(String group, String artifact, String fixed, String text) {
    static Advisory of(String line) {
      String[] parts = line.split("\\s+", 3);
      String[] names = parts[0].split(":");
      return new Advisory(names[0], names[1], parts[1], line);
    }

    boolean hits(Library library) {
      return library.is(group, artifact) && isBefore(library.version, fixed);
    }
  }

  private static boolean isBefore(String version, String other) {
    List<Integer> a = numbers(version);
    List<Integer> b = numbers(other);
    for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
      int difference = (i < a.size() ? a.get(i) : 0) - (i < b.size() ? b.get(i) : 0);
      if (difference != 0) {
        return difference < 0;
      }
    }
    return false;
  }

  private static List<Integer> numbers(String version) {
    return Stream.of(version.split("[.-]"))
        .takeWhile(part -> part.matches("\\d{1,9}"))
        .map(Integer::valueOf)
        .toList();
  }

  private static List<Library> libraries() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(path -> path.endsWith(".jar"))
        .map(path -> Library.of(Path.of(path)))
        .toList();
  }

  private static List<Advisory> advisories() throws IOException {
    try (Stream<String> lines = Files.lines(LIST)) {
      return lines
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(Advisory::of)
          .toList();
    }
  }

  @Test
  void noLibraryIsOlderThanTheFixOfAListedWeakness() throws IOException {
    List<Library> libraries = libraries();
    List<String> hits = new ArrayList<>();
    for (Advisory advisory : advisories()) {
      libraries.stream()
          .filter(advisory::hits)
          .forEach(library -> hits.add(library + ": " + advisory.text()));
    }
    assertThat(hits).isEmpty();
  }

  @Test
  void theLibrariesAreFoundAndOldOnesWouldBe() throws IOException {
    Library old = new Library("com/google/protobuf/protobuf-java", "protobuf-java", "3.25.1");
    assertThat(advisories()).anyMatch(advisory -> advisory.hits(old));
    assertThat(libraries())
        .anyMatch(library -> library.is("org.apache.tomcat.embed", "tomcat-embed-core"))
        .anyMatch(library -> library.is("io.netty", "netty-handler"));
  }
}
