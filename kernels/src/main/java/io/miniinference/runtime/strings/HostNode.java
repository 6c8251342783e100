package io.miniinference.runtime.strings;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.Problem;
import io.miniinference.onnx.Quote;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.NodeProto;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A node of an operator that makes strings or looks into them.
///
/// @param model for messages
record HostNode(String model, NodeProto node, Map<String, AttributeProto> attributes) {
  /// Largest pattern of a regular expression, its repetitions written out.
  private static final long MOST_PATTERN = 10_000;

  /// Most groups in each other, since RE2 follows them call by call.
  private static final int MOST_DEPTH = 200;

  private static final Map<String, Set<String>> OPERATORS =
      Map.of(
          "StringConcat", Set.of(),
          "RegexFullMatch", Set.of("pattern"),
          "StringSplit", Set.of("delimiter", "maxsplit"),
          "StringNormalizer",
              Set.of("case_change_action", "is_case_sensitive", "locale", "stopwords"));

  /// The node, if it is one.
  static Optional<HostNode> of(String model, NodeProto node) {
    Set<String> known = OPERATORS.get(node.getOpType());
    boolean isOnnx = node.getDomain().isEmpty() || node.getDomain().equals("ai.onnx");
    if (known == null || !isOnnx || !hasItsOperands(node)) {
      return Optional.empty();
    }
    Map<String, AttributeProto> attributes =
        node.getAttributeList().stream()
            .collect(Collectors.toMap(AttributeProto::getName, Function.identity(), (a, _) -> a));
    return known.containsAll(attributes.keySet())
        ? Optional.of(new HostNode(model, node, attributes))
        : Optional.empty();
  }

  private static boolean hasItsOperands(NodeProto node) {
    int inputs = node.getOpType().equals("StringConcat") ? 2 : 1;
    int mostOutputs = node.getOpType().equals("StringSplit") ? 2 : 1;
    return node.getInputCount() == inputs
        && node.getOutputCount() >= 1
        && node.getOutputCount() <= mostOutputs;
  }

  String operator() {
    return node.getOpType();
  }

  /// What it does.
  ///
  /// @throws ModelException if an attribute makes no sense
  StringStep.Work work() {
    return switch (operator()) {
      case "StringConcat" -> StringWorks::joined;
      case "RegexFullMatch" -> StringWorks.matching(pattern());
      case "StringSplit" -> StringWorks.splitting(splitter());
      default -> StringWorks.normalising(normaliser());
    };
  }

  private String string(String name, String fallback) {
    AttributeProto attribute = attributes.get(name);
    return attribute == null ? fallback : attribute.getS().toStringUtf8();
  }

  private Pattern pattern() {
    String pattern = string("pattern", "");
    PatternSize size = PatternSize.measured(pattern);
    if (size.characters() > MOST_PATTERN) {
      throw fault(
          "has a pattern of %d characters with its repetitions, more than %d"
              .formatted(size.characters(), MOST_PATTERN));
    }
    if (size.depth() > MOST_DEPTH) {
      throw fault(
          "has a pattern of %d groups in each other, more than %d"
              .formatted(size.depth(), MOST_DEPTH));
    }
    try {
      return Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      throw fault("has a pattern that is none of RE2: " + e.getMessage());
    }
  }

  private Splitter splitter() {
    AttributeProto delimiter = attributes.get("delimiter");
    AttributeProto most = attributes.get("maxsplit");
    byte[] bytes = delimiter == null ? new byte[0] : delimiter.getS().toByteArray();
    return new Splitter(
        new String(bytes, StandardCharsets.ISO_8859_1), most == null ? -1 : most.getI());
  }

  private List<String> stopwords() {
    AttributeProto words = attributes.get("stopwords");
    return words == null
        ? List.of()
        : words.getStringsList().stream().map(it -> it.toStringUtf8()).toList();
  }

  private Normaliser normaliser() {
    String action = string("case_change_action", "NONE");
    if (!Set.of("NONE", "LOWER", "UPPER").contains(action)) {
      throw fault("has case_change_action = %s".formatted(Quote.of(action)));
    }
    AttributeProto sensitive = attributes.get("is_case_sensitive");
    String tag = string("locale", "en_US").replace('_', '-');
    return new Normaliser(
        action,
        sensitive != null && sensitive.getI() != 0,
        Locale.forLanguageTag(tag),
        new HashSet<>(stopwords()));
  }

  private ModelException fault(String what) {
    String name = node.getName().isEmpty() ? node.getOutput(0) : node.getName();
    return new ModelException(
        model, new Problem("node %s (%s)".formatted(Quote.of(name), operator()), what));
  }
}
