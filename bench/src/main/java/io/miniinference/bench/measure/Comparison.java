package io.miniinference.bench.measure;

/// Two subjects side by side, measured in turn in one run.
///
/// @param name what was measured, such as a model
/// @param parameters under what circumstances
/// @param subject whose figure is above the line
/// @param peer whose figure is below
public record Comparison(
    String name, Parameters parameters, String subject, String peer, Ratio ratio) {
  /// Such as `0.810 [0.740–1.07] times that of ONNX Runtime 1.29`, that being the peer's figure.
  public String beside() {
    return "%s times that of %s".formatted(ratio.text(), peer);
  }
}
