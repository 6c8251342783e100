package io.miniinference.service.fuzz;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Class names, places in sources and addresses in an answer, less what the request said itself: an
/// answer may repeat a name that a client chose, in any of the spellings that the two have for it,
/// and in small letters where letters of either size name the same.
final class Internals {
  private static final Pattern SHOWN =
      Pattern.compile(
          "\\b(?:java|javax|jakarta|sun|jdk|org|com|io)\\.[a-z0-9_]+\\.[\\w.$]+"
              + "|\\b[A-Z]\\w{0,80}(?:Exception|Error)\\b|\\(\\w+\\.java|\\bat \\w+\\.\\w+\\(|0x[0-9a-fA-F]{6,}|\\b\\w{1,80}@[0-9a-f]{5,}");

  /// Escapes of JSON; any other character after a backslash is that character.
  private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|(.))");

  /// What stands between two chunks of a body.
  private static final Pattern CHUNK = Pattern.compile("\r\n[0-9a-fA-F]{1,8}\r\n");

  private final List<String> sent;

  Internals(byte[] request) {
    String text = new String(request, StandardCharsets.UTF_8);
    String bytes = new String(request, StandardCharsets.ISO_8859_1);
    String joined = CHUNK.matcher(bytes).replaceAll("");
    sent =
        Stream.of(text, unescaped(text), bytes, decoded(bytes), unescaped(decoded(bytes)), joined)
            .flatMap(spelling -> Stream.of(spelling, spelling.toLowerCase(Locale.ROOT)))
            .toList();
  }

  /// Fails with the first that the answer shows.
  void checkNoneIn(String answer) {
    Matcher shown = SHOWN.matcher(unescaped(answer));
    while (shown.find()) {
      String found = shown.group();
      if (sent.stream().noneMatch(text -> text.contains(found))) {
        throw new AssertionError("the answer shows '" + found + "': " + answer);
      }
    }
  }

  private static String unescaped(String text) {
    return ESCAPE.matcher(text).replaceAll(escape -> Matcher.quoteReplacement(plain(escape)));
  }

  private static String plain(MatchResult escape) {
    if (escape.group(1) != null) {
      return Character.toString((char) Integer.parseInt(escape.group(1), 16));
    }
    return switch (escape.group(2)) {
      case "b", "f", "n", "r", "t" -> " ";
      default -> escape.group(2);
    };
  }

  /* As a path is: what is no escape stays. */
  private static String decoded(String text) {
    return URLDecoder.decode(
        text.replaceAll("%(?![0-9a-fA-F]{2})", "%25").replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
