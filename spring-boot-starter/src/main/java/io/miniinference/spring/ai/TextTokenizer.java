package io.miniinference.spring.ai;

/// Makes tokens of texts, as the model was trained to: that of a library, such as `text ->
/// tokenizer.encode(text).getIds()` with DJL's `HuggingFaceTokenizer`.
@FunctionalInterface
public interface TextTokenizer {

  /// The numbers of a text's tokens, those that begin and end a text included; at least one.
  long[] tokens(String text);
}
