package io.miniinference.onnx.tensor;

import io.miniinference.onnx.Quote;
import io.miniinference.onnx.WireBytes;
import io.miniinference.onnx.wire.StringStringEntryProto;
import io.miniinference.onnx.wire.TensorProto;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The place of a tensor's data in another file ([ONNX: External
/// Data](https://onnx.ai/onnx/repo-docs/ExternalData.html)).
///
/// The file must lie in the model's folder or below it, links followed: a model from outside may
/// not read the host's files. The optional checksum is not looked at.
///
/// @param location path relative to the model's folder
/// @param offset first byte
/// @param length bytes
record ExternalData(String location, long offset, long length) {
  private static final int CHUNK_BYTES = 1 << 26;

  /// The place that a message names, checked against the bytes that its type and shape need.
  static ExternalData of(TensorProto proto, long bytes) {
    Map<String, String> entries = new HashMap<>();
    for (StringStringEntryProto entry : proto.getExternalDataList()) {
      if (entries.put(entry.getKey(), entry.getValue()) != null) {
        throw new TensorFault(
            "gives %s of its external data twice".formatted(Quote.of(entry.getKey())));
      }
    }
    long offset = number(entries, "offset", 0);
    long length = number(entries, "length", bytes);
    if (length != bytes) {
      throw new TensorFault(
          "has %d bytes of external data, its type and shape need %d".formatted(length, bytes));
    }
    return new ExternalData(entries.getOrDefault("location", ""), offset, length);
  }

  private static long number(Map<String, String> entries, String key, long otherwise) {
    String text = entries.get(key);
    if (text == null) {
      return otherwise;
    }
    try {
      long value = Long.parseLong(text);
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new TensorFault(fault(key, text), e);
    }
    throw new TensorFault(fault(key, text));
  }

  private static String fault(String key, String text) {
    return "has external data with %s %s, which is no size".formatted(key, Quote.of(text));
  }

  /// The bytes, read from the model's folder.
  MemorySegment read(@Nullable Path folder) {
    if (folder == null) {
      throw new TensorFault("has external data, but the model was not read from a folder");
    }
    try {
      Path file = resolve(folder);
      try (var channel =
          FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
        checkExtent(channel.size());
        return read(channel);
      }
    } catch (NoSuchFileException e) {
      throw new TensorFault(
          ("has external data in %s, which is not there; keep it beside the model's file, as the"
                  + " exporter wrote it")
              .formatted(Quote.of(location)),
          e);
    } catch (InvalidPathException | IOException e) {
      throw new TensorFault(
          "has external data in %s, which cannot be read: %s"
              .formatted(Quote.of(location), WireBytes.why(e)),
          e);
    }
  }

  private Path resolve(Path folder) throws IOException {
    Path relative = Path.of(location);
    if (location.isEmpty() || relative.isAbsolute() || climbs(relative)) {
      throw new TensorFault(
          "has external data in %s; only paths inside the model's folder are allowed"
              .formatted(Quote.of(location)));
    }
    Path file = folder.resolve(relative).toRealPath();
    if (!file.startsWith(folder.toRealPath())) {
      throw new TensorFault(
          "has external data in %s, which links out of the model's folder"
              .formatted(Quote.of(location)));
    }
    if (!Files.isRegularFile(file)) {
      throw new TensorFault(
          "has external data in %s, which is not a file".formatted(Quote.of(location)));
    }
    return file;
  }

  private static boolean climbs(Path path) {
    for (Path part : path) {
      if (part.toString().equals("..")) {
        return true;
      }
    }
    return false;
  }

  private void checkExtent(long fileBytes) {
    if (offset > fileBytes || length > fileBytes - offset) {
      throw new TensorFault(
          "has external data at bytes %d to %s of %s, which has only %d"
              .formatted(
                  offset, Long.toUnsignedString(offset + length), Quote.of(location), fileBytes));
    }
  }

  private MemorySegment read(FileChannel channel) throws IOException {
    MemorySegment bytes = Arena.ofAuto().allocate(length);
    for (long at = 0; at < length; at += CHUNK_BYTES) {
      readChunk(channel, bytes.asSlice(at, Math.min(CHUNK_BYTES, length - at)), offset + at);
    }
    return bytes;
  }

  private static void readChunk(FileChannel channel, MemorySegment chunk, long position)
      throws IOException {
    ByteBuffer buffer = chunk.asByteBuffer();
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, position + buffer.position()) < 0) {
        throw new IOException("the file became shorter while it was read");
      }
    }
  }
}
