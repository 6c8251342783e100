package io.miniinference.onnx;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/// What a file is that is no ONNX, told by its first bytes, for the mistakes that people make: each
/// has a remedy of its own.
final class OtherFormat {
  /// As many bytes as it takes to come to the name of the second file in an archive of PyTorch's.
  private static final int HEAD = 256;

  /// One character for each byte.
  private record Format(Predicate<String> starts, String complaint) {}

  private static final List<Format> FORMATS =
      List.of(
          new Format(
              head -> head.startsWith("version https://git-lfs"),
              "is a Git LFS pointer, not the file itself: run git lfs pull"),
          new Format(
              head -> head.startsWith("PK") && head.contains(".pkl"),
              "is a file of PyTorch's, not ONNX: load it there and write it with torch.onnx.export"),
          new Format(head -> head.startsWith("PK"), "is a zip archive: unpack it"),
          new Format(
              head -> head.startsWith("\u001f\u008b") || head.startsWith("\u00fd7zXZ"),
              "is compressed: unpack it"),
          new Format(
              OtherFormat::isPickle,
              "is a pickle of Python's, not ONNX: load it there and export it, with"
                  + " torch.onnx.export or skl2onnx"),
          new Format(
              OtherFormat::isSafetensors,
              "is a safetensors file, which has weights and no graph: load it into its network and"
                  + " write that with torch.onnx.export or optimum-cli"),
          new Format(
              head -> head.startsWith("GGUF"),
              "is a GGUF file of llama.cpp's, not ONNX: export the network that it was made of"),
          new Format(
              head -> head.startsWith("\u0089HDF"),
              "is a file of Keras's (HDF5), not ONNX: convert it with tf2onnx"),
          new Format(
              head -> head.startsWith("TFL3", 4),
              "is TensorFlow Lite, not ONNX: convert it with" + " tf2onnx"),
          new Format(OtherFormat::isPage, "is an HTML page"));

  private OtherFormat() {}

  /// What the bytes are instead and what to do; "" if nothing known.
  static String of(ByteBuffer bytes) {
    var first = new byte[Math.min(bytes.remaining(), HEAD)];
    bytes.get(bytes.position(), first);
    String head = new String(first, StandardCharsets.ISO_8859_1);
    return FORMATS.stream()
        .filter(format -> format.starts.test(head))
        .findFirst()
        .map(Format::complaint)
        .orElse("");
  }

  /* The opcode of its protocol, 2 to 5; no field of a model has that number. */
  private static boolean isPickle(String head) {
    return head.length() > 1
        && head.charAt(0) == 0x80
        && head.charAt(1) >= 2
        && head.charAt(1) <= 5;
  }

  /* The length of its header in eight bytes, and the header, in JSON. */
  private static boolean isSafetensors(String head) {
    return head.startsWith("{\"", 8) && head.startsWith("\0\0", 6);
  }

  private static boolean isPage(String head) {
    String lower = head.stripLeading().toLowerCase(Locale.ROOT);
    return lower.startsWith("<!doctype") || lower.startsWith("<html");
  }
}
