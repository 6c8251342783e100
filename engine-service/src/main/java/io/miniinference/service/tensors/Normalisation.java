package io.miniinference.service.tensors;

import java.util.List;

/// What is subtracted from the values of an image from 0 to 1, and by what they are divided then:
/// one number for all channels, or one for each.
public record Normalisation(List<Double> mean, List<Double> deviation) {
  /// Values from 0 to 1 as they are.
  public static final Normalisation NONE = new Normalisation(List.of(0.0), List.of(1.0));

  /// @throws IllegalArgumentException if there are neither one nor three, or a deviation is 0
  public Normalisation {
    mean = oneOrThree("--mean", mean);
    deviation = oneOrThree("--std", deviation);
    if (deviation.contains(0.0)) {
      throw new IllegalArgumentException("--std " + deviation + " has a 0");
    }
  }

  private static List<Double> oneOrThree(String option, List<Double> values) {
    if (values.size() != 1 && values.size() != 3) {
      throw new IllegalArgumentException(
          "%s takes one number or three, and got %s".formatted(option, values));
    }
    return List.copyOf(values);
  }

  double of(double value, int channel) {
    return (value - at(mean, channel)) / at(deviation, channel);
  }

  private static double at(List<Double> values, int channel) {
    return values.get(Math.min(channel, values.size() - 1));
  }
}
