package io.miniinference.bench.measure;

/// One figure.
///
/// @param subject who did it: the engine, or a peer with its version
public record Measurement(
    String name, Parameters parameters, String subject, Unit unit, Spread spread)
    implements Figure {
  @Override
  public String line() {
    return subject + ", " + unit.symbol();
  }

  @Override
  public String text() {
    return spread.text();
  }
}
