package io.miniinference.service.fullstack;

import io.miniinference.service.doubles.Client;
import io.miniinference.service.doubles.Client.Answer;
import tools.jackson.databind.JsonNode;

/// A bundled model as its clients see it.
enum Bundled {
  CNN("mnist-cnn", "Input3", "FP32", "1,28,28", 784),
  MLP("mnist-mlp", "image", "FP32", "1,28,28", 784),
  DEEP("mnist-deep", "image", "FP32", "1,28,28", 784),
  DENOISE("mnist-denoise", "noisy", "FP32", "1,28,28", 784),
  WORDS("number-words", "characters", "INT64", "20", 20);

  private final String model;
  private final String input;
  private final String type;
  private final String rowShape;
  private final int rowElements;

  /// @param input name of its one input
  /// @param type the input's type in the protocol
  /// @param rowShape the input's dimensions after the batch, with commas between
  /// @param rowElements values in a row of the input
  Bundled(String model, String input, String type, String rowShape, int rowElements) {
    this.model = model;
    this.input = input;
    this.type = type;
    this.rowShape = rowShape;
    this.rowElements = rowElements;
  }

  /// Its name in the repository.
  String model() {
    return model;
  }

  int rowElements() {
    return rowElements;
  }

  boolean takesImages() {
    return type.equals("FP32");
  }

  /// Sends a batch.
  ///
  /// @param data the values in JSON, without brackets
  Answer infer(Client client, int rows, CharSequence data) {
    return client.infer(
        model,
        "{\"inputs\":[{\"name\":\"%s\",\"shape\":[%d,%s],\"datatype\":\"%s\",\"data\":[%s]}]}"
            .formatted(input, rows, rowShape, type, data));
  }

  /// The values of the one output of an answer, after its status has been checked.
  static float[] values(Answer answer) {
    if (answer.status() != 200) {
      throw new AssertionError(answer.status() + ": " + answer.body());
    }
    JsonNode data = answer.json().path("outputs").path(0).path("data");
    float[] values = new float[data.size()];
    int next = 0;
    for (JsonNode value : data) {
      values[next++] = value.floatValue();
    }
    return values;
  }

  /// The place of the largest of the ten scores of a row.
  static int best(float[] scores, int row) {
    int best = 0;
    for (int digit = 1; digit < 10; digit++) {
      if (scores[row * 10 + digit] > scores[row * 10 + best]) {
        best = digit;
      }
    }
    return best;
  }
}
