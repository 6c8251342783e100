package io.miniinference.bench.measure;

import java.util.Locale;

/// Two subjects side by side, measured in turn in one run.
///
/// @param name what was measured
/// @param parameters under what circumstances
/// @param subject whose figure is above the line
/// @param peer whose figure is below
/// @param ratio of the two
public record Comparison(
    String name, Parameters parameters, String subject, String peer, Ratio ratio) {

  /// Such as `0.81 times that of ONNX Runtime 1.29 [0.74 to 1.07]`, that being the peer's figure.
  public String beside() {
    return String.format(
        Locale.ROOT,
        "%.2f times that of %s [%.2f to %.2f]",
        ratio.value(),
        peer,
        ratio.low(),
        ratio.high());
  }
}
