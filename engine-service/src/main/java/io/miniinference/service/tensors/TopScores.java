package io.miniinference.service.tensors;

import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;

/// The largest scores along the last axis of an output, the largest first, and lower numbers before
/// higher ones of the same score.
///
/// @param count how many
/// @param labels names of the classes, or none
public record TopScores(int count, List<String> labels) {
  private static final long MOST_ROWS = 64;

  /// One of them.
  ///
  /// @param row of what lies before the last axis
  /// @param index on the last axis
  /// @param label empty if the class has none
  public record Score(long row, long index, double value, String label) {}

  /// @throws IllegalArgumentException if there is no such file
  public static List<String> labelsOf(Path file) {
    try {
      if (!Files.isRegularFile(file)) {
        throw new IllegalArgumentException("there is no file of labels '" + file + "'");
      }
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the labels of " + file, e);
    }
  }

  /// Whether an output has scores to choose from.
  public static boolean isAbout(Tensor output) {
    long[] shape = output.shape();
    return !output.isOfStrings()
        && shape.length > 0
        && shape[shape.length - 1] > 1
        && output.elements() > 0;
  }

  /// Those of the first rows.
  public List<Score> of(Tensor output) {
    long classes = output.shape()[output.shape().length - 1];
    long rows = Math.min(MOST_ROWS, output.elements() / classes);
    TensorView view = TensorView.of(output);
    List<Score> scores = new ArrayList<>();
    for (long row = 0; row < rows; row++) {
      scores.addAll(ofRow(view, row, classes));
    }
    return scores;
  }

  private List<Score> ofRow(TensorView view, long row, long classes) {
    return LongStream.range(0, classes)
        .mapToObj(i -> new Score(row, i, view.realAt(row * classes + i), label(i)))
        .sorted(Comparator.comparingDouble((Score score) -> -score.value()))
        .limit(count)
        .toList();
  }

  private String label(long index) {
    return index < labels.size() ? labels.get((int) index).strip() : "";
  }
}
