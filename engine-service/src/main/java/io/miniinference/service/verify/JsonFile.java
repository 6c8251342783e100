package io.miniinference.service.verify;

import io.miniinference.service.json.JsonProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A JSON file as a tree.
final class JsonFile {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private JsonFile() {}

  static JsonNode read(Path file) {
    byte[] bytes = bytes(file);
    try {
      return MAPPER.readTree(bytes);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(file + ": " + JsonProblem.of(bytes, e), e);
    }
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
