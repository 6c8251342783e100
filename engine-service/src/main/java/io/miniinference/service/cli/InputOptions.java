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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import picocli.CommandLine.Option;

/// The options that say what an input holds: a file of its own, or else random elements.
final class InputOptions {
  /// As many as a model can be loaded for.
  private static final int MOST_ROWS = 1 << 16;

  @Option(
      names = "--input",
      paramLabel = "[NAME=]FILE",
      description = {
        "content of an input: .npy of NumPy; .json of nested lists, or of the V2 protocol; or an image"
            + " (.png, .jpg), scaled to the input's height and width, 0 to 1 for floats."
            + " Inputs without a file are random"
      })
  private List<String> files = List.of();

  @Option(
      names = "--mean",
      paramLabel = "R,G,B",
      split = ",",
      description =
          "what is subtracted from an image's values from 0 to 1, such as 0.485,0.456,0.406")
  private List<Double> mean = Normalisation.NONE.mean();

  @Option(
      names = "--std",
      paramLabel = "R,G,B",
      split = ",",
      description = "by what they are divided then, such as 0.229,0.224,0.225")
  private List<Double> deviation = Normalisation.NONE.deviation();

  @Option(names = "--batch", paramLabel = "N", description = "rows of random inputs (default: 1)")
  private int batch = 1;

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

  /// What is given for a model's inputs.
  ///
  /// @throws IllegalArgumentException if a file is not there or not readable, or belongs to none
  Given of(OnnxModel model) {
    if (batch < 1 || batch > MOST_ROWS) {
      throw new IllegalArgumentException("--batch " + batch + " is not from 1 to " + MOST_ROWS);
    }
    Map<String, InputContent> contents = new LinkedHashMap<>();
    for (String file : files) {
      Assigned assigned = assigned(file, DataRun.inputNames(model));
      contents.put(assigned.input(), content(assigned.file()));
    }
    return new Given(contents, batch, seed);
  }

  private InputContent content(String file) {
    return InputContent.read(Path.of(file), new Normalisation(mean, deviation));
  }

  private record Assigned(String input, String file) {}

  private static Assigned assigned(String text, List<String> inputs) {
    for (String input : inputs) {
      if (text.startsWith(input + "=")) {
        return new Assigned(input, text.substring(input.length() + 1));
      }
    }
    if (inputs.size() == 1 && (Files.exists(Path.of(text)) || !text.contains("="))) {
      return new Assigned(inputs.getFirst(), text);
    }
    throw new IllegalArgumentException(
        "--input %s: write NAME=FILE, where NAME is one of %s".formatted(text, inputs));
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
