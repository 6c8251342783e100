package io.miniinference.service.verify;

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
    try {
      return MAPPER.readTree(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(file + " is not JSON: " + e.getOriginalMessage(), e);
    }
  }
}
