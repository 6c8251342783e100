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

  /// Most separators of a Tokenizer, each of which goes through all of a text.
  private static final int MOST_SEPARATORS = 1000;

  /// Most groups in each other, since RE2 follows them call by call.
  private static final int MOST_DEPTH = 200;

  /// The domain of operators that are ONNX Runtime's own.
  private static final String MICROSOFT = "com.microsoft";

  /// By the operator's name, with its domain if that is not ONNX: names of attributes.
  private static final Map<String, Set<String>> OPERATORS =
      Map.of(
          "StringConcat",
          Set.of(),
          "RegexFullMatch",
          Set.of("pattern"),
          "StringSplit",
          Set.of("delimiter", "maxsplit"),
          "StringNormalizer",
          Set.of("case_change_action", "is_case_sensitive", "locale", "stopwords"),
          MICROSOFT + ".Tokenizer",
          Set.of("mark", "pad_value", "mincharnum", "separators", "tokenexp"));

  /// The node, if it is one.
  static Optional<HostNode> of(String model, NodeProto node) {
    boolean isOnnx = node.getDomain().isEmpty() || node.getDomain().equals("ai.onnx");
    Set<String> known = OPERATORS.get((isOnnx ? "" : node.getDomain() + ".") + node.getOpType());
    if (known == null || !hasItsOperands(node)) {
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

  /// What shorter texts are filled up with, by a node that cuts texts.
  String pad() {
    return string("pad_value", "");
  }

  /// What it does.
  ///
  /// @param isCounted whether what it makes is read for nothing but to count n-grams without pads
  /// @throws ModelException if an attribute makes no sense
  StringStep.Work work(boolean isCounted) {
    return switch (operator()) {
      case "StringConcat" -> StringWorks::joined;
      case "RegexFullMatch" -> StringWorks.matching(pattern(string("pattern", "")));
      case "StringSplit" -> StringWorks.splitting(splitter());
      case "Tokenizer" -> StringWorks.tokenizing(isCounted ? tokeniser().rounded() : tokeniser());
      default -> StringWorks.normalising(normaliser());
    };
  }

  private String string(String name, String fallback) {
    AttributeProto attribute = attributes.get(name);
    return attribute == null ? fallback : attribute.getS().toStringUtf8();
  }

  private Pattern pattern(String pattern) {
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

  private Tokeniser tokeniser() {
    return new Tokeniser(cut(), integer("mark", 0) != 0, pad(), false);
  }

  private Tokeniser.Cut cut() {
    List<String> separators = strings("separators");
    String expression = string("tokenexp", "");
    long least = integer("mincharnum", 1);
    if (separators.isEmpty() == expression.isEmpty()) {
      throw fault("needs either separators or a tokenexp");
    }
    if (least < 1) {
      throw fault("has mincharnum = %d, less than 1".formatted(least));
    }
    if (!expression.isEmpty()) {
      return new Tokeniser.Matching(pattern(expression), least);
    }
    if (separators.equals(List.of(""))) {
      if (least > 1) {
        throw fault("cuts texts into characters, and has mincharnum = %d".formatted(least));
      }
      return new Tokeniser.Characters();
    }
    if (separators.contains("") || separators.size() > MOST_SEPARATORS) {
      throw fault("has empty separators, or more than %d".formatted(MOST_SEPARATORS));
    }
    return new Tokeniser.Between(separators.stream().map(this::pattern).toList(), least);
  }

  private Splitter splitter() {
    AttributeProto delimiter = attributes.get("delimiter");
    byte[] bytes = delimiter == null ? new byte[0] : delimiter.getS().toByteArray();
    return new Splitter(new String(bytes, StandardCharsets.ISO_8859_1), integer("maxsplit", -1));
  }

  private List<String> strings(String name) {
    AttributeProto words = attributes.get(name);
    return words == null
        ? List.of()
        : words.getStringsList().stream().map(it -> it.toStringUtf8()).toList();
  }

  private long integer(String name, long fallback) {
    AttributeProto attribute = attributes.get(name);
    return attribute == null ? fallback : attribute.getI();
  }

  /// Whether there may be fewer strings than before.
  boolean leavesStringsOut() {
    return !strings("stopwords").isEmpty();
  }

  private Normaliser normaliser() {
    String action = string("case_change_action", "NONE");
    if (!Set.of("NONE", "LOWER", "UPPER").contains(action)) {
      throw fault("has case_change_action = %s".formatted(Quote.of(action)));
    }
    String tag = string("locale", "en_US").replace('_', '-');
    return new Normaliser(
        action,
        integer("is_case_sensitive", 0) != 0,
        Locale.forLanguageTag(tag),
        new HashSet<>(strings("stopwords")));
  }

  private ModelException fault(String what) {
    String name = node.getName().isEmpty() ? node.getOutput(0) : node.getName();
    return new ModelException(
        model, new Problem("node %s (%s)".formatted(Quote.of(name), operator()), what));
  }
}
