package io.miniinference.service.fullstack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The README's request: a drawn 7 for `mnist-cnn`.
final class DrawnDigit {
  private DrawnDigit() {}

  static String request() throws IOException {
    return Files.readString(Path.of("..", "docs", "seven.json"));
  }
}
