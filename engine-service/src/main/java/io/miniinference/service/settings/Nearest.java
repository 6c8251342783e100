package io.miniinference.service.settings;

import io.miniinference.onnx.Quote;
import io.miniinference.spring.names.EditDistance;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// What may have been meant by a name that is none: the nearest, if it is like it, else all of a
/// few.
final class Nearest {
  /// As many letters tell what a name is.
  private static final int READ = 100;

  /// More are not read in a message.
  private static final int MOST_LISTED = 16;

  private Nearest() {}

  /// A phrase that follows what is wrong.
  ///
  /// @param before what stands before each name in messages
  static String to(String name, List<String> known, String before) {
    String word = plain(name.substring(0, Math.min(name.length(), READ)));
    return known.stream()
        .min(Comparator.comparingInt(candidate -> EditDistance.between(word, plain(candidate))))
        .filter(candidate -> isLike(word, plain(candidate)))
        .map(candidate -> "the nearest is " + Quote.of(before + candidate))
        .orElseGet(() -> all(known, before));
  }

  /* One letter in four is wrong, or the name goes on otherwise. */
  private static boolean isLike(String word, String candidate) {
    return 4 * EditDistance.between(word, candidate) <= word.length()
        || 2 * commonStart(word, candidate) > word.length()
        || candidate.contains(word);
  }

  private static int commonStart(String a, String b) {
    int length = 0;
    while (length < Math.min(a.length(), b.length()) && a.charAt(length) == b.charAt(length)) {
      length++;
    }
    return length;
  }

  /* Some write words apart in another way. */
  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
  }

  private static String all(List<String> known, String before) {
    return known.size() > MOST_LISTED
        ? "none is like it"
        : known.stream()
            .map(name -> Quote.of(before + name))
            .collect(Collectors.joining(", ", "there are ", ""));
  }
}
