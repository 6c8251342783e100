package io.miniinference.ops;

import io.miniinference.onnx.wire.TypeProto;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What the author of a model can do about an operator that the engine does not have.
enum Remedies {
  REGIONS("MaxRoiPool", "take RoiAlign, which does not round the corners of regions"),
  STRINGS(
      "String\\w*|Regex\\w*|(com\\.microsoft\\.|ai\\.onnx\\.contrib\\.).*(Token|String|Regex)\\w*",
      "strings are made of the model's inputs and constants alone: make what it reads one of them, or"
          + " do this in the client, which sends what comes of it"),
  IMAGES("ImageDecoder", "decode images in the client, which sends pixels"),
  RANDOM("Random\\w*|Bernoulli|Multinomial", "make random numbers an input of the model"),
  CLASSIC(
      "ai\\.onnx\\.ml\\..*",
      "maps are not served: make columns of what they hold before the request, and export the rest of"
          + " the pipeline"),
  EXTENSIONS(
      "com\\.microsoft\\.extensions\\..*|ai\\.onnx\\.contrib\\..*",
      "ONNX Runtime's extensions bring it, for what comes before and behind a network: do that in the"
          + " client, and take the model without it"),
  GENERATION(
      "com\\.microsoft\\.(\\w*BeamSearch|GreedySearch|Sampling)",
      "it chooses tokens by running the network in it again and again: serve that network, and choose"
          + " in the client"),
  QUANTISED(
      "com\\.microsoft\\.(Q\\w+|Dynamic\\w+)",
      "ONNX Runtime's quantiser writes it: quantise the model as its exporter wrote it, with"
          + " QuantFormat.QDQ"),
  OPTIMISED(
      "com\\.microsoft\\..*",
      "ONNX Runtime's optimiser writes it: take the model as it was before"),
  FALLBACK("(org\\.pytorch\\.)?aten\\..*", "export without the fallback to ATen"),
  OWN(
      ".*\\..*",
      "it is none of ONNX's: write it with those, in the network before the export or as a function"
          + " in the file");

  private final Pattern operators;
  private final String remedy;

  Remedies(String operators, String remedy) {
    this.operators = Pattern.compile(operators);
    this.remedy = remedy;
  }

  /// Whether a model declares a list, an optional or the like.
  static boolean isList(TypeProto type) {
    return switch (type.getValueCase()) {
      case TENSOR_TYPE, VALUE_NOT_SET -> false;
      case SEQUENCE_TYPE, MAP_TYPE, OPTIONAL_TYPE, SPARSE_TENSOR_TYPE, OPAQUE_TYPE -> true;
    };
  }

  /// What is wrong with an input or output of the whole model that is no tensor.
  static String ofList(TypeProto type) {
    return switch (type.getValueCase()) {
      case SEQUENCE_TYPE, TENSOR_TYPE, VALUE_NOT_SET ->
          "is a list of tensors, for which requests have no form; make each of them an input or output of its own";
      case OPTIONAL_TYPE ->
          "is an optional, for which requests have no form; export the network with the value, or without it";
      case MAP_TYPE, SPARSE_TENSOR_TYPE, OPAQUE_TYPE ->
          "is no tensor (%s)".formatted(type.getValueCase());
    };
  }

  /// @param operator with its domain, if that is not ONNX's own
  static Optional<String> of(String operator) {
    return Stream.of(values())
        .filter(family -> family.operators.matcher(operator).matches())
        .map(family -> family.remedy)
        .findFirst();
  }
}
