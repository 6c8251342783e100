package io.miniinference.service.cli;

import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.Signature;
import io.miniinference.service.tensors.InputContent;
import io.miniinference.service.tensors.Normalisation;
import io.miniinference.service.tensors.RandomContent;
import io.miniinference.service.verify.DataRun;
import io.miniinference.signature.TensorSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options that say what an input holds: a file of its own, or else random elements.
final class InputOptions {
  /// As many as a model can be loaded for.
  private static final int MOST_ROWS = 1 << 16;

  @Option(
      names = "--input",
      paramLabel = "[NAME=]FILE",
      description = {
        "content of an input: .npy of NumPy; .json of nested lists; or an image (.png, .jpg),"
            + " scaled to the input's height and width, 0 to 1 for floats. A .json with a request"
            + " of the V2 protocol is for all inputs. Inputs without a file are random"
      })
  private List<String> files = List.of();

  @Option(
      names = "--mean",
      paramLabel = "R,G,B",
      split = ",",
      description =
          "what is subtracted from an image's values from 0 to 1, such as 0.485,0.456,0.406")
  private @Nullable List<Double> mean;

  @Option(
      names = "--std",
      paramLabel = "R,G,B",
      split = ",",
      description = "by what they are divided then, such as 0.229,0.224,0.225")
  private @Nullable List<Double> deviation;

  @Option(names = "--batch", paramLabel = "N", description = "rows of random inputs (default: 1)")
  private @Nullable Integer batch;

  @Option(names = "--seed", paramLabel = "N", description = "of random inputs (default: 42)")
  private long seed = 42;

  @Option(
      names = "--dim",
      paramLabel = "NAME=SIZE",
      description = "size of a dimension that the model leaves open, other than the batch")
  private Map<String, Long> dimensions = new LinkedHashMap<>();

  Map<String, Long> dimensions() {
    return dimensions;
  }

  /// Whether anything is said about what inputs hold.
  boolean isAny() {
    return !files.isEmpty() || batch != null;
  }

  /// What is given for a model's inputs.
  ///
  /// @throws IllegalArgumentException if a file is not there or not readable, or belongs to none,
  ///   or an option has nothing to act on
  Given of(OnnxModel model) {
    int rows = rows();
    BatchChoice.requireOne(model, dimensions, batch);
    Map<String, InputContent> contents = new LinkedHashMap<>();
    for (String file : files) {
      assign(file, DataRun.inputNames(model), contents);
    }
    requireImages(contents.values());
    return new Given(contents, rows, seed);
  }

  private int rows() {
    Integer given = batch;
    if (given == null) {
      return 1;
    }
    if (given < 1 || given > MOST_ROWS) {
      throw new IllegalArgumentException("--batch " + given + " is not from 1 to " + MOST_ROWS);
    }
    if (!files.isEmpty()) {
      throw new IllegalArgumentException(
          "--batch is for random inputs, and --input gives the rows: leave one of them out");
    }
    return given;
  }

  /* Other contents are taken as they are. */
  private void requireImages(Collection<InputContent> contents) {
    boolean isAsked = mean != null || deviation != null;
    if (isAsked && contents.stream().noneMatch(InputContent::isImage)) {
      throw new IllegalArgumentException(
          "--mean and --std are for images, and no --input is one: leave them out");
    }
  }

  private InputContent content(String file) {
    var normalisation =
        new Normalisation(
            Objects.requireNonNullElse(mean, Normalisation.NONE.mean()),
            Objects.requireNonNullElse(deviation, Normalisation.NONE.deviation()));
    return InputContent.read(Path.of(file), normalisation);
  }

  private void assign(String text, List<String> inputs, Map<String, InputContent> contents) {
    for (String input : inputs) {
      if (text.startsWith(input + "=")) {
        add(input, content(text.substring(input.length() + 1)), contents);
        return;
      }
    }
    assignUnnamed(text, inputs, contents);
  }

  private void assignUnnamed(String text, List<String> inputs, Map<String, InputContent> contents) {
    boolean isFile = Files.isRegularFile(Path.of(text));
    if (isFile || (inputs.size() == 1 && !text.contains("="))) {
      InputContent content = content(text);
      if (!content.inputs().isEmpty()) {
        requireKnown(text, content.inputs(), inputs);
        inputs.forEach(input -> add(input, content, contents));
        return;
      }
      if (inputs.size() == 1) {
        add(inputs.getFirst(), content, contents);
        return;
      }
    }
    throw new IllegalArgumentException(
        "--input %s: write NAME=FILE, where NAME is one of %s".formatted(text, inputs));
  }

  private static void requireKnown(String file, List<String> given, List<String> inputs) {
    for (String name : given) {
      if (!inputs.contains(name)) {
        throw new IllegalArgumentException(
            "'%s' is a request with input '%s', and the model has %s"
                .formatted(file, name, inputs));
      }
    }
  }

  private static void add(String input, InputContent content, Map<String, InputContent> contents) {
    if (contents.putIfAbsent(input, content) != null) {
      throw new IllegalArgumentException("--input gives '" + input + "' twice: leave one out");
    }
  }

  /// Contents by input, and what decides over the others.
  record Given(Map<String, InputContent> contents, int batch, long seed) {

    /// The rows for which the model is to be loaded.
    int rows() {
      long most = contents.values().stream().mapToLong(InputContent::rows).max().orElse(1);
      return (int) Math.clamp(Math.max(most, contents.isEmpty() ? batch : 1), 1, MOST_ROWS);
    }

    /// By name, all inputs of the model.
    Map<String, Tensor> tensors(Signature signature) {
      var random = new Random(seed);
      Map<String, Tensor> tensors = new LinkedHashMap<>();
      for (TensorSpec input : signature.inputs()) {
        InputContent content = contents.get(input.name());
        tensors.put(
            input.name(),
            content == null
                ? RandomContent.of(input, rows(), signature.dictionary(), random)
                : content.tensor(input));
      }
      return tensors;
    }

    /// Where an input's content is from, as people read it.
    String origin(String input) {
      return contents.containsKey(input) ? "from a file" : "random, seed " + seed;
    }
  }
}
