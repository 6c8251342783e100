package io.miniinference.service.fullstack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// An example in a page of the documentation.
///
/// @param page the file's name
/// @param line where it begins
/// @param language empty if it has none
/// @param next the block behind it in the page, itself if there is none
record PageBlock(String page, int line, String language, String text, String next) {
  private static final Path ROOT = Path.of("..");
  private static final Pattern FENCE =
      Pattern.compile("^```(\\w*)\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

  /// All of README and of the pages in `docs`.
  static List<PageBlock> all() throws IOException {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      return Stream.concat(
              Stream.of(ROOT.resolve("README.md")),
              docs.filter(file -> file.toString().endsWith(".md")).sorted())
          .flatMap(PageBlock::of)
          .toList();
    }
  }

  private static Stream<PageBlock> of(Path page) {
    List<PageBlock> blocks = new ArrayList<>();
    String text = read(page);
    Matcher fence = FENCE.matcher(text);
    while (fence.find()) {
      int line = 1 + (int) text.substring(0, fence.start()).lines().count();
      Matcher next = FENCE.matcher(text.substring(fence.end()));
      String behind = next.find() ? next.group(2) : fence.group(2);
      blocks.add(
          new PageBlock(
              page.getFileName().toString(), line, fence.group(1), fence.group(2), behind));
    }
    return blocks.stream();
  }

  private static String read(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isIn(String... pages) {
    return List.of(pages).contains(page);
  }

  /// Its commands, each on one line and without the remark behind it.
  List<String> commands() {
    return text.replaceAll("\\\\\\n *", "")
        .lines()
        .map(command -> command.replaceAll("\\s{2,}#.*$", "").strip())
        .filter(command -> !command.isEmpty())
        .toList();
  }

  @Override
  public String toString() {
    return page + ":" + line + " " + (language.isEmpty() ? "text" : language);
  }
}
