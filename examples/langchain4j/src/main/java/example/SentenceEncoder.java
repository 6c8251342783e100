package example;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.output.Response;
import io.miniinference.engine.InferenceModel;
import io.miniinference.ir.Tensor;
import io.miniinference.signature.TensorSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A transformer as an embedding model: texts in, vectors of length 1 out. */
record SentenceEncoder(InferenceModel model, Function<String, long[]> tokenizer)
    implements EmbeddingModel {

  @Override
  public Response<List<Embedding>> embedAll(List<TextSegment> segments) {
    List<long[]> texts = segments.stream().map(s -> tokenizer.apply(s.text())).toList();
    List<Embedding> vectors = new ArrayList<>();
    for (int first = 0; first < texts.size(); first += model.maxBatch()) {
      int end = Math.min(texts.size(), first + model.maxBatch());
      vectors.addAll(batch(texts.subList(first, end)));
    }
    return Response.from(vectors);
  }

  /** Rows are as long as the longest text; the mask is 1 where there is a token. */
  private List<Embedding> batch(List<long[]> texts) {
    int width = texts.stream().mapToInt(text -> text.length).max().orElseThrow();
    long[] tokens = new long[texts.size() * width];
    long[] mask = new long[tokens.length];
    for (int row = 0; row < texts.size(); row++) {
      long[] text = texts.get(row);
      System.arraycopy(text, 0, tokens, row * width, text.length);
      Arrays.fill(mask, row * width, row * width + text.length, 1);
    }
    Map<String, Tensor> inputs = new HashMap<>();
    for (TensorSpec input : model.inputs()) {
      long[] values =
          switch (input.name()) {
            case "input_ids" -> tokens;
            case "attention_mask" -> mask;
            default -> new long[tokens.length]; // token_type_ids
          };
      inputs.put(input.name(), Tensor.of(values, texts.size(), width));
    }
    float[] hidden = model.run(inputs).get(model.outputs().getFirst().name()).floats();
    int size = hidden.length / tokens.length;
    List<Embedding> vectors = new ArrayList<>();
    for (int row = 0; row < texts.size(); row++) {
      vectors.add(mean(hidden, row * width * size, texts.get(row).length, size));
    }
    return vectors;
  }

  /** The mean has the direction of the sum, and length 1 is all that is kept of it. */
  private static Embedding mean(float[] hidden, int from, int tokens, int size) {
    float[] sum = new float[size];
    for (int i = 0; i < tokens * size; i++) {
      sum[i % size] += hidden[from + i];
    }
    Embedding vector = Embedding.from(sum);
    vector.normalize();
    return vector;
  }
}
