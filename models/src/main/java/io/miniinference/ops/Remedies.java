package io.miniinference.ops;

import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What the author of a model can do about an operator that the engine does not have.
enum Remedies {
  REGIONS("MaxRoiPool", "take RoiAlign, which does not round the corners of regions"),
  SEQUENCES(
      "Sequence\\w*|SplitToSequence|ConcatFromSequence|Optional\\w*",
      "lists of tensors are not served: in PyTorch, trace the network instead of scripting it"
          + " (dynamo=False where an EmbeddingBag makes lists), or write into one tensor"),
  STRINGS(
      "String\\w*|Regex\\w*|(com\\.microsoft\\.|ai\\.onnx\\.contrib\\.).*(Token|String|Regex)\\w*",
      "strings are made of the model's inputs and constants alone: make what it reads one of them, or"
          + " do this in the client, which sends what comes of it"),
  IMAGES("ImageDecoder", "decode images in the client, which sends pixels"),
  RANDOM("Random\\w*|Bernoulli|Multinomial", "make random numbers an input of the model"),
  CLASSIC(
      "ai\\.onnx\\.ml\\..*",
      "maps and strings are not served: encode categories as numbers before the request, and export"
          + " the rest of the pipeline"),
  QUANTISED_CELLS(
      "com\\.microsoft\\.DynamicQuantizeLSTM",
      "quantise the model with LSTM left out of op_types_to_quantize"),
  QUANTISED(
      "com\\.microsoft\\.(Q\\w+|Dynamic\\w+)",
      "ONNX Runtime's quantiser writes it: quantise the model as its exporter wrote it, with"
          + " QuantFormat.QDQ"),
  OPTIMISED(
      "com\\.microsoft\\..*",
      "ONNX Runtime's optimiser writes it: take the model as it was before"),
  FALLBACK("(org\\.pytorch\\.)?aten\\..*", "export without the fallback to ATen");

  private final Pattern operators;
  private final String remedy;

  Remedies(String operators, String remedy) {
    this.operators = Pattern.compile(operators);
    this.remedy = remedy;
  }

  /// @param operator with its domain, if that is not ONNX's own
  static Optional<String> of(String operator) {
    return Stream.of(values())
        .filter(family -> family.operators.matcher(operator).matches())
        .map(family -> family.remedy)
        .findFirst();
  }
}
