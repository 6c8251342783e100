package io.miniinference.service.verify;

import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.Problem;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.tensor.OnnxValue;
import io.miniinference.onnx.tensor.ValueFile;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The values of one folder `test_data_set_k` or `case_k`, by the names that the model gives them.
///
/// @param inputs in the order of their files
/// @param outputs by position; those without a file are missing
record DataSet(String name, Map<String, OnnxValue> inputs, Map<Integer, OnnxValue> outputs) {

  /// Reads the values of a folder.
  static DataSet read(Path folder, OnnxModel model) {
    List<ValueInfoProto> wanted = wanted(model);
    Map<String, OnnxValue> inputs = new LinkedHashMap<>();
    values(folder, "input", wanted)
        .forEach((position, value) -> inputs.put(nameOf(value, position, wanted), value));
    var outputs = values(folder, "output", model.graph().getOutputList());
    return new DataSet(String.valueOf(folder.getFileName()), inputs, outputs);
  }

  /// What a request gives: the graph's inputs less those that only name an initializer.
  static List<ValueInfoProto> wanted(OnnxModel model) {
    Set<String> initialized =
        model.graph().getInitializerList().stream()
            .map(TensorProto::getName)
            .collect(Collectors.toSet());
    return model.graph().getInputList().stream()
        .filter(input -> !initialized.contains(input.getName()))
        .toList();
  }

  /// The name inside the file if the model knows it, else that of the file's number.
  private static String nameOf(OnnxValue value, int position, List<ValueInfoProto> declared) {
    boolean known = declared.stream().anyMatch(input -> input.getName().equals(value.name()));
    return known ? value.name() : declared.get(position).getName();
  }

  private static Map<Integer, OnnxValue> values(
      Path folder, String kind, List<ValueInfoProto> declared) {
    Map<Integer, OnnxValue> values = new LinkedHashMap<>();
    List<Path> files = files(folder, kind);
    for (Path file : files) {
      int position = number(file, kind);
      if (position >= declared.size()) {
        throw new ModelException(
            shown(file),
            Problem.of("belongs to no " + kind + ": the model has " + declared.size()));
      }
      values.put(position, read(file, declared.get(position)));
    }
    return values;
  }

  private static List<Path> files(Path folder, String kind) {
    List<Path> files = new ArrayList<>();
    for (int i = 0; Files.exists(folder.resolve(kind + "_" + i + ".pb")); i++) {
      files.add(folder.resolve(kind + "_" + i + ".pb"));
    }
    return files;
  }

  private static int number(Path file, String kind) {
    String name = String.valueOf(file.getFileName());
    return Integer.parseInt(name.substring(kind.length() + 1, name.length() - ".pb".length()));
  }

  private static OnnxValue read(Path file, ValueInfoProto declared) {
    ByteBuffer bytes = ByteBuffer.wrap(bytes(file));
    return ValueFile.read(
        shown(file), bytes, declared.getType(), ReadLimits.defaults().tensorBytes());
  }

  /* With its folder, of which a model may have several. */
  private static String shown(Path file) {
    Path folder = file.getParent();
    String name = String.valueOf(file.getFileName());
    return folder == null || folder.getFileName() == null
        ? name
        : TestModel.fileName(folder) + "/" + name;
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
