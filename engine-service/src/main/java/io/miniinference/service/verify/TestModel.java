package io.miniinference.service.verify;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A model folder of the ONNX test layout, on disk or in a zip file.
///
/// @param name of the folder
/// @param tolerance what the suite's `index.tsv` says, or the default
record TestModel(String name, Path folder, Tolerance tolerance) {
  private static final Pattern NUMBERED = Pattern.compile("(?:test_data_set|case)_([0-9]{1,9})");

  OnnxModel read() {
    try {
      byte[] bytes = Files.readAllBytes(folder.resolve("model.onnx"));
      return OnnxReader.read(name, ByteBuffer.wrap(bytes), folder, ReadLimits.defaults());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + folder.resolve("model.onnx"), e);
    }
  }

  /// The folders `test_data_set_k`, in order.
  List<Path> dataSets() {
    return numbered("test_data_set_");
  }

  /// The folders `case_k`, in order.
  List<Path> cases() {
    return numbered("case_");
  }

  private List<Path> numbered(String prefix) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(path -> fileName(path).startsWith(prefix) && number(path) >= 0)
          .sorted(Comparator.comparingInt(TestModel::number))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + folder, e);
    }
  }

  private static int number(Path path) {
    Matcher matcher = NUMBERED.matcher(fileName(path));
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
  }

  /// The last part of a path; zip file systems end folders with a slash.
  static String fileName(Path path) {
    String name = String.valueOf(path.getFileName());
    return name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
  }
}
