package io.miniinference.service.fullstack;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;

/// The files that commands of the documentation name, in a folder: models as a user has them, and
/// inputs for these.
record PageFiles(Path folder) {
  private static final int SEQUENCE = 5;

  static PageFiles in(Path folder) throws IOException {
    PageFiles files = new PageFiles(folder);
    files.writeModels();
    files.writeInputs();
    Files.createDirectories(folder.resolve("docs"));
    Files.copy(Path.of("..", "docs", "seven.json"), folder.resolve("docs/seven.json"));
    return files;
  }

  private void writeModels() {
    new OpenModel()
        .floats("image", "N,3,32,32")
        .counting("weights", 3, 10)
        .node("GlobalAveragePool", "image", "mean")
        .node("Flatten", "mean", "flat", "axis=1")
        .node("MatMul", "flat weights", "scores")
        .output("scores", "N,10")
        .write(folder.resolve("models"), "images");
    new OpenModel()
        .longs("ids", "batch,sequence")
        .longs("mask", "batch,sequence")
        .node("Mul", "ids mask", "masked")
        .node("Cast", "masked", "values", "to=1")
        .output("values", "batch,sequence")
        .write(folder.resolve("models"), "texts");
    new OpenModel()
        .floats("X", "N,4")
        .counting("weights", 4, 2)
        .node("ai.onnx.ml.Normalizer", "X", "scaled")
        .node("MatMul", "scaled weights", "scores")
        .node("Softmax", "scores", "probabilities", "axis=1")
        .output("probabilities", "N,2")
        .writeFile(folder.resolve("churn.onnx"));
  }

  private void writeInputs() throws IOException {
    ImageIO.write(
        new BufferedImage(32, 32, BufferedImage.TYPE_INT_RGB),
        "png",
        folder.resolve("photo.png").toFile());
    Files.writeString(
        folder.resolve("classes.txt"),
        IntStream.range(0, 10).mapToObj(i -> "class " + i).collect(Collectors.joining("\n")));
    Files.writeString(folder.resolve("mask.json"), "[[1,1,1,0,0]]");
    Files.write(folder.resolve("ids.npy"), ids());
  }

  /* One row of numbers in NumPy's format, version 1.0. */
  private static byte[] ids() {
    String header = "{'descr': '<i8', 'fortran_order': False, 'shape': (1, " + SEQUENCE + "), }";
    String padded = header + " ".repeat(64 - (10 + header.length() + 1) % 64) + "\n";
    ByteBuffer bytes =
        ByteBuffer.allocate(10 + padded.length() + 8 * SEQUENCE).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
    bytes.put((byte) 1).put((byte) 0).putShort((short) padded.length());
    bytes.put(padded.getBytes(StandardCharsets.US_ASCII));
    IntStream.range(0, SEQUENCE).forEach(bytes::putLong);
    return bytes.array();
  }

  /// A command with these files in place of those that it names.
  String[] words(String command) {
    String model = command.contains("ids=") || command.contains("sequence=") ? "texts" : "images";
    Map<String, String> places = new TreeMap<>();
    places.put("model.onnx", "models/" + model + "/1/model.onnx");
    places.put("/path/to/folder", "models");
    places.put("models/resnet18", "models/images/1");
    places.put("models(?= )", "models");
    for (String file :
        new String[] {
          "churn.onnx",
          "photo.png",
          "classes.txt",
          "mask.json",
          "ids.npy",
          "docs/seven.json",
          "plan.svg"
        }) {
      places.put(file, file);
    }
    String changed = command;
    for (Map.Entry<String, String> place : places.entrySet()) {
      changed =
          changed.replaceAll(
              "(?<=[ =])" + place.getKey(), folder.resolve(place.getValue()).toString());
    }
    return changed.split(" +");
  }

  /// The repository of the page on repositories, with what the page says of its model.
  Path repository(String yaml) throws IOException {
    Path repository = folder.resolve("repository");
    for (String version : new String[] {"1", "2"}) {
      new OpenModel()
          .floats("tokens", "batch,sequence")
          .floats("lines", "batch,height")
          .list("axes", 1)
          .counting("weights", 1, 10)
          .node("ReduceSum", "tokens axes", "of-tokens", "keepdims=1")
          .node("ReduceSum", "lines axes", "of-lines", "keepdims=1")
          .node("Add", "of-tokens of-lines", "both")
          .node("MatMul", "both weights", "probabilities")
          .output("probabilities", "batch,10")
          .write(repository, "mnist", version);
    }
    Files.writeString(repository.resolve("mnist/model.yaml"), yaml);
    Files.copy(folder.resolve("classes.txt"), repository.resolve("mnist/labels.txt"));
    return repository;
  }
}
