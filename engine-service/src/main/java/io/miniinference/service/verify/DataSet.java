package io.miniinference.service.verify;

import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.Problem;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.tensor.OnnxValue;
import io.miniinference.onnx.tensor.ValueFile;
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

/// The values of one folder `test_data_set_k` or `case_k`, by the names that the model gives them.
///
/// @param inputs in the order of their files
/// @param outputs by position in the file; those without a file are missing
/// @param answered for each output that the file lists, its place among those of an answer
record DataSet(
    String name,
    Map<String, OnnxValue> inputs,
    Map<Integer, OnnxValue> outputs,
    List<Integer> answered) {

  /// Reads the values of a folder.
  static DataSet read(Path folder, OnnxModel model) {
    List<ValueInfoProto> wanted = model.requested();
    Map<String, OnnxValue> inputs = new LinkedHashMap<>();
    values(folder, "input", wanted)
        .forEach((position, value) -> inputs.put(nameOf(value, position, wanted), value));
    var outputs = values(folder, "output", model.graph().getOutputList());
    return new DataSet(String.valueOf(folder.getFileName()), inputs, outputs, answered(model));
  }

  private static List<Integer> answered(OnnxModel model) {
    List<String> names = model.answered().stream().map(ValueInfoProto::getName).toList();
    return model.graph().getOutputList().stream()
        .map(output -> names.indexOf(output.getName()))
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
