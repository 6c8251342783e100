package io.miniinference.runtime.strings;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// Leaves stop words out and writes the others in another case.
///
/// @param action `NONE`, `LOWER` or `UPPER`
/// @param stopwords in lower case, if case is of no account
record Normaliser(String action, boolean isCaseSensitive, Locale locale, Set<String> stopwords) {
  Normaliser {
    stopwords =
        stopwords.stream()
            .map(word -> isCaseSensitive ? word : word.toLowerCase(locale))
            .collect(Collectors.toUnmodifiableSet());
  }

  /// Whether there may be fewer strings than before.
  boolean leavesOut() {
    return !stopwords.isEmpty();
  }

  boolean stops(byte[] utf8) {
    if (stopwords.isEmpty()) {
      return false;
    }
    String word = new String(utf8, StandardCharsets.UTF_8);
    return stopwords.contains(isCaseSensitive ? word : word.toLowerCase(locale));
  }

  byte[] inCase(byte[] utf8) {
    if (action.equals("NONE")) {
      return utf8;
    }
    String word = new String(utf8, StandardCharsets.UTF_8);
    String other = action.equals("LOWER") ? word.toLowerCase(locale) : word.toUpperCase(locale);
    return other.getBytes(StandardCharsets.UTF_8);
  }
}
