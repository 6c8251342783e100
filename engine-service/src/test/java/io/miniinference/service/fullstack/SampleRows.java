package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.service.doubles.Client;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A few random rows for a model, and the outputs that each gives alone. Batches of them must give
/// the same.
final class SampleRows {
  static final int COUNT = 8;
  private static final int LETTERS = 27;

  private final Bundled model;
  private final List<String> rows;
  private final List<float[]> outputs;

  private SampleRows(Bundled model, List<String> rows, List<float[]> outputs) {
    this.model = model;
    this.rows = rows;
    this.outputs = outputs;
  }

  static SampleRows of(Bundled model, Client client, long seed) {
    Random random = new Random(seed);
    Supplier<String> value =
        model.takesImages()
            ? () -> Float.toString(random.nextInt(256) / 255f)
            : () -> Integer.toString(random.nextInt(LETTERS));
    List<String> rows =
        Stream.generate(() -> row(value, model.rowElements())).limit(COUNT).toList();
    List<float[]> outputs =
        rows.stream().map(row -> Bundled.values(model.infer(client, 1, row))).toList();
    return new SampleRows(model, rows, outputs);
  }

  private static String row(Supplier<String> value, int elements) {
    return Stream.generate(value).limit(elements).collect(Collectors.joining(","));
  }

  /// Sends what is no request.
  void checkRefusal(Client client) {
    assertThat(client.infer(model.model(), "{").status()).isEqualTo(400);
  }

  /// Sends a batch of these rows, again and again from row `first` on, and compares what comes.
  void check(Client client, int first, int count) {
    String data =
        IntStream.range(first, first + count)
            .mapToObj(i -> rows.get(i % COUNT))
            .collect(Collectors.joining(","));
    float[] values = Bundled.values(model.infer(client, count, data));
    int size = values.length / count;
    for (int i = 0; i < count; i++) {
      float[] row = Arrays.copyOfRange(values, i * size, (i + 1) * size);
      Closeness.check(row, outputs.get((first + i) % COUNT));
    }
  }
}
