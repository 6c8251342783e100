package io.miniinference.service.config;

import io.miniinference.repository.ModelFile;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Which versions of a model are served: all, the newest few, or some by number.
public sealed interface VersionPolicy {
  /// Those of the repository's versions that are served.
  ///
  /// @param versions in the order of their numbers
  List<ModelFile> of(List<ModelFile> versions);

  /// Every version.
  record All() implements VersionPolicy {
    @Override
    public List<ModelFile> of(List<ModelFile> versions) {
      return versions;
    }
  }

  /// The versions with the highest numbers.
  record Latest(int count) implements VersionPolicy {
    @Override
    public List<ModelFile> of(List<ModelFile> versions) {
      return versions.subList(Math.max(0, versions.size() - count), versions.size());
    }
  }

  /// Versions by their numbers.
  record Specific(List<String> numbers) implements VersionPolicy {
    public Specific {
      numbers = List.copyOf(numbers);
    }

    @Override
    public List<ModelFile> of(List<ModelFile> versions) {
      List<String> known = versions.stream().map(ModelFile::version).toList();
      if (!known.containsAll(numbers)) {
        throw new SettingsException(
            "versions asks for " + numbers + ", and the repository has " + known);
      }
      return versions.stream().filter(file -> numbers.contains(file.version())).toList();
    }
  }

  /// Reads `all`, `latest`, `latest:COUNT` or numbers with commas between.
  ///
  /// @throws IllegalArgumentException if it is none of these
  static VersionPolicy parse(String text) {
    String policy = text.strip();
    if (policy.equals("all")) {
      return new All();
    }
    Matcher latest = Pattern.compile("latest(?::([1-9][0-9]{0,5}))?").matcher(policy);
    if (latest.matches()) {
      return new Latest(latest.group(1) == null ? 1 : Integer.parseInt(latest.group(1)));
    }
    if (!policy.matches("[0-9]{1,18}(\\s*,\\s*[0-9]{1,18}){0,999}")) {
      throw new IllegalArgumentException(
          "versions is '%s', not all, latest, latest:COUNT or numbers such as 1,3"
              .formatted(policy));
    }
    return new Specific(
        Arrays.stream(policy.split(","))
            .map(number -> Long.toString(Long.parseLong(number.strip())))
            .toList());
  }
}
