package io.miniinference.onnx;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Bounded reading of files and of protobuf messages.
///
/// Files are read, not mapped: a mapped file that is cut short while it is in use takes the process
/// down.
public final class WireBytes {
  /// Messages inside messages. A body inside a body takes three.
  private static final int DEPTH = 100;

  private WireBytes() {}

  /// The whole file, or the reason why not.
  public static ByteBuffer file(String subject, Path file, long maxBytes) {
    try {
      if (!Files.isRegularFile(file)) {
        throw new ModelException(subject, Problem.of(absence(file)));
      }
      try (var channel = FileChannel.open(file)) {
        return whole(subject, channel, maxBytes);
      }
    } catch (NoSuchFileException e) {
      throw new ModelException(subject, Problem.of(absence(file)));
    } catch (IOException e) {
      throw new ModelException(subject, Problem.of("cannot be read: " + why(e)));
    }
  }

  /// Why a file cannot be read, without its place on the host: clients are told, too.
  public static String why(Exception failure) {
    return switch (failure) {
      case AccessDeniedException _ ->
          "the user of this process has no right to; chmod a+rX gives it";
      case FileSystemException of when of.getReason() != null -> of.getReason();
      default -> "the system gave no reason";
    };
  }

  private static String absence(Path file) {
    String path = Quote.of(file.toString());
    return Files.exists(file) ? path + " is not a file" : "there is no file " + path;
  }

  private static ByteBuffer whole(String subject, FileChannel channel, long maxBytes)
      throws IOException {
    checkSize(subject, channel.size(), maxBytes);
    var bytes = ByteBuffer.wrap(new byte[Math.toIntExact(channel.size())]);
    while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
    return bytes.flip();
  }

  private static void checkSize(String subject, long bytes, long maxBytes) {
    if (bytes > maxBytes) {
      String what =
          "has %d bytes, the limit is %d; keep large weights as external data"
              .formatted(bytes, maxBytes);
      throw new ModelException(subject, Problem.of(what));
    }
  }

  /// The message in these bytes; its byte fields are views of them, not copies.
  public static <T> T message(String subject, Parser<T> parser, ByteBuffer bytes, long maxBytes) {
    if (!bytes.hasRemaining()) {
      throw new ModelException(subject, Problem.of("is empty"));
    }
    return messageOrEmpty(subject, parser, bytes, maxBytes);
  }

  /// The same for messages in which it means something that no field is set.
  public static <T> T messageOrEmpty(
      String subject, Parser<T> parser, ByteBuffer bytes, long maxBytes) {
    checkSize(subject, bytes.remaining(), maxBytes);
    try {
      CodedInputStream input = input(bytes);
      T message = parser.parseFrom(input);
      input.checkLastTagWas(0); // or it ended before the bytes do
      return message;
    } catch (InvalidProtocolBufferException e) {
      throw new ModelException(subject, Problem.of(complaint(bytes, e)));
    }
  }

  private static CodedInputStream input(ByteBuffer bytes) {
    CodedInputStream input = UnsafeByteOperations.unsafeWrap(bytes).newCodedInput();
    input.enableAliasing(true);
    input.setRecursionLimit(DEPTH);
    input.setSizeLimit(Integer.MAX_VALUE);
    return input;
  }

  private static String complaint(ByteBuffer bytes, InvalidProtocolBufferException e) {
    String reason = String.valueOf(e.getMessage());
    String other = OtherFormat.of(bytes);
    if (!other.isEmpty()) {
      return other;
    }
    if (reason.contains("ended unexpectedly") || reason.contains("truncated")) {
      return "is truncated, or not an ONNX file: a field ends past the end of the %d bytes"
          .formatted(bytes.remaining());
    }
    if (reason.contains("too many levels of nesting")) {
      return "nests messages more than %d deep".formatted(DEPTH);
    }
    return "is damaged, or not an ONNX file: " + reason;
  }
}
