package io.miniinference.device.opencl;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Built programs on disk, one file each, named by what they were made from. A file begins with the
/// hash of the rest; one that is damaged is as good as none. The cache never fails anything: if it
/// cannot be written, programs are built again.
final class ProgramCache {
  private static final long LARGEST_BYTES = 256L << 20;
  private static final int HASH_BYTES = 32;

  private final Path directory;

  ProgramCache(Path directory) {
    this.directory = directory;
  }

  /// The name under which a program is kept: a hash of all that decides its binary.
  static String key(List<String> parts) {
    MessageDigest digest = sha256();
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
      digest.update(bytes);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  Optional<byte[]> load(String key) {
    Path file = file(key);
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > LARGEST_BYTES) {
        return Optional.empty();
      }
      return body(Files.readAllBytes(file));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<byte[]> body(byte[] content) {
    if (content.length <= HASH_BYTES) {
      return Optional.empty();
    }
    byte[] body = Arrays.copyOfRange(content, HASH_BYTES, content.length);
    byte[] hash = Arrays.copyOf(content, HASH_BYTES);
    return MessageDigest.isEqual(hash, sha256().digest(body))
        ? Optional.of(body)
        : Optional.empty();
  }

  /// Writes a file aside and renames it, so that nobody ever sees half of one.
  void store(String key, byte[] body) {
    if (body.length == 0 || body.length > LARGEST_BYTES - HASH_BYTES) {
      return;
    }
    try {
      Files.createDirectories(directory);
      Path partial = Files.createTempFile(directory, key.substring(0, 8), ".partial");
      try {
        Files.write(partial, concat(sha256().digest(body), body));
        Files.move(partial, file(key), StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(partial);
      }
    } catch (IOException e) {
      System.getLogger(ProgramCache.class.getName())
          .log(
              System.Logger.Level.DEBUG,
              "the program cache in " + directory + " cannot be written",
              e);
    }
  }

  private Path file(String key) {
    return directory.resolve(key + ".clbin");
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
