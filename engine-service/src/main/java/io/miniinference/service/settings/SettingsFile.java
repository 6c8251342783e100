package io.miniinference.service.settings;

import io.miniinference.onnx.WireBytes;
import io.miniinference.service.config.SettingsException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// A small file of text beside a model.
final class SettingsFile {
  /// Most bytes of one that is to be understood, wherever its text comes from.
  static final int MOST_BYTES = 64 << 10;

  private SettingsFile() {}

  /// A file as messages name it, which clients of the repository API read, too: with its folder,
  /// and without where on the host that is.
  static String shown(Path file) {
    int names = file.getNameCount();
    return file.subpath(Math.max(0, names - 2), names).toString();
  }

  /// The text of a file; empty if there is none.
  ///
  /// @throws SettingsException if it cannot be read, is no UTF-8, or is over [#MOST_BYTES]
  static Optional<String> text(Path file) {
    return text(file, MOST_BYTES);
  }

  /// The text of a file; empty if there is none.
  ///
  /// @throws SettingsException if it cannot be read, is no UTF-8, or is larger than that
  static Optional<String> text(Path file, int mostBytes) {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(mostBytes + 1);
      if (bytes.length > mostBytes) {
        throw new SettingsException("%s is over %,d bytes".formatted(shown(file), mostBytes));
      }
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      throw new SettingsException(shown(file) + " is not text in UTF-8", e);
    } catch (IOException e) {
      throw new SettingsException(shown(file) + " cannot be read: " + WireBytes.why(e), e);
    }
  }
}
