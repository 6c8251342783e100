package io.miniinference.spring.ai;

import io.miniinference.engine.InferenceModel;
import io.miniinference.ir.Tensor;
import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.AbstractEmbeddingModel;
import org.springframework.ai.embedding.Embedding;
import org.springframework.ai.embedding.EmbeddingRequest;
import org.springframework.ai.embedding.EmbeddingResponse;

/// A transformer as Spring AI's embedding model: texts in, vectors of length 1 out. The model takes
/// tokens `[batch, sequence]` as 64-bit integers, under the names that exports of Hugging Face
/// have: `input_ids`, and if it has them `attention_mask` and `token_type_ids`. Of its first
/// output, or the one that is named, either each row is a text's vector or each token of a row has
/// one, of which [Pooling] makes one. Safe for many threads.
public final class InferenceEmbeddingModel extends AbstractEmbeddingModel {
  private static final String TOKENS = "input_ids";
  private static final String MASK = "attention_mask";
  private static final String TYPES = "token_type_ids";

  private final InferenceModel model;
  private final TextTokenizer tokenizer;
  private final Pooling pooling;
  private final String output;

  /// A model whose first output is pooled by its mean.
  public InferenceEmbeddingModel(InferenceModel model, TextTokenizer tokenizer) {
    this(model, tokenizer, Pooling.MEAN, model.outputs().getFirst().name());
  }

  /// @param output the name of the output with the vectors
  /// @throws IllegalArgumentException if the model does not take tokens or has no such output
  public InferenceEmbeddingModel(
      InferenceModel model, TextTokenizer tokenizer, Pooling pooling, String output) {
    this.model = model;
    this.tokenizer = tokenizer;
    this.pooling = pooling;
    this.output = output;
    requireTokens();
    requireOutput();
  }

  private void requireTokens() {
    List<String> inputs = model.inputs().stream().map(TensorSpec::name).toList();
    if (!inputs.contains(TOKENS) || !List.of(TOKENS, MASK, TYPES).containsAll(inputs)) {
      throw new IllegalArgumentException(
          "model '%s' takes %s, and one for embeddings takes %s and maybe %s and %s"
              .formatted(model.name(), inputs, TOKENS, MASK, TYPES));
    }
  }

  private void requireOutput() {
    List<String> outputs = model.outputs().stream().map(TensorSpec::name).toList();
    if (!outputs.contains(output)) {
      throw new IllegalArgumentException(
          "model '%s' has no output '%s'; it has %s".formatted(model.name(), output, outputs));
    }
  }

  /// One vector for each text, in their order. Options are the model's own, and not looked at.
  ///
  /// @throws IllegalArgumentException if a text has more tokens than the model takes, which is the
  ///   length that its file fixes or the bound with which it was loaded; it tells which text
  @Override
  public EmbeddingResponse call(EmbeddingRequest request) {
    List<long[]> texts = request.getInstructions().stream().map(tokenizer::tokens).toList();
    List<Embedding> embeddings = new ArrayList<>();
    for (int first = 0; first < texts.size(); first += model.maxBatch()) {
      int end = Math.min(texts.size(), first + model.maxBatch());
      for (float[] vector : vectors(texts.subList(first, end), first)) {
        embeddings.add(new Embedding(vector, embeddings.size()));
      }
    }
    return new EmbeddingResponse(embeddings);
  }

  /// @throws IllegalArgumentException if the document has no text
  @Override
  public float[] embed(Document document) {
    String text = getEmbeddingContent(document);
    if (text == null) {
      throw new IllegalArgumentException("document '" + document.getId() + "' has no text");
    }
    return embed(text);
  }

  private List<float[]> vectors(List<long[]> texts, int first) {
    TokenBatch batch = TokenBatch.of(texts, first, limits());
    Map<String, Tensor> inputs = new LinkedHashMap<>();
    for (TensorSpec input : model.inputs()) {
      inputs.put(
          input.name(),
          switch (input.name()) {
            case TOKENS -> batch.tokens();
            case MASK -> batch.mask();
            default -> batch.zeros();
          });
    }
    Tensor hidden = model.run(inputs).get(output);
    if (hidden == null) {
      throw new IllegalStateException("model '" + model.name() + "' gave no '" + output + "'");
    }
    return new TokenVectors(hidden, pooling).perText(batch.lengths());
  }

  private TokenBatch.Limits limits() {
    Dimension row =
        model.inputs().stream()
            .filter(input -> input.name().equals(TOKENS))
            .map(input -> input.dims().get(1))
            .findFirst()
            .orElseThrow();
    return switch (row) {
      case Dimension.Fixed fixed -> TokenBatch.Limits.fixed(fixed.size());
      case Dimension.Open open -> TokenBatch.Limits.upTo(bound(open.symbol()));
      case Dimension.Batch _, Dimension.Rest _ -> TokenBatch.Limits.upTo(Integer.MAX_VALUE);
    };
  }

  private long bound(String symbol) {
    return model.runtime().signature().bounds().getOrDefault(symbol, (long) Integer.MAX_VALUE);
  }
}
